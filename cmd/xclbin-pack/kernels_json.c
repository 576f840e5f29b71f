// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "json_field.h"
#include "kernel_xml.h"
#include "kernels_json.h"
#include "list_bytes.h"
#include "lists_json.h"

/* The maximum of instances times arguments; xclbinutil warns at 5,461 and
 * more. */
enum { MOST_CONNECTIONS = 1 << 16 };

void
kernels_begin(struct kernel_sections *k, struct bytes ip_layout,
    struct bytes memories)
{
	struct axlf_list ips = axlf_ip_list(ip_layout);
	void *p;

	*k = (struct kernel_sections){ .n_ips = ips.n,
	    .memories = axlf_memory_list(memories) };
	list_begin(&k->ips, IPS_HEAD, ips.n);
	if (ips.n > 0)
		buf_add(&k->ips, ip_layout.p + ips.head,
		    (size_t)ips.n * ips.entry);
	list_begin(&k->connections, CONNECTIONS_HEAD, 0);
	if (k->memories.n > 0 &&
	    (p = buf_reserve(&k->connected, k->memories.n)) != NULL)
		memset(p, 0, k->connected.n = k->memories.n);
	kernel_xml_begin(&k->xml);
}

/* ---- Connections ------------------------------------------------------- */

static int
connect_to(struct kernel_sections *k, size_t argument, uint32_t bank,
    struct npu_err *err)
{
	if (k->n_connections == MOST_CONNECTIONS)
		return npu_fail(err, NPU_EFORMAT, "more than %d connections, "
		    "one for each argument with a memory of each instance",
		    MOST_CONNECTIONS);
	list_add_connection(&k->connections, &(struct axlf_connection){
	    .argument = (int32_t)argument, .ip = (int32_t)k->n_ips,
	    .memory = (int32_t)bank });
	if (!k->connected.failed)
		k->connected.p[bank] = 1;
	k->n_connections++;
	return 0;
}

/* Connects the argument to the memory with this tag. */
static int
connect_to_tag(struct kernel_sections *k, size_t argument, const char *tag,
    struct npu_err *err)
{
	for (uint32_t i = 0; i < k->memories.n; i++) {
		struct axlf_memory m = axlf_memory(&k->memories, i);

		if (strcmp(m.tag, tag) == 0)
			return connect_to(k, argument, i, err);
	}
	return npu_fail(err, NPU_EFORMAT, "\"memory-connection\": no memory in "
	    "MEM_TOPOLOGY has the tag '%.80s'", tag);
}

/* Connects the argument to memories by their numbers, "0" or "1,2". */
static int
connect_to_numbers(struct kernel_sections *k, size_t argument,
    const char *numbers, struct npu_err *err)
{
	char *end;
	int rc;

	for (const char *p = numbers; *p != '\0'; p = end + (*end == ',')) {
		unsigned long bank = strtoul(p, &end, 10);

		if (bank >= k->memories.n)
			return npu_fail(err, NPU_EFORMAT, "\"memory-connection"
			    "\": MEM_TOPOLOGY has %u memories, but no number "
			    "%.*s", k->memories.n, (int)(end - p), p);
		if ((rc = connect_to(k, argument, (uint32_t)bank, err)) < 0)
			return rc;
	}
	return 0;
}

/* Returns true if s is a list of numbers such as "0" or "1,2". */
static bool
are_numbers(const char *s)
{
	size_t n;

	for (; (n = strspn(s, "0123456789")) > 0; s += n + 1)
		if (s[n] != ',')
			return s[n] == '\0';
	return false;
}

static int
add_connections(struct kernel_sections *k, const json_t *arguments,
    struct npu_err *err)
{
	const json_t *o;
	const char *to;
	size_t i;
	int rc;

	json_array_foreach(arguments, i, o) {
		if (json_object_get(o, "memory-connection") == NULL)
			continue;
		rc = field_text_if(o, "memory-connection", SIZE_MAX, &to, err);
		if (rc == 0)
			rc = are_numbers(to) ?
			    connect_to_numbers(k, i, to, err) :
			    connect_to_tag(k, i, to, err);
		if (rc < 0)
			return npu_prefix(err, rc, "arguments %zu", i);
	}
	return 0;
}

/* ---- Entry points ------------------------------------------------------ */

static int
read_properties(const json_t *kernel, uint32_t *properties,
    struct npu_err *err)
{
	const json_t *o = json_object_get(kernel, "extended-data");
	uint64_t subtype = 0, functional = 0, id = 0;
	int rc;

	if ((rc = field_named_if(o, "subtype", &axlf_subtypes, MOST_SUBTYPE,
	    &subtype, err)) < 0 ||
	    (rc = field_named_if(o, "functional", &axlf_functionals,
	    MOST_FUNCTIONAL, &functional, err)) < 0 ||
	    (rc = field_number_if(o, "dpu_kernel_id", MOST_KERNEL_ID, &id,
	    err)) < 0)
		return npu_prefix(err, rc, "\"extended-data\"");
	*properties = list_ps_properties(subtype, functional, id);
	return 0;
}

static int
add_instance(struct kernel_sections *k, const json_t *o,
    struct axlf_ip *ip, const char *kernel, struct npu_err *err)
{
	const char *name;
	int n, rc;

