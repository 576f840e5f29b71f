// SPDX-License-Identifier: Apache-2.0
/* partition.c - checks AIE_PARTITION and its PDIs. */
#include <inttypes.h>
#include <string.h>

#include "diagnose/xclbin/impl.h"

enum {
	MOST_PDI = 128 << 20,		/* bytes: libxrt's limit */
	MOST_COLUMNS = 8,		/* of any device: xdna-run(1) */
};

#define NEXT_AGAIN "# build the file again"

/* Judges an array with items of size bytes; returns false if it does not
 * fit. */
static bool
judge_array(const struct axlf_partition *p, const struct axlf_array *a,
    size_t size, const char *what, struct health_check *c)
{
	struct npu_err err;

	if (axlf_array_check(p, a, size, what, &err) == 0)
		return true;
	health_judge(c, HEALTH_FAIL, NEXT_AGAIN, "%s", err.msg);
	return false;
}

static bool
judge_name(const struct axlf_partition *p, uint32_t at, const char *what,
    struct health_check *c)
{
	struct bytes text;

	if (axlf_text(p, at, &text))
		return true;
	health_judge(c, HEALTH_FAIL, NEXT_AGAIN, "the name of %s, at %" PRIu32
	    ", does not end in the section, %zu", what, at, p->data.n);
	return false;
}

/* Warns about a group that is unusual but harmless. */
static void
warn_group(const struct axlf_partition *p, const struct axlf_group *g,
    struct health_check *c)
{
	if (!axlf_array_fits(p, &g->before, 8))
		health_judge(c, HEALTH_WARN, "", "the groups before group 0x%"
		    PRIx64 " run past the end of the section", g->id);
}

/* Returns false after a failure. */
static bool
judge_pdi(const struct axlf_partition *p, const struct axlf_pdi *pdi,
    struct health_check *c)
{
	struct axlf_group g;

	if (!judge_array(p, &pdi->image, 1, "a PDI", c) ||
	    !judge_array(p, &pdi->groups, AXLF_GROUP_SIZE, "groups", c))
		return false;
	if (pdi->image.count > MOST_PDI) {
		health_judge(c, HEALTH_FAIL, NEXT_AGAIN, "a PDI of %" PRIu32
		    " bytes; libxrt takes %d", pdi->image.count, MOST_PDI);
		return false;
	}
	for (uint32_t i = 0; axlf_group(p, pdi, i, &g); i++) {
		if (!judge_name(p, g.name_at, "a group", c) ||
		    !judge_array(p, &g.kernels, 8, "kernel ids", c))
			return false;
		warn_group(p, &g, c);
	}
	return true;
}

static void
judge_columns(const struct axlf_partition *p, struct health_check *c)
{
	if (p->columns == 0 || p->columns > MOST_COLUMNS)
		health_judge(c, HEALTH_FAIL, NEXT_AGAIN, "%u columns: the "
		    "driver takes 1 to %d", p->columns, MOST_COLUMNS);
}

/* Returns whether a second partition follows the first; only the first one
 * counts. */
static bool
has_second(const struct axlf *a)
{
	struct axlf_section s;
	int n = 0;

	for (uint32_t i = 0; axlf_section(a, i, &s); i++)
		n += s.kind == AXLF_AIE_PARTITION;
	return n > 1;
}

static void
judge(struct xclbin_case *k, struct health_check *c)
{
	const struct axlf_partition *p = &k->x.partition;
	struct axlf_pdi pdi;
	struct bytes text;

	health_judge(c, HEALTH_OK, "", "%u column%s, %" PRIu32 " PDI%s",
	    p->columns, p->columns == 1 ? "" : "s", p->pdis.count,
	    p->pdis.count == 1 ? "" : "s");
	if (p->pdis.count == 0)
		health_judge(c, HEALTH_FAIL, NEXT_AGAIN, "it lacks a PDI");
	else if (judge_name(p, p->name_at, "the partition", c) &&
	    judge_array(p, &p->start_columns, 2, "start columns", c) &&
	    judge_array(p, &p->pdis, AXLF_PDI_SIZE, "PDIs", c)) {
		if (has_second(&k->x.axlf))
			health_judge(c, HEALTH_WARN, "", "there are two; the "
			    "first counts");
		if (!axlf_text(p, p->commit_at, &text))
			health_judge(c, HEALTH_WARN, "", "the commit id, at %"
			    PRIu32 ", does not end in the section",
			    p->commit_at);
		for (uint32_t i = 0; axlf_pdi(p, i, &pdi); i++)
			if (!judge_pdi(p, &pdi, c))
				return;
		judge_columns(p, c);
	}
}

void
xclbin_check_partition(struct xclbin_case *k, struct health_check *c)
{
	char next[HEALTH_NEXT];
	struct bytes data;

	if (!xclbin_section(k, AXLF_AIE_PARTITION, &data)) {
		xclbin_mend(k, next);
		health_judge(c, HEALTH_FAIL, next, "it lacks "
		    "AIE_PARTITION, which has the PDIs; nothing uses a section "
		    "PDI");
	} else if (!k->x.has_partition) {
		health_judge(c, HEALTH_FAIL, NEXT_AGAIN, "%s",
		    k->x.partition_err.msg);
	} else {
		judge(k, c);
	}
	k->partition = c->verdict != HEALTH_FAIL;
}

/* ---- PDIs -------------------------------------------------------------- */

/* These bytes were seen at the start of 63 of 64 PDIs, for AIE2 and for
 * AIE2P. */
static bool
looks_like_pdi(struct bytes image)
{
	static const uint8_t start[16] = { 0xdd, 0, 0, 0, 0x44, 0x33, 0x22,
	    0x11, 0x88, 0x77, 0x66, 0x55, 0xcc, 0xbb, 0xaa, 0x99 };

	return image.n >= sizeof(start) &&
	    memcmp(image.p, start, sizeof(start)) == 0;
}

void
xclbin_check_pdi(struct xclbin_case *k, struct health_check *c)
{
	const struct axlf_partition *p = &k->x.partition;
	struct axlf_pdi pdi;
	struct bytes image;
	uint64_t all = 0;

	if (!k->partition) {
		health_judge(c, HEALTH_SKIP, "", "it needs the partition");
		return;
	}
	for (uint32_t i = 0; axlf_pdi(p, i, &pdi); i++) {
		all += pdi.image.count;
		if (pdi.image.count == 0) {
			health_judge(c, HEALTH_FAIL, NEXT_AGAIN, "PDI %" PRIu32
			    " has 0 bytes", i);
			return;
		}
		if (axlf_image(p, &pdi, &image) && !looks_like_pdi(image) &&
		    c->finding[0] == '\0')
			health_judge(c, HEALTH_WARN, NEXT_AGAIN, "PDI %" PRIu32
			    " of %" PRIu32 " bytes does not begin as a PDI "
			    "does; the firmware may refuse it", i,
			    pdi.image.count);
	}
	if (c->finding[0] == '\0')
		health_judge(c, HEALTH_OK, "", "%" PRIu32 ", %" PRIu64
		    " bytes in all", p->pdis.count, all);
}
