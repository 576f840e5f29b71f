/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tensors of a graph, by kind and index, and their places in the memory of
 * its jobs.
 */
#ifndef EMU_TENSORS_H
#define EMU_TENSORS_H

#include "emu/state.h"

/* The file's kind of a tensor type (noe-abi 8.2), or -1. */
int tensor_kind(tensor_type_t type);
/* How many tensors of kind g has. */
uint32_t graph_tensor_count(const struct graph *g, uint32_t kind);
/* Tensor i of them, or NULL. */
const struct cix_tensor *graph_tensor(const struct graph *g, uint32_t kind,
    uint32_t i);

/* Gives each input and output of g its place; false without memory. */
bool graph_lay_out(struct graph *g);

/* Memory for the inputs and outputs of j, with which it is JOB_IDLE; false
 * without memory. */
bool job_alloc_memory(struct emu_job *j);
/* Keeps it as the graph's spare, for the next job. */
void job_free_memory(struct emu_job *j);

/* Input i, or output i, of j: in its memory, or in a share buffer. */
uint8_t *job_input(const struct emu_job *j, uint32_t i);
uint8_t *job_output(const struct emu_job *j, uint32_t i);
/* Tensor i of j, inputs and then outputs, as load_tensor() and get_tensor()
 * copy it. */
uint8_t *job_copied(const struct emu_job *j, uint32_t i);

#endif
