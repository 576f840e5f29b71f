// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdlib.h>

#include "bank_groups.h"
#include "base/err.h"
#include "list_bytes.h"

/* A connection to a memory that may belong to a group. */
struct bank_candidate {
	struct axlf_connection c;
	uint64_t base, bytes;
	size_t index;		/* keeps the order of equal candidates */
};

static bool
can_group(const struct axlf_memory *m)
{
	return m->used != 0 && (m->type == AXLF_MEM_HBM ||
	    m->type == AXLF_MEM_DDR3 || m->type == AXLF_MEM_DDR4 ||
	    m->type == AXLF_MEM_DRAM);
}

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

static int
by_place(const void *p, const void *q)
{
	const struct bank_candidate *a = p, *b = q;
	int d = COMPARE(a->c.ip, b->c.ip);

	if (d == 0)
		d = COMPARE(a->c.argument, b->c.argument);
	if (d == 0)
		d = COMPARE(a->base, b->base);
	return d != 0 ? d : COMPARE(a->index, b->index);
}

static bool
same_argument(const struct bank_candidate *a, const struct bank_candidate *b)
{
	return a->c.ip == b->c.ip && a->c.argument == b->c.argument;
}

/* Fails if the memories of an argument form one block without a gap. */
static int
check_adjoining(const struct bank_candidate *all, size_t n, struct npu_err *err)
{
	size_t end;

	for (size_t i = 0; i < n; i = end) {
		bool gap = false;

		for (end = i + 1; end < n && same_argument(&all[i],
		    &all[end]); end++)
			gap |= all[end - 1].base + all[end - 1].bytes !=
			    all[end].base;
		if (end - i > 1 && !gap)
			return npu_fail(err, NPU_EFORMAT, "argument %" PRId32
			    " of entry %" PRId32 " of IP_LAYOUT is connected "
			    "to %zu adjacent memories, which xclbinutil would "
			    "merge; --skip-bank-grouping leaves the groups out",
			    all[i].c.argument, all[i].c.ip, end - i);
	}
	return 0;
}

/* Adds connections to memories that cannot be grouped to *out, and the others
 * to all. */
static int
split_connections(const struct axlf_list *connections,
    const struct axlf_list *memories, struct bank_candidate *all, size_t *n,
    struct buf *out, struct npu_err *err)
{
	for (uint32_t i = 0; i < connections->n; i++) {
		struct axlf_connection c = axlf_connection(connections, i);
		struct axlf_memory m;

		if (c.memory < 0 || (uint32_t)c.memory >= memories->n)
			return npu_fail(err, NPU_EFORMAT, "connection %" PRIu32
			    " is to memory %" PRId32 ", but MEM_TOPOLOGY has "
			    "%" PRIu32, i, c.memory, memories->n);
		m = axlf_memory(memories, (uint32_t)c.memory);
		if (can_group(&m))
			all[(*n)++] = (struct bank_candidate){ .c = c,
			    .base = m.base, .bytes = m.kib * 1024,
			    .index = i };
		else
			list_add_connection(out, &c);
	}
	return 0;
}

int
bank_groups(struct bytes connectivity, struct bytes memories, struct buf *out,
    struct npu_err *err)
{
	struct axlf_list connections = axlf_connection_list(connectivity);
	struct axlf_list banks = axlf_memory_list(memories);
	struct bank_candidate *all;
	size_t n = 0;
	int rc;

	if (connections.n == 0)
		return 0;
	if ((all = calloc(connections.n, sizeof(*all))) == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	list_begin(out, CONNECTIONS_HEAD, 2 * connections.n);
	if ((rc = split_connections(&connections, &banks, all, &n, out,
	    err)) == 0) {
		qsort(all, n, sizeof(*all), by_place);
		rc = check_adjoining(all, n, err);
	}
	for (size_t i = 0; i < n; i++)
		list_add_connection(out, &all[i].c);
	/* Then comes the whole list of CONNECTIVITY in its original order. */
	buf_add(out, connections.data.p + connections.head,
	    (size_t)connections.n * connections.entry);
	free(all);
	return rc;
}
