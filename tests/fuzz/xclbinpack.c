// SPDX-License-Identifier: Apache-2.0
/*
 * A JSON document for xclbin-pack.  Each section that it describes is refused
 * with a message, or made: then it has as many entries as the document, and no
 * number in it leads past an end.  Reading a container with these sections
 * gives the same sections.
 */
#include <jansson.h>
#include <stdlib.h>

#include "bank_groups.h"
#include "base/err.h"
#include "draft.h"
#include "dies.h"
#include "diagnose/xclbin/xclbin.h"
#include "kernels_json.h"
#include "layout_check.h"
#include "list_bytes.h"
#include "lists_json.h"
#include "mirror.h"
#include "model/axlf_partition.h"
#include "partition_json.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

const struct program program = { .name = "xclbinpack" };

static struct bytes
bytes_of(const struct buf *b)
{
	return (struct bytes){ (const uint8_t *)b->p, b->n };
}

/* A refusal has a reason, which is not an error of the operating system. */
static bool
made(int rc, const struct npu_err *err)
{
	if (rc == 0)
		return true;
	if (rc != NPU_EFORMAT || err->code != rc || *err->msg == '\0')
		abort();
	return false;
}

/* ---- A container ------------------------------------------------------- */

/* Writes the container, checks it and reads it back. */
static void
write_and_read(struct draft *c)
{
	struct health_check checks[XCLBIN_CHECKS];
	struct buf mirror = { 0 }, file = { 0 };
	struct draft again;

	layout_check(c, c->n % 2 == 0, NULL);
	mirror_write(c, &mirror);
	draft_write(c, &mirror, false, &file);
	if (xclbin_check(bytes_of(&file), "x", checks, NULL) < 0 ||
	    draft_read(&again, bytes_of(&file), NULL) < 0 ||
	    again.n != c->n)
		abort();
	for (size_t i = 0; i < c->n; i++)
		if (again.section[i].kind != c->section[i].kind ||
		    again.section[i].data.n != c->section[i].data.n ||
		    (c->section[i].data.n > 0 &&
		    memcmp(again.section[i].data.p, c->section[i].data.p,
		    c->section[i].data.n) != 0))
			abort();
	draft_free(&again);
	buf_free(&mirror);
	buf_free(&file);
}

/* ---- Lists ------------------------------------------------------------- */

static void
check_list(uint32_t kind, const struct buf *b, size_t entries)
{
	struct axlf_list l = { 0 };

	if (kind == AXLF_KEYVALUE_METADATA)
		return;
	l = kind == AXLF_IP_LAYOUT ? axlf_ip_list(bytes_of(b)) :
	    kind == AXLF_MEM_TOPOLOGY || kind == AXLF_GROUP_TOPOLOGY ?
	    axlf_memory_list(bytes_of(b)) : axlf_connection_list(bytes_of(b));
	if (b->n == 0 ? entries != 0 : l.n != entries ||
	    l.count != (int32_t)l.n || l.room != l.n)
		abort();
}

static size_t
entries_of(const json_t *root, const char *node)
{
	static const char *const lists[] = { "m_mem_data", "m_ip_data",
	    "m_connection" };
	const json_t *o = json_object_get(root, node);

	for (size_t i = 0; i < 3; i++)
		if (json_object_get(o, lists[i]) != NULL)
			return json_array_size(json_object_get(o, lists[i]));
	return 0;
}

static void
add_lists(const json_t *root, struct draft *c)
{
	struct npu_err err;

	for (uint32_t kind = 0; kind < 40; kind++) {
		const struct list_form *form = list_form_of(kind);
		struct buf b = { 0 };

		if (form == NULL)
			continue;
		if (made(form->from_json(root, form->node, &b, &err), &err)) {
			check_list(kind, &b, entries_of(root, form->node));
			draft_add(c, kind, "list", "", &b);
		}
		buf_free(&b);
	}
}

static void
add_groups(struct draft *c)
{
	const struct draft_section *m = draft_find(c, AXLF_MEM_TOPOLOGY);
	const struct draft_section *t = draft_find(c, AXLF_CONNECTIVITY);
	struct buf b = { 0 };
	struct npu_err err;

	if (m == NULL || t == NULL)
		return;
	if (made(bank_groups(section_bytes(t), section_bytes(m), &b, &err),
	    &err) && axlf_connection_list(bytes_of(&b)).n !=
	    2 * axlf_connection_list(section_bytes(t)).n)
		abort();
	buf_free(&b);
}

