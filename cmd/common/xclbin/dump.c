// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/err.h"
#include "dump.h"
#include "key_values.h"
#include "model/axlf_lists.h"
#include "model/axlf_names.h"
#include "model/axlf_partition.h"

/* ---- Values ------------------------------------------------------------ */

/* Adds a number as a text. */
static void number(struct json *j, const char *key, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static void
number(struct json *j, const char *key, const char *fmt, ...)
{
	char text[32];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	json_key(j, key);
	json_str(j, text);
}

/* Adds the name of a number, or "UNKNOWN (9)" for a number without a name. */
static void
named(struct json *j, const char *key, const struct axlf_names *of, uint32_t n)
{
	const char *name = axlf_name(of, n);

	if (name == NULL) {
		number(j, key, "UNKNOWN (%" PRIu32 ")", n);
		return;
	}
	json_key(j, key);
	json_str(j, name);
}

static void
text(struct json *j, const char *key, const char *s)
{
	json_key(j, key);
	json_str(j, s);
}

/* Adds the length of a list, and begins its entries. */
static int
begin_list(struct json *j, const char *name, const struct axlf_list *l,
    const char *entries, struct npu_err *err)
{
	if (l->count < 0 || l->n < (uint32_t)l->count)
		return npu_fail(err, NPU_EFORMAT, "%" PRId32 " entries, and "
		    "its %zu bytes have room for %" PRIu32, l->count,
		    l->data.n, l->room);
	json_key(j, name);
	json_object(j);
	number(j, "m_count", "%" PRId32, l->count);
	json_key(j, entries);
	json_array(j);
	return 0;
}

static void
end_list(struct json *j)
{
	json_end_array(j);
	json_end_object(j);
}

/* ---- Lists ------------------------------------------------------------- */

static int
put_memories(struct json *j, const char *name, struct bytes data,
    struct npu_err *err)
{
	struct axlf_list l = axlf_memory_list(data);
	int rc;

	if ((rc = begin_list(j, name, &l, "m_mem_data", err)) < 0)
		return rc;
	for (uint32_t i = 0; i < l.n; i++) {
		struct axlf_memory m = axlf_memory(&l, i);

		json_object(j);
		named(j, "m_type", &axlf_memories, m.type);
		number(j, "m_used", "%u", m.used);
		number(j, "m_sizeKB", "0x%" PRIx64, m.kib);
		text(j, "m_tag", m.tag);
		number(j, "m_base_address", "0x%" PRIx64, m.base);
		json_end_object(j);
	}
	end_list(j);
	return 0;
}

/* Adds the properties of an entry, in the form for its type. */
static void
put_properties(struct json *j, const struct axlf_ip *ip)
{
	uint32_t p = ip->properties;

	if (ip->type == AXLF_IP_PS_KERNEL && ip->subtype == AXLF_SUBTYPE_DPU) {
		named(j, "m_subtype", &axlf_subtypes, ip->subtype);
		named(j, "m_functional", &axlf_functionals, ip->functional);
		number(j, "m_kernel_id", "0x%" PRIx32, ip->id);
	} else if (ip->type == AXLF_IP_KERNEL) {
		number(j, "m_int_enable", "%" PRIu32, p & 1);
		number(j, "m_interrupt_id", "%" PRIu32, p >> 1 & 0x7f);
		named(j, "m_ip_control", &axlf_controls, p >> 8 & 0xff);
	} else if (ip->type >= AXLF_IP_MEM_DDR4 &&
	    ip->type <= AXLF_IP_MEM_HBM_ECC) {
		number(j, "m_index", "%" PRIu32, p & 0xffff);
		number(j, "m_pc_index", "%" PRIu32, p >> 16 & 0xff);
	} else {
		number(j, "properties", "0x%" PRIx32, p);
	}
}

static void
put_ip(struct json *j, const struct axlf_ip *ip)
{
	json_object(j);
	named(j, "m_type", &axlf_ips, ip->type);
	put_properties(j, ip);
	if (ip->base == AXLF_NOT_USED)
		text(j, "m_base_address", "not_used");
	else
		number(j, "m_base_address", "0x%" PRIx64, ip->base);
	text(j, "m_name", ip->name);
	json_end_object(j);
}

static int
put_ips(struct json *j, const char *name, struct bytes data,
    struct npu_err *err)
{
	struct axlf_list l = axlf_ip_list(data);
	int rc;

	if ((rc = begin_list(j, name, &l, "m_ip_data", err)) < 0)
		return rc;
	for (uint32_t i = 0; i < l.n; i++) {
		struct axlf_ip ip = axlf_ip(&l, i);

		put_ip(j, &ip);
	}
	end_list(j);
	return 0;
}

static int
put_connections(struct json *j, const char *name, struct bytes data,
    struct npu_err *err)
{
	struct axlf_list l = axlf_connection_list(data);
	int rc;

	if ((rc = begin_list(j, name, &l, "m_connection", err)) < 0)
		return rc;
	for (uint32_t i = 0; i < l.n; i++) {
		struct axlf_connection c = axlf_connection(&l, i);

		json_object(j);
		number(j, "arg_index", "%" PRId32, c.argument);
		number(j, "m_ip_layout_index", "%" PRId32, c.ip);
		number(j, "mem_data_index", "%" PRId32, c.memory);
		json_end_object(j);
	}
	end_list(j);
	return 0;
}

/* ---- AIE_PARTITION ----------------------------------------------------- */

static int
put_text_at(struct json *j, const char *key, const struct axlf_partition *p,
    uint32_t at, struct npu_err *err)
{
	struct bytes s;

	if (!axlf_text(p, at, &s))
		return npu_fail(err, NPU_EFORMAT, "%s: no text ends after "
		    "offset %" PRIu32 " of %zu", key, at, p->data.n);
	json_key(j, key);
	json_strn(j, (const char *)s.p, s.n);
	return 0;
}

static int
put_numbers(struct json *j, const char *key, const struct axlf_partition *p,
    const struct axlf_array *a, struct npu_err *err)
{
	char hex[32];
	uint64_t v;

	if (a->count == 0)
		return 0;
	if (!axlf_array_fits(p, a, sizeof(v)))
		return npu_fail(err, NPU_EFORMAT, "%s: %" PRIu32 " numbers at "
		    "offset %" PRIu32 " of %zu", key, a->count, a->at,
		    p->data.n);
	json_key(j, key);
	json_array(j);
	for (uint32_t i = 0; axlf_number_of(p, a, i, &v); i++) {
		snprintf(hex, sizeof(hex), "0x%" PRIx64, v);
		json_str(j, hex);
	}
	json_end_array(j);
	return 0;
}

static int
put_group(struct json *j, const struct axlf_partition *p,
    const struct axlf_group *g, struct npu_err *err)
{
	const char *type = axlf_name(&axlf_groups, g->type);
	int rc;

	json_object(j);
	if ((rc = put_text_at(j, "name", p, g->name_at, err)) < 0)
		return rc;
	if (g->type != 0)
		text(j, "type", type != NULL ? type : "UNKNOWN");
	number(j, "pdi_id", "0x%" PRIx64, g->id);
	if ((rc = put_numbers(j, "dpu_kernel_ids", p, &g->kernels, err)) < 0 ||
	    (rc = put_numbers(j, "pre_cdo_groups", p, &g->before, err)) < 0)
		return rc;
	json_end_object(j);
	return 0;
}

static int
put_pdi(struct json *j, const struct axlf_partition *p,
    const struct axlf_pdi *pdi, struct npu_err *err)
{
	char uuid[37], file[42];
	struct axlf_group g;
	int rc;

	if (!axlf_array_fits(p, &pdi->groups, AXLF_GROUP_SIZE))
		return npu_fail(err, NPU_EFORMAT, "%" PRIu32 " groups at "
		    "offset %" PRIu32 " of %zu", pdi->groups.count,
		    pdi->groups.at, p->data.n);
	axlf_uuid_text(pdi->uuid, uuid);
	snprintf(file, sizeof(file), "%s.pdi", uuid);
	json_object(j);
	text(j, "uuid", uuid);
	text(j, "file_name", file);
	json_key(j, "cdo_groups");
	json_array(j);
	for (uint32_t i = 0; axlf_group(p, pdi, i, &g); i++)
		if ((rc = put_group(j, p, &g, err)) < 0)
			return rc;
	json_end_array(j);
	json_end_object(j);
	return 0;
}

static int
put_pdis(struct json *j, const struct axlf_partition *p, struct npu_err *err)
{
	struct axlf_pdi pdi;
	int rc;

	if (!axlf_array_fits(p, &p->pdis, AXLF_PDI_SIZE))
		return npu_fail(err, NPU_EFORMAT, "%" PRIu32 " PDIs at offset "
		    "%" PRIu32 " of %zu", p->pdis.count, p->pdis.at,
		    p->data.n);
	json_key(j, "PDIs");
	json_array(j);
	for (uint32_t i = 0; axlf_pdi(p, i, &pdi); i++)
		if ((rc = put_pdi(j, p, &pdi, err)) < 0)
			return npu_prefix(err, rc, "PDI %" PRIu32, i);
	json_end_array(j);
	return 0;
}

static int
put_columns(struct json *j, const struct axlf_partition *p,
    struct npu_err *err)
{
	const struct axlf_array *a = &p->start_columns;
	char number_text[8];
	uint16_t column;

	if (!axlf_array_fits(p, a, sizeof(column)))
		return npu_fail(err, NPU_EFORMAT, "start_columns: %" PRIu32
		    " columns at offset %" PRIu32 " of %zu", a->count, a->at,
		    p->data.n);
	json_key(j, "partition");
	json_object(j);
	number(j, "column_width", "%u", p->columns);
	json_key(j, "start_columns");
	json_array(j);
	for (uint32_t i = 0; axlf_column(p, i, &column); i++) {
		snprintf(number_text, sizeof(number_text), "%u", column);
		json_str(j, number_text);
	}
	json_end_array(j);
	json_end_object(j);
	return 0;
}

static int
put_partition(struct json *j, struct bytes data, struct npu_err *err)
{
	struct axlf_partition p;
	int rc;

	if ((rc = axlf_partition_read(&p, data, err)) < 0)
		return rc;
	json_key(j, "aie_partition");
	json_object(j);
	if ((rc = put_text_at(j, "name", &p, p.name_at, err)) < 0)
		return rc;
	number(j, "operations_per_cycle", "%" PRIu32, p.operations);
	number(j, "inference_fingerprint", "%" PRIu64, p.fingerprint);
	number(j, "pre_post_fingerprint", "%" PRIu64, p.pre_post);
	if ((rc = put_text_at(j, "kernel_commit_id", &p, p.commit_at,
	    err)) < 0 || (rc = put_columns(j, &p, err)) < 0 ||
	    (rc = put_pdis(j, &p, err)) < 0)
		return rc;
	json_end_object(j);
	return 0;
}

/* ---- KEYVALUE_METADATA ------------------------------------------------- */

static void
put_pair(void *arg, const char *key, const char *value)
{
	struct json *j = arg;

	json_object(j);
	text(j, "key", key);
	text(j, "value", value);
	json_end_object(j);
}

static int
put_key_values(struct json *j, struct bytes data, struct npu_err *err)
{
	int rc;

	json_key(j, "keyvalue_metadata");
	json_object(j);
	json_key(j, "key_values");
	json_array(j);
	if ((rc = key_values_read(data, put_pair, j, err)) < 0)
		return rc;
	json_end_array(j);
	json_end_object(j);
	return 0;
}

/* ---- A section --------------------------------------------------------- */

bool
xclbin_can_dump(uint32_t kind)
{
	switch (kind) {
	case AXLF_MEM_TOPOLOGY: case AXLF_GROUP_TOPOLOGY: case AXLF_IP_LAYOUT:
	case AXLF_CONNECTIVITY: case AXLF_GROUP_CONNECTIVITY:
	case AXLF_AIE_PARTITION: case AXLF_KEYVALUE_METADATA:
		return true;
	default:
		return false;
	}
}

static int
put_section(struct json *j, uint32_t kind, struct bytes data,
    struct npu_err *err)
{
	switch (kind) {
	case AXLF_MEM_TOPOLOGY:
		return put_memories(j, "mem_topology", data, err);
	case AXLF_GROUP_TOPOLOGY:
		return put_memories(j, "group_topology", data, err);
	case AXLF_IP_LAYOUT:
		return put_ips(j, "ip_layout", data, err);
	case AXLF_CONNECTIVITY:
		return put_connections(j, "connectivity", data, err);
	case AXLF_GROUP_CONNECTIVITY:
		return put_connections(j, "group_connectivity", data, err);
	case AXLF_KEYVALUE_METADATA:
		return put_key_values(j, data, err);
	default:
		return put_partition(j, data, err);
	}
}

int
xclbin_dump(struct json *j, const struct axlf_section *s, struct npu_err *err)
{
	int rc;

	json_object(j);
	rc = put_section(j, s->kind, s->data, err);
	json_end_object(j);
	return rc;
}
