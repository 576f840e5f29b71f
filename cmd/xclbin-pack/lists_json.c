// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "json_field.h"
#include "keys.h"
#include "list_bytes.h"
#include "lists_json.h"

/* Gets the list key of the object node.  "m_count" may be missing; otherwise it
 * must be the number of entries. */
static int
find_list(const json_t *root, const char *node, const char *key,
    const json_t **list, struct npu_err *err)
{
	uint64_t count;
	const json_t *o;
	int rc;

	if ((rc = field_object(root, node, &o, err)) < 0)
		return rc;
	if ((rc = field_list(o, key, list, err)) < 0)
		return npu_prefix(err, rc, "\"%s\"", node);
	count = json_array_size(*list);
	if ((rc = field_number_if(o, "m_count", INT32_MAX, &count, err)) < 0)
		return npu_prefix(err, rc, "\"%s\"", node);
	if (count != json_array_size(*list))
		return npu_fail(err, NPU_EFORMAT, "\"%s\": \"m_count\" is %"
		    PRIu64 ", but \"%s\" has %zu entries", node, count, key,
		    json_array_size(*list));
	return 0;
}

/* Adds the section: its header, and each entry by calling the function
 * entry. */
static int
write_list(const json_t *root, const char *node, const char *key, size_t head,
    int (*entry)(const json_t *o, struct buf *out, struct npu_err *err),
    struct buf *out, struct npu_err *err)
{
	const json_t *list, *o;
	size_t i;
	int rc;

	if ((rc = find_list(root, node, key, &list, err)) < 0)
		return rc;
	if (json_array_size(list) == 0)
		return 0;
	list_begin(out, head, (uint32_t)json_array_size(list));
	json_array_foreach(list, i, o) {
		if (!json_is_object(o))
			rc = npu_fail(err, NPU_EFORMAT, "not an object");
		else
			rc = entry(o, out, err);
		if (rc < 0)
			return npu_prefix(err, rc, "%s %zu", key, i);
	}
	return 0;
}

/* ---- Memories ---------------------------------------------------------- */

/* Gets the size of a memory, which the document has in KiB or in bytes. */
static int
read_memory_size(const json_t *o, uint64_t *kib, struct npu_err *err)
{
	uint64_t size = 0;
	int rc;

	if ((rc = field_number_if(o, "m_size", UINT64_MAX, &size, err)) < 0 ||
	    (rc = field_number_if(o, "m_sizeKB", UINT64_MAX, kib, err)) < 0)
		return rc;
	if (json_object_get(o, "m_size") == NULL)
		return 0;
	if (json_object_get(o, "m_sizeKB") != NULL)
		return npu_fail(err, NPU_EFORMAT, "has both \"m_size\" and "
		    "\"m_sizeKB\"; leave one");
	if (size % 1024 != 0)
		return npu_fail(err, NPU_EFORMAT, "\"m_size\": %" PRIu64
		    " bytes are not a multiple of 1024", size);
	*kib = size / 1024;
	return 0;
}

static int
add_memory(const json_t *o, struct buf *out, struct npu_err *err)
{
	struct axlf_memory m = { 0 };
	uint64_t type, used;
	const char *tag;
	int rc;

	if ((rc = field_named(o, "m_type", &axlf_memories, UINT8_MAX, &type,
	    err)) < 0 ||
	    (rc = field_number(o, "m_used", UINT8_MAX, &used, err)) < 0 ||
	    (rc = field_text(o, "m_tag", 1, 15, &tag, err)) < 0)
		return rc;
	m.type = (uint8_t)type;
	m.used = (uint8_t)used;
	snprintf(m.tag, sizeof(m.tag), "%s", tag);
	/* xclbinutil ignores the size and address of such a memory. */
	if (type != AXLF_MEM_STREAMING_CONNECTION &&
	    ((rc = read_memory_size(o, &m.kib, err)) < 0 ||
	    (rc = field_number(o, "m_base_address", UINT64_MAX, &m.base,
	    err)) < 0))
		return rc;
	list_add_memory(out, &m);
	return 0;
}

static int
memories_from_json(const json_t *root, const char *node, struct buf *out,
    struct npu_err *err)
{
	return write_list(root, node, "m_mem_data", MEMORIES_HEAD, add_memory,
	    out, err);
}

/* ---- Entry points ------------------------------------------------------ */

/* Gets the properties of a kernel in programmable logic. */
static int
read_kernel_properties(const json_t *o, uint32_t *properties,
    struct npu_err *err)
{
	uint64_t enable = *properties & 1, id = *properties >> 1 & 0x7f;
	uint64_t control = *properties >> 8 & 0xff;
	int rc;

	if ((rc = field_number_if(o, "m_int_enable", 1, &enable, err)) < 0 ||
	    (rc = field_number_if(o, "m_interrupt_id", 0x7f, &id, err)) < 0 ||
	    (rc = field_named_if(o, "m_ip_control", &axlf_controls, 0xff,
	    &control, err)) < 0)
		return rc;
	*properties = (*properties & ~(uint32_t)0xffff) |
	    (uint32_t)(enable | id << 1 | control << 8);
	return 0;
}

static int
read_memory_properties(const json_t *o, uint32_t *properties,
    struct npu_err *err)
{
	uint64_t index, channel = 0;
	int rc;

