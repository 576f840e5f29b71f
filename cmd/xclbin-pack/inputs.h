/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the files that sections are made from, and finds the time at which the
 * newest was modified. */
#ifndef XCLBIN_PACK_INPUTS_H
#define XCLBIN_PACK_INPUTS_H

#include <jansson.h>

#include "base/buf.h"
#include "npu.h"
#include "partition_json.h"

struct inputs {
	bool any;		/* newest is set */
	uint64_t newest;	/* modification time of the newest file,
				   seconds since 1970 */
};

/* Read a whole file, or stdin ("-"); die on failure.  inputs_load() adds the
 * bytes to *out; inputs_json() parses them, and the caller owns the result. */
void inputs_load(struct inputs *in, const char *path, struct buf *out);
json_t *inputs_json(struct inputs *in, const char *path);

/* Where to look for the PDIs that a document names. */
struct pdi_folder {
	struct inputs *in;
	const char *document;	/* the document's path */
};

/*
 * A function for pdi_source.load.  Looks for a relative name in the document's
 * folder, then in the working directory.  If a name with a folder does not lead
 * to a file, looks for its last part in the document's folder.
 */
int pdi_folder_load(void *folder, const char *name, size_t limit,
    struct buf *out, struct npu_err *err);

#endif
