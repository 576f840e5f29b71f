// SPDX-License-Identifier: Apache-2.0
/* memory.c - checks in which memory each argument lies. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "diagnose/xclbin/impl.h"

#define NEXT_AGAIN "# correct the kernels, and pack the file again"

/* max_connections of XRT 963c58ee, src/runtime_src/core/common/api/
 * xrt_kernel.cpp. */
#define PLACES 64

struct connections {
	struct axlf_list banks, links;
	struct axlf_connection *sorted;		/* links->n items */
	bool crowded;		/* more than PLACES places; see last */
	struct axlf_memory last;	/* the last place that libxrt keeps
					   apart */
	/* For the instruction stream, if it could be read: */
	bool runs;		/* a kernel has all buffers of the stream in a
				   memory */
	const struct dpu_kernel *loose;		/* a kernel with an unconnected
						   buffer; NULL: none */
	unsigned loose_buffer;
};

/* Finds the first of two sections that exists. */
static bool
either(const struct xclbin_case *k, uint32_t first, uint32_t second,
    struct bytes *data)
{
	return xclbin_section(k, first, data) ||
	    xclbin_section(k, second, data);
}

static bool
judge_count(const struct axlf_list *l, const char *what,
    struct health_check *c)
{
	if (l->count > 0 && (uint32_t)l->count <= l->room)
		return true;
	health_judge(c, HEALTH_FAIL, NEXT_AGAIN, "%s: %" PRId32 " entries, "
	    "and room for %" PRIu32, what, l->count, l->room);
	return false;
}

/* Returns the greatest number of arguments of any kernel. */
static uint64_t
most_arguments(const struct xclbin_case *k)
{
	uint64_t most = 0;

	for (size_t i = 0; i < k->x.kernels.n; i++) {
		const struct dpu_kernel *kernel = &k->x.kernels.kernel[i];

		for (size_t n = 0; n < kernel->arguments; n++) {
			uint64_t id = dpu_argument_id(&kernel->argument[n]);

			if (id != DPU_NO_ID && id >= most)
				most = id + 1;
		}
	}
	return most;
}

/* ---- Memories that libxrt keeps apart ----------------------------------- */

/*
 * As in init_mem_encoding() of XRT 963c58ee,
 * src/runtime_src/core/common/api/xrt_xclbin.cpp: used memories with the same
 * address and size are one place, streams have no place, and places are
 * numbered from the highest address down.
 */
static bool
is_place(const struct axlf_memory *m)
{
	return m->used != 0 && m->type != AXLF_MEM_STREAMING &&
	    m->type != AXLF_MEM_STREAMING_CONNECTION;
}

static int
by_address(const void *p, const void *q)
{
	const struct axlf_memory *a = p, *b = q;

	if (a->base != b->base)
		return a->base > b->base ? -1 : 1;
	return (a->kib < b->kib) - (a->kib > b->kib);
}

static void
find_last_place(struct xclbin_case *k, struct connections *m)
{
	struct axlf_memory *all = xclbin_alloc(k, m->banks.n, sizeof(*all));
	size_t n = 0, places = 0;

	if (all == NULL)
		return;
	for (uint32_t i = 0; i < m->banks.n; i++) {
		all[n] = axlf_memory(&m->banks, i);
		n += is_place(&all[n]);
	}
	qsort(all, n, sizeof(*all), by_address);
	for (size_t i = 0; i < n && !m->crowded; i++) {
		if (i > 0 && by_address(&all[i - 1], &all[i]) == 0)
			continue;
		m->crowded = ++places > PLACES;
		if (!m->crowded)
			m->last = all[i];
	}
	free(all);
}

static bool
is_beyond_places(const struct connections *m, uint32_t memory)
{
	struct axlf_memory a = axlf_memory(&m->banks, memory);

	return m->crowded && is_place(&a) && by_address(&m->last, &a) < 0;
}

static bool
judge_link(const struct xclbin_case *k, const struct connections *m, uint32_t i,
    uint64_t arguments, struct health_check *c)
{
	struct axlf_connection l = axlf_connection(&m->links, i);

	if (l.memory < 0 || (uint32_t)l.memory >= m->banks.n ||
	    axlf_memory(&m->banks, (uint32_t)l.memory).used == 0)
		health_judge(c, HEALTH_FAIL, NEXT_AGAIN, "connection %" PRIu32
		    ": memory %" PRId32 " is not there, or not used", i,
		    l.memory);
	else if (l.argument < 0 || (uint64_t)l.argument >= arguments)
		health_judge(c, HEALTH_FAIL, NEXT_AGAIN, "connection %" PRIu32
		    ": no kernel has an argument %" PRId32, i, l.argument);
	else if (is_beyond_places(m, (uint32_t)l.memory))
		health_judge(c, HEALTH_FAIL, NEXT_AGAIN, "connection %" PRIu32
		    ": memory %" PRId32 " lies below the first %d of the used "
		    "memories: libxrt keeps no more apart", i, l.memory,
		    PLACES);
	else if (l.ip < 0 || (uint32_t)l.ip >= k->x.ips.n)
		health_judge(c, HEALTH_WARN, "", "connection %" PRIu32 ": "
		    "IP_LAYOUT has no entry %" PRId32, i, l.ip);
	return c->verdict != HEALTH_FAIL;
}

/* ---- Arguments without memory ------------------------------------------ */

