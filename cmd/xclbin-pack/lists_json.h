/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sections that are lists, from JSON as xclbinutil's --dump-section writes it:
 * xclbin(5).  from_json() adds the bytes of the section to *out, or nothing if
 * the list is empty.  NPU_EFORMAT says what in the document is wrong.
 */
#ifndef XCLBIN_PACK_LISTS_JSON_H
#define XCLBIN_PACK_LISTS_JSON_H

#include <jansson.h>

#include "base/buf.h"
#include "npu.h"

/* How JSON becomes a section of the kind. */
struct list_form {
	uint32_t kind;
	const char *node;	/* the member of the document */
	int (*from_json)(const json_t *root, const char *node, struct buf *out,
	    struct npu_err *err);
};

/* NULL: sections of the kind are not made from a list. */
const struct list_form *list_form_of(uint32_t kind);

/* What the 2 and 12 bits of an entry's properties can hold. */
enum { MOST_SUBTYPE = 3, MOST_FUNCTIONAL = 3, MOST_KERNEL_ID = 0xfff };

#endif
