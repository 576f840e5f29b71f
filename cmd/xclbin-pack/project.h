/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the files that aiecc of mlir-aie leaves in DESIGN.mlir.prj. */
#ifndef XCLBIN_PACK_PROJECT_H
#define XCLBIN_PACK_PROJECT_H

struct project {
	char *memories, *kernels, *partition;	/* paths, owned */
};

/* Finds the files in a folder.  Dies if a file is missing or the choice is
 * ambiguous. */
void project_find(struct project *p, const char *folder);
void project_free(struct project *p);

#endif