static int
by_place(const void *p, const void *q)
{
	const struct axlf_connection *a = p, *b = q;

	if (a->ip != b->ip)
		return (a->ip > b->ip) - (a->ip < b->ip);
	return (a->argument > b->argument) - (a->argument < b->argument);
}

static bool
is_connected(const struct connections *m, uint32_t ip, uint64_t argument)
{
	const struct axlf_connection l = { .ip = (int32_t)ip,
	    .argument = (int32_t)argument };

	return argument <= INT32_MAX && bsearch(&l, m->sorted, m->links.n,
	    sizeof(l), by_place) != NULL;
}

/*
 * Finds the first of n pointers without a memory.  Each connected pointer
 * matches a different connection, so the total number of searches is at most
 * the number of connections plus the number of entries.
 */
static bool
find_loose(const struct connections *m, uint32_t ip, const uint64_t *pointer,
    size_t n, uint64_t *loose)
{
	for (size_t i = 0; i < n; i++)
		if (!is_connected(m, ip, pointer[i])) {
			*loose = pointer[i];
			return true;
		}
	return false;
}

/* The instructions must have a memory.  For another pointer this is an error
 * only if the instructions use the pointer. */
static void
judge_entry(const struct connections *m, uint32_t ip,
    const struct xclbin_kernel *k, struct health_check *c)
{
	bool fails;
	uint64_t id;

	fails = find_loose(m, ip, k->pointer, k->instructions, &id);
	if (!fails && (c->verdict != HEALTH_OK || !find_loose(m, ip,
	    k->pointer + k->instructions, k->buffers, &id)))
		return;
	health_judge(c, fails ? HEALTH_FAIL : HEALTH_WARN, NEXT_AGAIN,
	    "argument '%.40s' of kernel '%.60s' is connected to no memory",
	    k->arguments.item[id].first->name, k->xml->name);
}

/*
 * Records whether the kernel of an entry has all buffers of the stream in a
 * memory.  A kernel with too few buffers cannot run the stream and is skipped.
 */
static void
try_stream(struct connections *m, uint32_t ip, const struct xclbin_kernel *k,
    const struct txn *t)
{
	const uint64_t *buffer = k->pointer + k->instructions;

	if (t->arguments > k->buffers)
		return;
	for (size_t i = 0; i < t->n_buffers; i++)
		if (!is_connected(m, ip, buffer[t->buffers[i].argument])) {
			m->loose = k->xml;
			m->loose_buffer = t->buffers[i].argument;
			return;
		}
	m->runs = true;
}

static void
judge_entries(struct xclbin_case *k, struct connections *m,
    struct health_check *c)
{
	m->sorted = xclbin_alloc(k, m->links.n, sizeof(*m->sorted));
	if (m->sorted == NULL)
		return;
	for (uint32_t i = 0; i < m->links.n; i++)
		m->sorted[i] = axlf_connection(&m->links, i);
	qsort(m->sorted, m->links.n, sizeof(*m->sorted), by_place);
	for (size_t i = 0; i < k->units.n && c->verdict != HEALTH_FAIL; i++) {
		const struct xclbin_unit *u = &k->units.unit[i];
		const struct xclbin_kernel *kernel = xclbin_kernel(k,
		    u->kernel);

		judge_entry(m, u->entry, kernel, c);
		if (k->stream != NULL && k->stream->broken.code == 0 &&
		    !m->runs)
			try_stream(m, u->entry, kernel, &k->stream->txn);
	}
	if (c->verdict != HEALTH_FAIL && !m->runs && m->loose != NULL)
		health_judge(c, HEALTH_FAIL, NEXT_AGAIN, "buffer %u of kernel "
		    "'%.60s', which the instruction stream uses, is connected "
		    "to no memory", m->loose_buffer, m->loose->name);
	free(m->sorted);
}

/* ---- The check --------------------------------------------------------- */

static void
judge(struct xclbin_case *k, struct connections *m, struct health_check *c)
{
	uint64_t arguments = most_arguments(k);

	health_judge(c, HEALTH_OK, "", "%" PRIu32 " connection%s, %" PRIu32
	    " memor%s", m->links.n, m->links.n == 1 ? "" : "s", m->banks.n,
	    m->banks.n == 1 ? "y" : "ies");
	if (!judge_count(&m->banks, "the topology", c) ||
	    !judge_count(&m->links, "the connectivity", c))
		return;
	find_last_place(k, m);
	for (uint32_t i = 0; k->metadata && i < m->links.n; i++)
		if (!judge_link(k, m, i, arguments, c))
			return;
	if (k->layout)
		judge_entries(k, m, c);
}

void
xclbin_check_memory(struct xclbin_case *k, struct health_check *c)
{
	char next[HEALTH_NEXT];
	struct bytes banks, links;
	struct connections m;

	if (!either(k, AXLF_GROUP_CONNECTIVITY, AXLF_CONNECTIVITY, &links)) {
		xclbin_mend(k, next);
		health_judge(c, HEALTH_FAIL, next, "there is neither "
		    "CONNECTIVITY nor GROUP_CONNECTIVITY: libxrt crashes");
	} else if (!either(k, AXLF_GROUP_TOPOLOGY, AXLF_MEM_TOPOLOGY,
	    &banks)) {
		xclbin_mend(k, next);
		health_judge(c, HEALTH_FAIL, next, "there is neither "
		    "MEM_TOPOLOGY nor GROUP_TOPOLOGY");
	} else {
		m = (struct connections){ .banks = axlf_memory_list(banks),
		    .links = axlf_connection_list(links) };
		judge(k, &m, c);
	}
}
