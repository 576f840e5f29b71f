/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes sections that are lists from JSON in the form of xclbinutil's
 * --dump-section: xclbin(5).  from_json() adds the bytes of the section to
 * *out, or nothing if the list is empty.  NPU_EFORMAT if the document is not
 * valid.
 */
#ifndef XCLBIN_PACK_LISTS_JSON_H
#define XCLBIN_PACK_LISTS_JSON_H

#include <jansson.h>

#include "base/buf.h"
#include "npu.h"

/* How to convert JSON to a section of this kind. */
struct list_form {
	uint32_t kind;
	const char *node;	/* the member of the document */
	int (*from_json)(const json_t *root, const char *node, struct buf *out,
	    struct npu_err *err);
};

/* Returns the form of a kind, or NULL if its sections are not lists. */
const struct list_form *list_form_of(uint32_t kind);

/* The maximum values of the fields of 2 and 12 bits in an entry's
 * properties. */
enum { MOST_SUBTYPE = 3, MOST_FUNCTIONAL = 3, MOST_KERNEL_ID = 0xfff };

#endif
