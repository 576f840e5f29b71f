// SPDX-License-Identifier: Apache-2.0
/* container.c - checks the header and the table of sections. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "diagnose/xclbin/impl.h"
#include "model/axlf_names.h"
#include "model/foreign.h"

#define NEXT_AGAIN "# copy or build the file again"

void
xclbin_check_file(struct xclbin_case *k, struct health_check *c)
{
	const struct axlf *a = &k->x.axlf;

	if (k->header.code != 0)
		health_judge(c, HEALTH_FAIL, foreign_is_lfs_pointer(k->file) ?
		    "git lfs pull" : NEXT_AGAIN, "%s", k->header.msg);
	else if (a->length != k->file.n)
		health_judge(c, HEALTH_FAIL, NEXT_AGAIN, "the header says "
		    "%" PRIu64 " bytes, the file has %zu", a->length,
		    k->file.n);
	else
		health_judge(c, HEALTH_OK, "", "xclbin2, %zu bytes, version "
		    "%u.%u.%u", k->file.n, a->major, a->minor, a->patch);
	k->header.code = c->verdict == HEALTH_FAIL ? NPU_EFORMAT : 0;
}

/* ---- Sections ---------------------------------------------------------- */

static const char *
kind_name(const struct axlf_section *s, char number[24])
{
	const char *name = axlf_name(&axlf_kinds, s->kind);

	snprintf(number, 24, "kind %" PRIu32, s->kind);
	return name != NULL ? name : number;
}

/* Finds the first section that runs past the end; returns false if none
 * does. */
static bool
find_cut(const struct axlf *a, struct axlf_section *s)
{
	for (uint32_t i = 0; axlf_section(a, i, s); i++)
		if (!s->whole)
			return true;
	return false;
}

static int
by_place(const void *p, const void *q)
{
	const struct axlf_section *a = p, *b = q;

	return (a->at > b->at) - (a->at < b->at);
}

/* Returns all sections that have bytes, sorted by offset. */
static struct axlf_section *
sorted(struct xclbin_case *k, size_t *n)
{
	const struct axlf *a = &k->x.axlf;
	struct axlf_section *all = xclbin_alloc(k, a->sections, sizeof(*all));

	*n = 0;
	for (uint32_t i = 0; all != NULL && axlf_section(a, i, &all[*n]); i++)
		*n += all[*n].size > 0;
	if (all != NULL)
		qsort(all, *n, sizeof(*all), by_place);
	return all;
}

/* Reports unusual offsets of sections. */
static void
judge_places(struct xclbin_case *k, struct health_check *c)
{
	uint64_t head = AXLF_HEADER + (uint64_t)k->x.axlf.sections *
	    AXLF_SECTION_HEADER;
	struct axlf_section *all;
	char one[24], other[24];
	size_t n;

	if ((all = sorted(k, &n)) == NULL)
		return;
	health_judge(c, HEALTH_OK, "", "%" PRIu32, k->x.axlf.sections);
	if (n > 0 && all[0].at < head)
		health_judge(c, HEALTH_WARN, "", "%s begins in the header, at "
		    "%" PRIu64, kind_name(&all[0], one), all[0].at);
	for (size_t i = 1; i < n && c->verdict == HEALTH_OK; i++)
		if (all[i].at - all[i - 1].at < all[i - 1].size)
			health_judge(c, HEALTH_WARN, "", "%s and %s overlap "
			    "at %" PRIu64, kind_name(&all[i - 1], one),
			    kind_name(&all[i], other), all[i].at);
	free(all);
}

void
xclbin_check_sections(struct xclbin_case *k, struct health_check *c)
{
	const struct axlf *a = &k->x.axlf;
	struct axlf_section s;
	char number[24];

	if (a->sections == 0)
		health_judge(c, HEALTH_FAIL, NEXT_AGAIN, "it has none");
	else if (a->sections > AXLF_MOST_SECTIONS)
		health_judge(c, HEALTH_FAIL, NEXT_AGAIN, "%" PRIu32 " are "
		    "more than %d", a->sections, AXLF_MOST_SECTIONS);
	else if (!axlf_section(a, a->sections - 1, &s))
		health_judge(c, HEALTH_FAIL, NEXT_AGAIN, "the table of %"
		    PRIu32 " runs past the end of the file", a->sections);
	else if (find_cut(a, &s))
		health_judge(c, HEALTH_FAIL, NEXT_AGAIN, "%s, %" PRIu64
		    " bytes at %" PRIu64 ", runs past the end of the file",
		    kind_name(&s, number), s.size, s.at);
	else
		judge_places(k, c);
	k->sections = c->verdict != HEALTH_FAIL;
}
