/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unicode Normalization Form C (Unicode Standard Annex 15), according to
 * Unicode 14.0 as in the reference: newer code points count as unassigned.
 */
#ifndef TEXT_NFC_H
#define TEXT_NFC_H

#include <stdbool.h>

#include "text/codepoints.h"

/* Returns true if p[0..n) is certainly in the form; false proves nothing. */
bool nfc_quick(const uint32_t *p, size_t n);

/* Sets *out to in, normalised, and *changed to whether it differs.  Returns
 * false if out of memory. */
bool nfc(const struct codepoints *in, struct codepoints *out, bool *changed);

#endif
