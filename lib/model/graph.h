/* SPDX-License-Identifier: Apache-2.0 */
/* What a graph ELF says, for cix.c. */
#ifndef MODEL_GRAPH_H
#define MODEL_GRAPH_H

#include "model/cix.h"

/*
 * Describe the graph ELF into *g, whose tensors are empty; lenient as
 * cix_parse_lenient() has it.  On failure the caller frees *g.
 */
int graph_parse(struct bytes elf, bool lenient, struct cix_graph *g,
    struct npu_err *err);

/* The tensors of *g in order of kind, and of id within it (cix.h). */
int tensor_order(struct cix_graph *g, struct npu_err *err);

#endif
