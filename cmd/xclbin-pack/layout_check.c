// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdlib.h>

#include "base/err.h"
#include "layout_check.h"
#include "model/axlf_lists.h"
#include "model/axlf_partition.h"

/* ---- Names ------------------------------------------------------------- */

struct entry_name {
	char text[65];
	uint32_t index;
};

static int
by_text(const void *p, const void *q)
{
	const struct entry_name *a = p, *b = q;
	int d = strcmp(a->text, b->text);

	return d != 0 ? d : (a->index > b->index) - (a->index < b->index);
}

/* Fails if two entries have the same name: libxrt 2.25.0 crashes on them. */
static int
check_names(const struct axlf_list *ips, bool merged, struct npu_err *err)
{
	struct entry_name *all = calloc(ips->n + (size_t)1, sizeof(*all));
	int rc = 0;

	if (all == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	for (uint32_t i = 0; i < ips->n; i++) {
		struct axlf_ip ip = axlf_ip(ips, i);

		memcpy(all[i].text, ip.name, sizeof(all[i].text));
		all[i].index = i;
	}
	qsort(all, ips->n, sizeof(*all), by_text);
	for (uint32_t i = 1; i < ips->n && rc == 0; i++)
		if (strcmp(all[i].text, all[i - 1].text) == 0)
			rc = npu_fail(err, NPU_EFORMAT, "IP_LAYOUT: entries %"
			    PRIu32 " and %" PRIu32 " have the same name, '%s'; "
			    "%s",
			    all[i - 1].index, all[i].index, all[i].text,
			    merged ? "add --remove-section=IP_LAYOUT, or give "
			    "the new kernels other names" :
			    "give each kernel's instance its own");
	free(all);
	return rc;
}

/* ---- Ids --------------------------------------------------------------- */

enum { IDS = 1 << 12 };

static void
note_id(void *arg, const struct axlf_pdi *pdi, uint64_t id)
{
	bool *has = arg;

	(void)pdi;
	if (id < IDS)
		has[id] = true;
}

/* Sets has[id] for each kernel id in the groups of a partition. */
static void
note_ids(const struct draft_section *s, bool has[IDS])
{
	struct axlf_partition p;

	if (axlf_partition_read(&p, section_bytes(s), NULL) == 0)
		axlf_each_kernel(&p, note_id, has);
}

static int
check_ids(const struct axlf_list *ips, const bool has[IDS],
    struct npu_err *err)
{
	for (uint32_t i = 0; i < ips->n; i++) {
		struct axlf_ip ip = axlf_ip(ips, i);

		if (ip.type == AXLF_IP_PS_KERNEL &&
		    ip.subtype == AXLF_SUBTYPE_DPU && !has[ip.id])
			return npu_fail(err, NPU_EFORMAT, "IP_LAYOUT: entry %"
			    PRIu32 ", '%s', has the kernel id 0x%" PRIx32
			    ", which is not among the dpu_kernel_ids of "
			    "AIE_PARTITION", i, ip.name, ip.id);
	}
	return 0;
}

int
layout_check(const struct draft *c, bool merged, struct npu_err *err)
{
	const struct draft_section *layout = draft_find(c, AXLF_IP_LAYOUT);
	bool has[IDS] = { false }, made = false;
	struct axlf_list ips;
	int rc;

	if (layout == NULL)
		return 0;
	ips = axlf_ip_list(section_bytes(layout));
	if (layout->made && (rc = check_names(&ips, merged, err)) < 0)
		return rc;
	for (size_t i = 0; i < c->n; i++)
		if (c->section[i].kind == AXLF_AIE_PARTITION) {
			note_ids(&c->section[i], has);
			made |= c->section[i].made;
		}
	return made ? check_ids(&ips, has, err) : 0;
}