/* ---- A partition ------------------------------------------------------- */

/* The contents of a PDI are its name. */
static int
load(void *arg, const char *name, size_t limit, struct buf *out,
    struct npu_err *err)
{
	(void)arg;
	if (strlen(name) > limit)
		return npu_fail(err, NPU_EFORMAT, "longer than its limit");
	buf_add(out, name, strlen(name));
	return 0;
}

static void
check_pdi(const struct axlf_partition *p, const struct axlf_pdi *pdi,
    const json_t *o)
{
	const char *name = json_string_value(json_object_get(o, "file_name"));
	struct axlf_group g;
	struct bytes text;

	if (!axlf_image(p, pdi, &text) || text.n != strlen(name) ||
	    memcmp(text.p, name, text.n) != 0 || pdi->groups.count !=
	    json_array_size(json_object_get(o, "cdo_groups")))
		abort();
	for (uint32_t i = 0; i < pdi->groups.count; i++)
		if (!axlf_group(p, pdi, i, &g) ||
		    !axlf_text(p, g.name_at, &text) ||
		    !axlf_array_fits(p, &g.kernels, 8) ||
		    !axlf_array_fits(p, &g.before, 8))
			abort();
}

static void
add_partition(const json_t *root, struct draft *c)
{
	const struct pdi_source source = { load, NULL };
	const json_t *pdis = json_object_get(json_object_get(root,
	    "aie_partition"), "PDIs");
	struct axlf_partition p;
	struct buf b = { 0 };
	struct axlf_pdi pdi;
	struct npu_err err;

	if (made(partition_from_json(root, "label", &source, &b, &err), &err)) {
		if (b.n % 8 != 0 ||
		    axlf_partition_read(&p, bytes_of(&b), NULL) < 0 ||
		    p.pdis.count != json_array_size(pdis) ||
		    !axlf_array_fits(&p, &p.start_columns, 2))
			abort();
		for (uint32_t i = 0; i < p.pdis.count; i++) {
			if (!axlf_pdi(&p, i, &pdi))
				abort();
			check_pdi(&p, &pdi, json_array_get(pdis, i));
		}
		draft_add(c, AXLF_AIE_PARTITION, "p", "label", &b);
	}
	buf_free(&b);
}

/* ---- Kernels ----------------------------------------------------------- */

static void
check_kernels(const struct kernel_sections *k)
{
	struct axlf_list ips = axlf_ip_list(bytes_of(&k->ips));
	struct axlf_list all = axlf_connection_list(bytes_of(&k->connections));

	if (ips.n != k->n_ips || all.n != k->n_connections)
		abort();
	for (uint32_t i = 0; i < all.n; i++) {
		struct axlf_connection one = axlf_connection(&all, i);

		if (one.ip < 0 || (uint32_t)one.ip >= ips.n ||
		    one.memory < 0 || (uint32_t)one.memory >= k->memories.n ||
		    k->connected.p[one.memory] != 1)
			abort();
	}
}

static void
add_kernels(const json_t *root, struct draft *c)
{
	const struct draft_section *m = draft_find(c, AXLF_MEM_TOPOLOGY);
	const struct draft_section *ip = draft_find(c, AXLF_IP_LAYOUT);
	const struct bytes none = { NULL, 0 };
	struct kernel_sections k;
	struct npu_err err;

	kernels_begin(&k, ip != NULL ? section_bytes(ip) : none,
	    m != NULL ? section_bytes(m) : none);
	if (made(kernels_add(&k, root, &err), &err) &&
	    made(kernels_end(&k, &err), &err)) {
		check_kernels(&k);
		draft_add(c, AXLF_EMBEDDED_METADATA, "", "", &k.xml);
	}
	kernels_free(&k);
}

static void
pack(void *arg)
{
	struct draft c;

	draft_begin(&c);
	add_lists(arg, &c);
	add_groups(&c);
	add_partition(arg, &c);
	add_kernels(arg, &c);
	write_and_read(&c);
	draft_free(&c);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	json_t *root = json_loadb((const char *)p, n, JSON_REJECT_DUPLICATES,
	    NULL);

	if (root != NULL)
		pack(root);
	json_decref(root);
	return 0;
}
