/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tensors of a graph, by kind and index, and their offsets in the memory of
 * its jobs.
 */
#ifndef EMU_TENSORS_H
#define EMU_TENSORS_H

#include "emu/state.h"

/* Returns the file's number for a tensor type (noe-abi 8.2), or -1. */
int tensor_kind(tensor_type_t type);
/* Returns the number of tensors of the kind in g. */
uint32_t graph_tensor_count(const struct graph *g, uint32_t kind);
/* Returns tensor i of the kind, or NULL. */
const struct cix_tensor *graph_tensor(const struct graph *g, uint32_t kind,
    uint32_t i);

/* Assigns an offset to each input and output of g.  Returns false if out of
 * memory. */
bool graph_lay_out(struct graph *g);

/* Allocates memory for the inputs and outputs of j, and makes j JOB_IDLE.
 * Returns false if out of memory. */
bool job_alloc_memory(struct emu_job *j);
/* Releases the job's memory: keeps it as the graph's spare memory for the next
 * job, and frees the previous spare memory. */
void job_free_memory(struct emu_job *j);

/* Return input i, or output i, of j: in the job's memory or in a share
 * buffer. */
uint8_t *job_input(const struct emu_job *j, uint32_t i);
uint8_t *job_output(const struct emu_job *j, uint32_t i);
/* Returns tensor i of j (inputs first, then outputs) as load_tensor() and
 * get_tensor() see it. */
uint8_t *job_copied(const struct emu_job *j, uint32_t i);

#endif