	if ((rc = field_number(o, "m_index", UINT16_MAX, &index, err)) < 0 ||
	    (rc = field_number_if(o, "m_pc_index", UINT8_MAX, &channel,
	    err)) < 0)
		return rc;
	*properties = (uint32_t)(index | channel << 16);
	return 0;
}

/* Gets the properties of a kernel of the NPU.  *properties has the value of the
 * member "properties", which dumps have if m_subtype is not DPU. */
static int
read_ps_properties(const json_t *o, uint32_t *properties, struct npu_err *err)
{
	uint64_t subtype = 0, functional = 0, id = 0;
	int rc;

	if (json_object_get(o, "m_subtype") == NULL &&
	    json_object_get(o, "m_functional") == NULL &&
	    json_object_get(o, "m_kernel_id") == NULL)
		return 0;
	if ((rc = field_named_if(o, "m_subtype", &axlf_subtypes, MOST_SUBTYPE,
	    &subtype, err)) < 0 ||
	    (rc = field_named_if(o, "m_functional", &axlf_functionals,
	    MOST_FUNCTIONAL, &functional, err)) < 0 ||
	    (rc = field_number_if(o, "m_kernel_id", MOST_KERNEL_ID, &id,
	    err)) < 0)
		return rc;
	*properties = list_ps_properties(subtype, functional, id);
	return 0;
}

static int
read_ip_properties(const json_t *o, struct axlf_ip *ip, struct npu_err *err)
{
	uint64_t given = 0;
	int rc;

	if ((rc = field_number_if(o, "properties", UINT32_MAX, &given,
	    err)) < 0)
		return rc;
	ip->properties = (uint32_t)given;
	switch (ip->type) {
	case AXLF_IP_MEM_DDR4: case AXLF_IP_MEM_HBM: case AXLF_IP_MEM_HBM_ECC:
		return read_memory_properties(o, &ip->properties, err);
	case AXLF_IP_PS_KERNEL:
		return read_ps_properties(o, &ip->properties, err);
	default:
		return read_kernel_properties(o, &ip->properties, err);
	}
}

static int
read_ip_base(const json_t *o, uint64_t *base, struct npu_err *err)
{
	const char *s = json_string_value(json_object_get(o,
	    "m_base_address"));

	if (s == NULL || strcmp(s, "not_used") != 0)
		return field_number(o, "m_base_address", UINT64_MAX, base, err);
	*base = AXLF_NOT_USED;
	return 0;
}

static int
add_ip(const json_t *o, struct buf *out, struct npu_err *err)
{
	struct axlf_ip entry = { 0 };
	const char *name;
	uint64_t type;
	int rc;

	if ((rc = field_named(o, "m_type", &axlf_ips, UINT32_MAX, &type,
	    err)) < 0)
		return rc;
	entry.type = (uint32_t)type;
	if ((rc = read_ip_properties(o, &entry, err)) < 0 ||
	    (rc = read_ip_base(o, &entry.base, err)) < 0 ||
	    (rc = field_text(o, "m_name", 0, 63, &name, err)) < 0)
		return rc;
	snprintf(entry.name, sizeof(entry.name), "%s", name);
	list_add_ip(out, &entry);
	return 0;
}

static int
ips_from_json(const json_t *root, const char *node, struct buf *out,
    struct npu_err *err)
{
	return write_list(root, node, "m_ip_data", IPS_HEAD, add_ip, out, err);
}

/* ---- Connections ------------------------------------------------------- */

static int
add_connection(const json_t *o, struct buf *out, struct npu_err *err)
{
	uint64_t argument, ip_index, bank;
	int rc;

	if ((rc = field_number(o, "arg_index", INT32_MAX, &argument,
	    err)) < 0 ||
	    (rc = field_number(o, "m_ip_layout_index", INT32_MAX, &ip_index,
	    err)) < 0 ||
	    (rc = field_number(o, "mem_data_index", INT32_MAX, &bank,
	    err)) < 0)
		return rc;
	list_add_connection(out, &(struct axlf_connection){
	    .argument = (int32_t)argument, .ip = (int32_t)ip_index,
	    .memory = (int32_t)bank });
	return 0;
}

static int
connections_from_json(const json_t *root, const char *node, struct buf *out,
    struct npu_err *err)
{
	return write_list(root, node, "m_connection", CONNECTIONS_HEAD,
	    add_connection, out, err);
}

/* ---- All kinds --------------------------------------------------------- */

static const struct list_form forms[] = {
	{ AXLF_MEM_TOPOLOGY, "mem_topology", memories_from_json },
	{ AXLF_GROUP_TOPOLOGY, "group_topology", memories_from_json },
	{ AXLF_IP_LAYOUT, "ip_layout", ips_from_json },
	{ AXLF_CONNECTIVITY, "connectivity", connections_from_json },
	{ AXLF_GROUP_CONNECTIVITY, "group_connectivity",
	    connections_from_json },
	{ AXLF_KEYVALUE_METADATA, "keyvalue_metadata", keys_from_json },
};

const struct list_form *
list_form_of(uint32_t kind)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		if (forms[i].kind == kind)
			return &forms[i];
	return NULL;
}
