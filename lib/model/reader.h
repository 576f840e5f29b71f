/* SPDX-License-Identifier: Apache-2.0 */
/* The state while a graph ELF is read, shared by graph.c and fmlist.c. */
#ifndef MODEL_READER_H
#define MODEL_READER_H

#include "model/graph.h"

/* The notes that are read (noe-abi 8); p NULL: absent. */
struct notes {
	struct bytes rodata, desc, weight, fmlist, remap, subgraphs,
	    compilermsg;
};

struct model_reader {
	struct notes notes;
	struct cix_graph *g;
	uint64_t statics;	/* bytes of static sections */
	size_t cap;		/* capacity of g->tensors */
	bool lenient;
	struct npu_err *err;
};

/* Returns whether a failed check is a reason to refuse the file: a lenient
 * reader ignores checks that library 2.0.2 does not make, or makes later. */
bool reader_refuses(struct model_reader *r, enum cix_check check, bool broken);

/* Read the notes that hold lists; each checks its whole note. */
int fmlist_parse(struct model_reader *r);
int fmlist_parse_subgraphs(struct model_reader *r);
int fmlist_parse_remap(struct model_reader *r);

#endif
