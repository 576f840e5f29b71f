/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes JSON as xclbinutil does (Boost's property tree): without blanks, each
 * value as a text, '/' escaped.  Seen in files of xclbinutil 2.25.0.
 */
#ifndef XCLBIN_PACK_PTREE_H
#define XCLBIN_PACK_PTREE_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/bytes.h"

/* Adds a text in quotes. */
void ptree_quote(struct buf *out, const char *s, size_t n);

/* Rewrites a JSON text to *out; if member is not NULL, only that member of the
 * object.  If the text is not JSON or does not have the member, adds nothing
 * and returns false. */
bool ptree_rewrite(struct buf *out, struct bytes json, const char *member);

#endif
