/* SPDX-License-Identifier: Apache-2.0 */
/* Files that sections are made from, and when the newest was changed. */
#ifndef XCLBIN_PACK_INPUTS_H
#define XCLBIN_PACK_INPUTS_H

#include <jansson.h>

#include "base/buf.h"
#include "npu.h"
#include "partition_json.h"

struct inputs {
	bool any;		/* a file has been read whose time is known */
	uint64_t newest;	/* modification, seconds since 1970 */
};

/* Add or parse a whole file or stdin ("-"); die. */
void inputs_load(struct inputs *in, const char *path, struct buf *out);
json_t *inputs_json(struct inputs *in, const char *path);

/* The PDIs that a document names. */
struct pdi_folder {
	struct inputs *in;
	const char *document;	/* its path */
};

/*
 * For pdi_source.load: looks for a relative name in the document's folder,
 * then in the working directory.  Where a path leads to no file, looks for its
 * last part in the document's folder.
 */
int pdi_folder_load(void *folder, const char *name, size_t limit,
    struct buf *out, struct npu_err *err);

#endif
