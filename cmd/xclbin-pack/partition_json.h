/* SPDX-License-Identifier: Apache-2.0 */
/* AIE_PARTITION from JSON in the form of aiecc and of xclbinutil's dumps. */
#ifndef XCLBIN_PACK_PARTITION_JSON_H
#define XCLBIN_PACK_PARTITION_JSON_H

#include <jansson.h>

#include "base/buf.h"
#include "npu.h"

/* Where the bytes of PDIs come from. */
struct pdi_source {
	/* Adds the file that the document names, at most limit bytes. */
	int (*load)(void *arg, const char *name, size_t limit, struct buf *out,
	    struct npu_err *err);
	void *arg;
};

/*
 * Adds the bytes of the section to *out, which is empty.  label becomes the
 * partition's name; the name in the document is not used.  NPU_EFORMAT says
 * what in the document is wrong; else the code of source->load.
 */
int partition_from_json(const json_t *root, const char *label,
    const struct pdi_source *source, struct buf *out, struct npu_err *err);

#endif
