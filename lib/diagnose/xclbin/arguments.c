// SPDX-License-Identifier: Apache-2.0
/* arguments.c - part of the check of metadata: compares the arguments of a
 * kernel with each other. */
#include <inttypes.h>
#include <stdlib.h>

#include "diagnose/xclbin/impl.h"
#include "xdna_abi.h"

#define NEXT_AGAIN "# correct the kernels, and pack the file again"

/* Judges whether the ids are 0, 1, 2 and so on, in any order. */
static bool
judge_ids(const struct dpu_arguments *a, const struct dpu_kernel *k,
    struct health_check *c)
{
	for (size_t i = 0; i < a->numbered; i++)
		if (a->item[i].id != i) {
			health_judge(c, HEALTH_FAIL, NEXT_AGAIN, "kernel "
			    "'%.60s': no argument has the id %zu", k->name, i);
			return false;
		}
	return true;
}

/* ---- Registers --------------------------------------------------------- */

static int
by_start(const void *p, const void *q)
{
	const struct dpu_merged *a = p, *b = q;

	return (a->offset > b->offset) - (a->offset < b->offset);
}

/* Warns if two arguments overlap. */
static void
judge_overlap(struct xclbin_case *x, const struct dpu_arguments *a,
    const struct dpu_kernel *k, struct health_check *c)
{
	struct dpu_merged *item = xclbin_alloc(x, a->n, sizeof(*item));

	if (item == NULL)
		return;
	for (size_t i = 0; i < a->n; i++)
		item[i] = a->item[i];
	qsort(item, a->n, sizeof(*item), by_start);
	for (size_t i = 1; i < a->n && c->verdict == HEALTH_OK; i++)
		if (item[i].offset < dpu_merged_end(&item[i - 1]))
			health_judge(c, HEALTH_WARN, "", "arguments '%.40s' "
			    "and '%.40s' of kernel '%.60s' overlap",
			    item[i - 1].first->name, item[i].first->name,
			    k->name);
	free(item);
}

/*
 * libxrt counts whole words up to the end of the last argument, and drops an
 * incomplete word (XRT 963c58ee, core/common/api/xrt_kernel.cpp,
 * payload_size()).
 */
static bool
judge_end(const struct dpu_arguments *a, const struct dpu_kernel *k,
    struct health_check *c)
{
	uint64_t end = 0;

	for (size_t i = 0; i < a->n; i++)
		if (dpu_merged_end(&a->item[i]) > end)
			end = dpu_merged_end(&a->item[i]);
	if (end / 4 <= XDNA_REGISTERS / 4 || !dpu_kernel_counts(k))
		return true;
	health_judge(c, HEALTH_FAIL, NEXT_AGAIN, "the arguments of kernel "
	    "'%.60s' end at %" PRIu64 ": %" PRIu64 " words, and a command has "
	    "room for %d", k->name, end, end / 4, XDNA_REGISTERS / 4);
	return false;
}

/* ---- Pointers ---------------------------------------------------------- */

/* Adds the ids of all pointers that are instructions, or of all other pointers;
 * returns how many. */
static size_t
add_pointers(struct xclbin_kernel *k, size_t at, bool instructions)
{
	const struct dpu_arguments *a = &k->arguments;
	size_t n = 0;

	for (size_t i = 0; i < a->numbered; i++) {
		const struct dpu_argument *first = a->item[i].first;

		if (dpu_argument_is_pointer(first) && instructions ==
		    (dpu_argument_role(first) == DPU_INSTR))
			k->pointer[at + n++] = a->item[i].id;
	}
	return n;
}

bool
xclbin_judge_arguments(struct xclbin_case *x, struct xclbin_kernel *k,
    const struct dpu_kernel *xml, struct health_check *c)
{
	if (dpu_arguments_merge(&k->arguments, xml) < 0) {
		x->no_memory = true;
		return false;
	}
	if (!judge_ids(&k->arguments, xml, c))
		return false;
	judge_overlap(x, &k->arguments, xml, c);
	if (!judge_end(&k->arguments, xml, c))
		return false;
	k->pointer = xclbin_alloc(x, k->arguments.numbered,
	    sizeof(*k->pointer));
	if (k->pointer == NULL)
		return false;
	k->instructions = add_pointers(k, 0, true);
	k->buffers = add_pointers(k, k->instructions, false);
	return true;
}
