// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <sys/mman.h>

#include "emu/shared.h"
#include "emu/tensors.h"

#define PAGE 4096u

struct shared_buffer {
	struct shared_buffer *next;
	uint64_t pa;
	size_t size;		/* bytes, whole pages */
	uint8_t *memory;
	unsigned refs;		/* one for the program, one a tensor */
};

/* One tensor of a job. */
struct shared_use {
	struct shared_buffer *buffer;	/* held; NULL: job's memory */
	uint8_t *at;
	bool customed;		/* used by the device only */
};

static struct shared_buffer *buffers;
static uint64_t next_pa = 0x10000000;	/* addresses are never reused */

static void
release(struct shared_buffer *b)
{
	if (b == NULL || --b->refs > 0)
		return;
	munmap(b->memory, b->size);
	free(b);
}

noe_status_t
shared_alloc(noe_share_buf_t *s)
{
	struct shared_buffer *b = calloc(1, sizeof(*b));

	if (b == NULL)
		return NOE_STATUS_ERROR_BUF_ALLOC_FAIL;
	/* A buffer of size 0 also gets an address. */
	b->size = ((size_t)s->size + PAGE - (s->size > 0)) / PAGE * PAGE;
	b->memory = mmap(NULL, b->size, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (b->memory == MAP_FAILED) {
		free(b);
		return NOE_STATUS_ERROR_BUF_ALLOC_FAIL;
	}
	b->refs = 1;
	b->pa = next_pa;
	next_pa += b->size;
	b->next = buffers;
	buffers = b;
	s->pa = b->pa;
	s->va = (uint64_t)(uintptr_t)b->memory;
	return NOE_STATUS_SUCCESS;
}

noe_status_t
shared_free(const noe_share_buf_t *s)
{
	struct shared_buffer **at = &buffers, *b;

	while (*at != NULL && (s->pa < (*at)->pa ||
	    s->pa - (*at)->pa >= (*at)->size))
		at = &(*at)->next;
	if ((b = *at) == NULL)
		return NOE_STATUS_ERROR_SET_SHARED_TENSOR;
	*at = b->next;
	release(b);
	return NOE_STATUS_SUCCESS;
}

/* ---- Tensors in them -------------------------------------------------- */

static struct shared_buffer *
find(uint64_t pa, uint64_t size)
{
	struct shared_buffer *b = buffers;

	while (b != NULL && (pa < b->pa || pa - b->pa > b->size ||
	    size > b->size - (pa - b->pa)))
		b = b->next;
	return b;
}

uint8_t *
shared_tensor(const struct emu_job *j, uint32_t i)
{
	return j->shared != NULL ? j->shared[i].at : NULL;
}

uint8_t *
shared_copied(const struct emu_job *j, uint32_t i)
{
	return j->shared != NULL && !j->shared[i].customed ?
	    j->shared[i].at : NULL;
}

noe_status_t
shared_place(struct emu_job *j, uint32_t i, uint64_t pa, bool customed)
{
	const struct cix_graph *m = graph_cix(j->graph);
	struct shared_buffer *b = find(pa, m->tensors[i].desc.size);

	if (b == NULL)
		return NOE_STATUS_ERROR_SET_SHARED_TENSOR;
	if (j->shared == NULL)
		j->shared = calloc(m->n_inputs + m->n_outputs,
		    sizeof(*j->shared));
	if (j->shared == NULL)
		return NOE_STATUS_ERROR_BUF_ALLOC_FAIL;
	b->refs++;
	release(j->shared[i].buffer);
	j->shared[i] = (struct shared_use){ b, b->memory + (pa - b->pa),
	    customed };
	return NOE_STATUS_SUCCESS;
}

void
shared_leave(struct emu_job *j)
{
	const struct cix_graph *m;

	if (j->shared == NULL)
		return;
	m = graph_cix(j->graph);
	for (uint32_t i = 0; i < m->n_inputs + m->n_outputs; i++)
		release(j->shared[i].buffer);
	free(j->shared);
	j->shared = NULL;
}
