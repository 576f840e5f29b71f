// SPDX-License-Identifier: Apache-2.0
/* memory.c - the check of which memory each argument lies in. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "diagnose/xclbin/impl.h"

#define NEXT_AGAIN "# correct the kernels, and pack the file again"

struct connections {
	struct axlf_list banks, links;
	struct axlf_connection *sorted;		/* links->n */
	/* Of the instruction stream, if there is a sound one. */
	bool runs;		/* a kernel has all its buffers in a memory */
	const struct dpu_kernel *loose;		/* a kernel that lacks one;
						   NULL: none does */
	unsigned loose_buffer;
};

/* The first of two sections that is there. */
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

/* The greatest number of arguments that a kernel has. */
static uint64_t
most_arguments(const struct xclbin_case *k)
{
	uint64_t most = 0, id;

	for (size_t i = 0; i < k->x.kernels.n; i++) {
		const struct dpu_kernel *kernel = &k->x.kernels.kernel[i];

		for (size_t n = 0; n < kernel->arguments; n++)
			if (xclbin_argument_id(&kernel->argument[n], &id) &&
			    id >= most)
				most = id + 1;
	}
	return most;
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

/* The instructions must have a memory; another pointer without one is a fault
 * only if the instructions use it. */
static void
judge_entry(const struct connections *m, uint32_t ip,
    const struct dpu_kernel *k, struct health_check *c)
{
	for (size_t i = 0; i < k->arguments; i++) {
		const struct dpu_argument *a = &k->argument[i];
		bool instructions = strncmp(a->name, "instr", 5) == 0;
		uint64_t id;

		if (!dpu_is_pointer(strtoul(a->qualifier, NULL, 10)) ||
		    !xclbin_argument_id(a, &id) || is_connected(m, ip, id) ||
		    (!instructions && c->verdict != HEALTH_OK))
			continue;
		health_judge(c, instructions ? HEALTH_FAIL : HEALTH_WARN,
		    NEXT_AGAIN, "argument '%.40s' of kernel '%.60s' is "
		    "connected to no memory", a->name, k->name);
		return;
	}
}

/* Notes whether the kernel of an entry has all buffers of the stream in a
 * memory.  A kernel with too few buffers is not one to run the stream. */
static void
try_stream(struct connections *m, uint32_t ip, const struct dpu_kernel *k,
    const struct txn *t)
{
	struct xclbin_buffers b;

	xclbin_find_buffers(k, &b);
	if (t->arguments > b.n)
		return;
	for (size_t i = 0; i < t->n_buffers; i++)
		if (!is_connected(m, ip, b.id[t->buffers[i].argument])) {
			m->loose = k;
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
	for (uint32_t i = 0; i < k->x.ips.n && c->verdict != HEALTH_FAIL;
	    i++) {
		struct axlf_ip ip = axlf_ip(&k->x.ips, i);
		const struct dpu_kernel *kernel = xclbin_kernel_of(k, &ip);

		if (kernel == NULL)
			continue;
		judge_entry(m, i, kernel, c);
		if (k->stream != NULL && k->stream->broken.code == 0 &&
		    !m->runs)
			try_stream(m, i, kernel, &k->stream->txn);
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
	for (uint32_t i = 0; k->metadata && i < m->links.n; i++)
		if (!judge_link(k, m, i, arguments, c))
			return;
	if (k->layout)
		judge_entries(k, m, c);
}

void
xclbin_check_memory(struct xclbin_case *k, struct health_check *c)
{
	char next[HEALTH_TEXT];
	struct bytes banks, links;
	struct connections m;

	if (!either(k, AXLF_GROUP_CONNECTIVITY, AXLF_CONNECTIVITY, &links)) {
		xclbin_kernels_command(k, next);
		health_judge(c, HEALTH_FAIL, k->metadata ? next : "", "there "
		    "is neither CONNECTIVITY nor GROUP_CONNECTIVITY: libxrt "
		    "crashes");
	} else if (!either(k, AXLF_GROUP_TOPOLOGY, AXLF_MEM_TOPOLOGY,
	    &banks)) {
		xclbin_pack_command(k, XCLBIN_ADD_BANKS, next);
		health_judge(c, HEALTH_FAIL, next, "there is neither "
		    "MEM_TOPOLOGY nor GROUP_TOPOLOGY");
	} else {
		m = (struct connections){ .banks = axlf_memory_list(banks),
		    .links = axlf_connection_list(links) };
		judge(k, &m, c);
	}
}
