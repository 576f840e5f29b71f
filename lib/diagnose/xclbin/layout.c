// SPDX-License-Identifier: Apache-2.0
/* layout.c - checks IP_LAYOUT, and that a PDI contains each kernel. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "diagnose/xclbin/impl.h"

#define NEXT_AGAIN "# correct the kernels, and pack the file again"

/* ---- Names of entries -------------------------------------------------- */

static int
by_text(const void *p, const void *q)
{
	const char *const *a = p, *const *b = q;

	return strcmp(*a, *b);
}

/* Judges whether two entries have the same name.  All names must end with a
 * NUL. */
static void
judge_equal(struct xclbin_case *k, struct health_check *c)
{
	const struct axlf_list *l = &k->x.ips;
	const char **name = xclbin_alloc(k, l->n, sizeof(*name));

	if (name == NULL)
		return;
	for (uint32_t i = 0; i < l->n; i++)
		name[i] = (const char *)l->data.p + l->head +
		    (size_t)i * l->entry + 16;
	qsort(name, l->n, sizeof(*name), by_text);
	for (uint32_t i = 1; i < l->n && c->verdict != HEALTH_FAIL; i++)
		if (strcmp(name[i - 1], name[i]) == 0)
			health_judge(c, HEALTH_FAIL, NEXT_AGAIN, "two entries "
			    "are called '%s': libxrt crashes", name[i]);
	free(name);
}

/* Judges which entries belong to a kernel that libxrt accepts. */
static void
judge_units(struct xclbin_case *k, struct health_check *c)
{
	if (xclbin_find_units(&k->units, &k->x) < 0)
		k->no_memory = true;
	else if (k->units.n == 0)
		health_judge(c, HEALTH_FAIL, NEXT_AGAIN, "no entry is called "
		    "'%.60s:INSTANCE', after a kernel", k->first->name);
	else if (k->units.more)
		health_judge(c, HEALTH_FAIL, NEXT_AGAIN, "more than %d entries "
		    "are called KERNEL:INSTANCE, after a kernel: the driver "
		    "takes no more", XCLBIN_UNITS);
}

static void
judge(struct xclbin_case *k, struct health_check *c)
{
	const struct axlf_list *l = &k->x.ips;

	health_judge(c, HEALTH_OK, "", "%" PRIu32 " entr%s", l->n,
	    l->n == 1 ? "y" : "ies");
	if ((uint32_t)l->count > l->room)
		health_judge(c, HEALTH_WARN, "", "%" PRId32 " entries, and "
		    "room for %" PRIu32, l->count, l->room);
	for (uint32_t i = 0; i < l->n; i++)
		if (!axlf_ip(l, i).ended) {
			health_judge(c, HEALTH_FAIL, NEXT_AGAIN, "the name of "
			    "entry %" PRIu32 " does not end within 64 bytes",
			    i);
			return;
		}
	judge_equal(k, c);
	if (c->verdict != HEALTH_FAIL && k->metadata)
		judge_units(k, c);
}

void
xclbin_check_layout(struct xclbin_case *k, struct health_check *c)
{
	const struct axlf_list *l = &k->x.ips;
	char next[HEALTH_NEXT];
	struct bytes data;

	if (!xclbin_section(k, AXLF_IP_LAYOUT, &data)) {
		xclbin_mend(k, next);
		health_judge(c, HEALTH_FAIL, next, "it lacks IP_LAYOUT, "
		    "which has the kernels' instances");
	} else if (l->n == 0) {
		health_judge(c, HEALTH_FAIL, NEXT_AGAIN, l->count <= 0 ?
		    "%" PRId32 " entries" : "%" PRId32 " entries, and room "
		    "for none", l->count);
	} else {
		judge(k, c);
	}
	k->layout = c->verdict != HEALTH_FAIL && k->metadata;
}

/* ---- Kernels in PDIs --------------------------------------------------- */

static int
by_number(const void *p, const void *q)
{
	const uint64_t *a = p, *b = q;

	return (*a > *b) - (*a < *b);
}

static void
add_id(void *arg, const struct axlf_pdi *pdi, uint64_t id)
{
	uint64_t **to = arg;

	(void)pdi;
	*(*to)++ = id;
}

/* Returns the ids of all kernels in PDIs, sorted; the section limits their
 * number. */
static uint64_t *
ids_of_pdis(struct xclbin_case *k, size_t *n)
{
	const struct axlf_partition *p = &k->x.partition;
	uint64_t *ids = xclbin_alloc(k, p->data.n / 8, sizeof(*ids));
	uint64_t *end = ids;

	if (ids == NULL)
		return NULL;
	axlf_each_kernel(p, add_id, &end);
	*n = (size_t)(end - ids);
	qsort(ids, *n, sizeof(*ids), by_number);
	return ids;
}

static void
judge_id(const struct dpu_kernel *kernel, const uint64_t *ids, size_t n,
    struct health_check *c)
{
	uint64_t id;

	if (kernel->id == NULL || !dpu_number(kernel->id, &id, NULL))
		health_judge(c, HEALTH_FAIL, NEXT_AGAIN, "kernel '%.60s' has "
		    "no dpu_kernel_id: its <extended-data> is missing",
		    kernel->name);
	else if (bsearch(&id, ids, n, sizeof(*ids), by_number) == NULL)
		health_judge(c, HEALTH_FAIL, NEXT_AGAIN, "kernel '%.60s' has "
		    "the id 0x%" PRIx64 ", which no group of a PDI has",
		    kernel->name, id);
}

void
xclbin_check_kernel(struct xclbin_case *k, struct health_check *c)
{
	size_t n;
	uint64_t *ids;

	if (!k->layout || !k->partition) {
		health_judge(c, HEALTH_SKIP, "", "it needs the partition, the "
		    "metadata and the layout");
		return;
	}
	if ((ids = ids_of_pdis(k, &n)) == NULL)
		return;
	health_judge(c, HEALTH_OK, "", "each kernel is in a PDI");
	for (size_t i = 0; i < k->units.n && c->verdict == HEALTH_OK; i++)
		judge_id(k->units.unit[i].kernel, ids, n, c);
	free(ids);
}
