// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "emu/shared.h"
#include "emu/tensors.h"

/* ---- By kind and index ------------------------------------------------ */

int
tensor_kind(tensor_type_t type)
{
	switch (type) {
	case NOE_TENSOR_TYPE_INPUT: return CIX_INPUT;
	case NOE_TENSOR_TYPE_OUTPUT: return CIX_OUTPUT;
	case NOE_TENSOR_TYPE_INTER_DUMP: return CIX_DUMP;
	case NOE_TENSOR_TYPE_PRINTF: return CIX_PRINTF;
	case NOE_TENSOR_TYPE_PROFILER: return CIX_PROFILE;
	case NOE_TENSOR_TYPE_LAYER_COUNTER: return CIX_LAYER_COUNTER;
	case NOE_TENSOR_TYPE_ERROR_CODE: return CIX_ERROR_CODE;
	case NOE_TENSOR_TYPE_OUT_TENSOR_SHAPE: return CIX_OUT_SHAPE;
	default: return -1;
	}
}

uint32_t
graph_tensor_count(const struct graph *g, uint32_t kind)
{
	const struct cix_graph *m = graph_cix(g);
	uint32_t n = 0;

	for (size_t i = 0; i < m->n_tensors; i++)
		n += m->tensors[i].kind == kind;
	return n;
}

const struct cix_tensor *
graph_tensor(const struct graph *g, uint32_t kind, uint32_t index)
{
	const struct cix_graph *m = graph_cix(g);

	for (size_t i = 0; i < m->n_tensors; i++)
		if (m->tensors[i].kind == kind && index-- == 0)
			return &m->tensors[i];
	return NULL;
}

/* ---- In a job's memory ------------------------------------------------ */

bool
graph_lay_out(struct graph *g)
{
	const struct cix_graph *m = graph_cix(g);
	uint32_t n = m->n_inputs + m->n_outputs;

	g->offset = calloc(n + 1, sizeof(*g->offset));
	if (g->offset == NULL)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		g->offset[i] = g->memory;
		/* At most 2^16 sizes of 32 bits, so the sum fits. */
		g->memory += (m->tensors[i].desc.size + 15) & ~(size_t)15;
	}
	return true;
}

static size_t
input_bytes(const struct graph *g)
{
	const struct cix_graph *m = graph_cix(g);

	return m->n_outputs > 0 ? g->offset[m->n_inputs] : g->memory;
}

bool
job_alloc_memory(struct emu_job *j)
{
	struct graph *g = j->graph;

	j->memory = g->spare != NULL ? g->spare : calloc(1, g->memory + 1);
	if (j->memory == NULL)
		return false;
	/* Outputs are not cleared: they are written before they can be read. */
	if (g->spare != NULL)
		memset(j->memory, 0, input_bytes(g));
	g->spare = NULL;
	j->state = JOB_IDLE;
	return true;
}

uint8_t *
job_input(const struct emu_job *j, uint32_t i)
{
	uint8_t *shared = shared_tensor(j, i);

	return shared != NULL ? shared : j->memory + j->graph->offset[i];
}

uint8_t *
job_copied(const struct emu_job *j, uint32_t i)
{
	uint8_t *shared = shared_copied(j, i);

	return shared != NULL ? shared : j->memory + j->graph->offset[i];
}

uint8_t *
job_output(const struct emu_job *j, uint32_t i)
{
	return job_input(j, graph_cix(j->graph)->n_inputs + i);
}

void
job_free_memory(struct emu_job *j)
{
	shared_leave(j);
	if (j->memory == NULL)
		return;
	free(j->graph->spare);
	j->graph->spare = j->memory;
}
