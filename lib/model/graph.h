/* SPDX-License-Identifier: Apache-2.0 */
/* Describes a graph ELF, for cix.c. */
#ifndef MODEL_GRAPH_H
#define MODEL_GRAPH_H

#include "model/cix.h"

/* Describes the graph ELF in *g, which must have no tensors.  lenient: see
 * cix_parse_lenient().  On failure the caller frees *g. */
int graph_parse(struct bytes elf, bool lenient, struct cix_graph *g,
    struct npu_err *err);

/* Sorts the tensors of *g by kind, and by id within a kind (cix.h). */
int tensor_order(struct cix_graph *g, struct npu_err *err);

#endif