	if ((rc = field_text(o, "name", 1, SIZE_MAX, &name, err)) < 0)
		return rc;
	memset(ip->name, 0, sizeof(ip->name));
	n = snprintf(ip->name, 64, "%s:%s", kernel, name);
	if (n < 0 || n >= 64)
		return npu_fail(err, NPU_EFORMAT, "'%.80s:%.80s' has %zu "
		    "bytes; at most 63 fit", kernel, name,
		    strlen(kernel) + 1 + strlen(name));
	list_add_ip(&k->ips, ip);
	return 0;
}

static int
add_instances(struct kernel_sections *k, const json_t *kernel,
    const char *name, struct npu_err *err)
{
	struct axlf_ip ip = { .type = AXLF_IP_PS_KERNEL,
	    .base = AXLF_NOT_USED };
	const json_t *instances, *arguments, *o;
	size_t i;
	int rc;

	if ((rc = read_properties(kernel, &ip.properties, err)) < 0 ||
	    (rc = field_list_if(kernel, "arguments", &arguments, err)) < 0 ||
	    (rc = field_list_if(kernel, "instances", &instances, err)) < 0)
		return rc;
	json_array_foreach(instances, i, o) {
		if ((rc = add_instance(k, o, &ip, name, err)) < 0)
			return npu_prefix(err, rc, "instances %zu", i);
		if ((rc = add_connections(k, arguments, err)) < 0)
			return rc;
		k->n_ips++;
	}
	return 0;
}

/* ---- Kernels ----------------------------------------------------------- */

/*
 * Clears the properties of earlier entries as xclbinutil 2.25.0 does: for each
 * kernel, it dumps the entries before the kernel and reads the dump back, and
 * the dump of an entry that does not belong to a DPU lacks the properties.
 */
static void
forget_properties(struct kernel_sections *k)
{
	struct axlf_list ips;

	if (k->ips.failed)
		return;
	list_set_count(&k->ips, k->n_ips);
	ips = axlf_ip_list((struct bytes){ (const uint8_t *)k->ips.p,
	    k->ips.n });
	for (; k->n_read < k->n_ips; k->n_read++) {
		struct axlf_ip ip = axlf_ip(&ips, k->n_read);

		if (ip.type == AXLF_IP_PS_KERNEL &&
		    ip.subtype != AXLF_SUBTYPE_DPU)
			memset(k->ips.p + ips.head + (size_t)k->n_read *
			    ips.entry + 4, 0, sizeof(ip.properties));
	}
}

static int
add_kernel(struct kernel_sections *k, const json_t *o, struct npu_err *err)
{
	const char *name;
	int rc;

	if ((rc = field_text(o, "name", 1, SIZE_MAX, &name, err)) < 0)
		return rc;
	forget_properties(k);
	if ((rc = kernel_xml_add(&k->xml, o, err)) < 0 ||
	    (rc = add_instances(k, o, name, err)) < 0)
		return npu_prefix(err, rc, "'%.80s'", name);
	buf_add(&k->names, name, strlen(name) + 1);
	k->n_kernels++;
	return 0;
}

int
kernels_add(struct kernel_sections *k, const json_t *root,
    struct npu_err *err)
{
	const json_t *kernels, *list, *o;
	size_t i;
	int rc;

	if ((rc = field_object(root, "ps-kernels", &kernels, err)) < 0 ||
	    (rc = field_list(kernels, "kernels", &list, err)) < 0)
		return npu_prefix(err, rc, "no kernels");
	if (json_array_size(list) == 0)
		return npu_fail(err, NPU_EFORMAT, "no kernels: \"kernels\" is "
		    "empty");
	json_array_foreach(list, i, o)
		if ((rc = add_kernel(k, o, err)) < 0)
			return npu_prefix(err, rc, "kernels %zu", i);
	return 0;
}

static int
by_text(const void *p, const void *q)
{
	return strcmp(*(const char *const *)p, *(const char *const *)q);
}

static int
check_names(const struct kernel_sections *k, struct npu_err *err)
{
	const char **name = calloc(k->n_kernels + 1, sizeof(*name));
	const char *p = k->names.p;
	int rc = 0;

	if (name == NULL || k->names.failed) {
		free(name);
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	}
	for (size_t i = 0; i < k->n_kernels; i++, p += strlen(p) + 1)
		name[i] = p;
	qsort(name, k->n_kernels, sizeof(*name), by_text);
	for (size_t i = 1; i < k->n_kernels && rc == 0; i++)
		if (strcmp(name[i], name[i - 1]) == 0)
			rc = npu_fail(err, NPU_EFORMAT, "two kernels have the "
			    "name '%.80s'", name[i]);
	free(name);
	return rc;
}

int
kernels_end(struct kernel_sections *k, struct npu_err *err)
{
	kernel_xml_end(&k->xml);
	list_set_count(&k->ips, k->n_ips);
	list_set_count(&k->connections, k->n_connections);
	if (k->n_ips == 0)
		buf_clear(&k->ips);
	if (k->n_connections == 0)
		buf_clear(&k->connections);
	return check_names(k, err);
}

void
kernels_free(struct kernel_sections *k)
{
	buf_free(&k->xml);
	buf_free(&k->ips);
	buf_free(&k->connections);
	buf_free(&k->connected);
	buf_free(&k->names);
}
