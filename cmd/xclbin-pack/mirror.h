/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the mirror: the copy of header and sections as JSON at the end of a
 * container. */
#ifndef XCLBIN_PACK_MIRROR_H
#define XCLBIN_PACK_MIRROR_H

#include "draft.h"

/* Adds the document.  It does not include the length and the number of sections
 * of the header. */
void mirror_write(const struct draft *c, struct buf *out);

#endif
