/* SPDX-License-Identifier: Apache-2.0 */
/* The copy of header and sections as JSON at the end of a container. */
#ifndef XCLBIN_PACK_MIRROR_H
#define XCLBIN_PACK_MIRROR_H

#include "draft.h"

/* Adds the document.  It has neither the header's length nor its number of
 * sections. */
void mirror_write(const struct draft *c, struct buf *out);

#endif
