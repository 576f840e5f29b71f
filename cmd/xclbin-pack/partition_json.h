/* SPDX-License-Identifier: Apache-2.0 */
/* Makes an AIE_PARTITION from JSON, in the form of aiecc and of xclbinutil's
 * dumps. */
#ifndef XCLBIN_PACK_PARTITION_JSON_H
#define XCLBIN_PACK_PARTITION_JSON_H

#include <jansson.h>

#include "base/buf.h"
#include "npu.h"

/* Provides the bytes of PDIs. */
struct pdi_source {
	/* Adds the bytes of the file that the document names to *out; fails if
	 * it has more than limit bytes. */
	int (*load)(void *arg, const char *name, size_t limit, struct buf *out,
	    struct npu_err *err);
	void *arg;
};

/*
 * Adds the bytes of the section to *out, which must be empty.  label becomes
 * the partition's name; the name in the document is not used.  NPU_EFORMAT if
 * the document is not valid; a failure of source->load is returned as it is.
 */
int partition_from_json(const json_t *root, const char *label,
    const struct pdi_source *source, struct buf *out, struct npu_err *err);

#endif
