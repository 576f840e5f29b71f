// SPDX-License-Identifier: Apache-2.0
#include <ctype.h>
#include <strings.h>
#include <string.h>

#include "base/err.h"
#include "json_field.h"
#include "model/axlf_partition.h"
#include "partition_json.h"

/* The maximum size of a partition, well below the 4 GiB that its 32-bit offsets
 * can address. */
enum { MOST = 1 << 30 };

/* ---- Bytes ------------------------------------------------------------- */

/* Adds zeros up to a multiple of 8 bytes. */
static void
align(struct buf *out)
{
	static const char zeros[8];

	buf_add(out, zeros, (8 - out->n % 8) % 8);
}

static uint32_t
add_text(struct buf *out, const char *s)
{
	uint32_t at = (uint32_t)out->n;

	buf_add(out, s, strlen(s) + 1);
	align(out);
	return at;
}

/* Sets {count, offset} of an array in a structure. */
static void
set_array(uint8_t *p, size_t count, size_t at)
{
	uint32_t words[2] = { (uint32_t)count, (uint32_t)at };

	memcpy(p, words, sizeof(words));
}

/* ---- Groups ------------------------------------------------------------ */

/* Adds a list of numbers, which may be missing, and sets its {count,
 * offset}. */
static int
add_numbers(const json_t *o, const char *key, uint8_t *array, struct buf *out,
    struct npu_err *err)
{
	const json_t *list, *v;
	size_t i, at = out->n;
	uint64_t number;
	int rc;

	if ((rc = field_list_if(o, key, &list, err)) < 0)
		return rc;
	json_array_foreach(list, i, v) {
		if ((rc = value_number(v, UINT64_MAX, &number, err)) < 0)
			return npu_prefix(err, rc, "\"%s\" %zu", key, i);
		buf_add(out, &number, sizeof(number));
	}
	if (json_array_size(list) > 0)
		set_array(array, json_array_size(list), at);
	return 0;
}

static int
group_type(const json_t *o, uint8_t *type, struct npu_err *err)
{
	const char *s = json_string_value(json_object_get(o, "type"));
	uint64_t number = 0;
	int rc;

	*type = 0;
	if (s != NULL && *s == '\0')
		return 0;
	for (uint32_t i = 0; s != NULL && i < axlf_groups.n; i++)
		if (strcasecmp(s, axlf_groups.name[i]) == 0) {
			*type = (uint8_t)i;
			return 0;
		}
	if ((rc = field_named_if(o, "type", &axlf_groups, UINT8_MAX, &number,
	    err)) < 0)
		return rc;
	*type = (uint8_t)number;
	return 0;
}

/* Adds the texts and numbers of a group to *out, and writes its structure to
 * raw. */
static int
add_group(const json_t *o, uint8_t raw[AXLF_GROUP_SIZE], struct buf *out,
    struct npu_err *err)
{
	const char *name;
	uint32_t name_at;
	uint64_t id;
	int rc;

	if ((rc = field_text_if(o, "name", MOST, &name, err)) < 0 ||
	    (rc = group_type(o, &raw[4], err)) < 0 ||
	    (rc = field_number(o, "pdi_id", UINT64_MAX, &id, err)) < 0)
		return rc;
	name_at = add_text(out, name);
	memcpy(raw, &name_at, sizeof(name_at));
	memcpy(raw + 8, &id, sizeof(id));
	if ((rc = add_numbers(o, "dpu_kernel_ids", raw + 16, out, err)) < 0)
		return rc;
	return add_numbers(o, "pre_cdo_groups", raw + 24, out, err);
}

/* Adds the contents of all groups of a PDI, then the array of their structures,
 * and sets its {count, offset}. */
static int
add_groups(const json_t *pdi, uint8_t *array, struct buf *out,
    struct npu_err *err)
{
	struct buf groups = { 0 };
	const json_t *list, *o;
	size_t i;
	int rc;

	if ((rc = field_list(pdi, "cdo_groups", &list, err)) < 0)
		return rc;
	if (json_array_size(list) == 0)
		return npu_fail(err, NPU_EFORMAT, "\"cdo_groups\" is empty: a "
		    "PDI needs a group");
	json_array_foreach(list, i, o) {
		uint8_t raw[AXLF_GROUP_SIZE] = { 0 };

		if ((rc = add_group(o, raw, out, err)) < 0) {
			npu_prefix(err, rc, "cdo_groups %zu", i);
			break;
		}
		buf_add(&groups, raw, sizeof(raw));
	}
	set_array(array, json_array_size(list), out->n);
	buf_add(out, groups.p, groups.n);
	out->failed |= groups.failed;
	buf_free(&groups);
	return rc;
}

/* ---- PDIs -------------------------------------------------------------- */

/* Parses up to 32 hexadecimal digits; fewer digits are the last digits of the
 * uuid.  Ignores 0x and dashes. */
static int
parse_uuid(const char *s, uint8_t uuid[16], struct npu_err *err)
{
	static const char digits[] = "0123456789abcdef";
	char hex[32];
	size_t n = 0;

	for (const char *p = s; *p != '\0'; p++) {
		if (*p == '-' || (p[0] == '0' && p[1] == 'x' && p++))
			continue;
		if (n == sizeof(hex) || !isxdigit((unsigned char)*p))
			return npu_fail(err, NPU_EFORMAT, "\"uuid\": '%.80s' "
			    "is not up to 32 hexadecimal digits", s);
		hex[n++] = (char)tolower((unsigned char)*p);
	}
	if (n == 0)
		return npu_fail(err, NPU_EFORMAT, "\"uuid\": '%.80s' has no "
		    "digit", s);
	memset(uuid, 0, 16);
	for (size_t i = 0; i < n; i++) {
		size_t from_right = n - 1 - i;
		unsigned v = (unsigned)(strchr(digits, hex[i]) - digits);

		uuid[15 - from_right / 2] |= (uint8_t)(v <<
		    4 * (from_right % 2));
	}
	return 0;
}

static int
add_image(const char *name, const struct pdi_source *source, uint8_t *array,
    struct buf *out, struct npu_err *err)
{
	size_t at = out->n;
	int rc;

	if (out->n > MOST)
		return npu_fail(err, NPU_EFORMAT, "the earlier PDIs have more "
		    "than %d bytes", MOST);
	if ((rc = source->load(source->arg, name, MOST - out->n, out,
	    err)) < 0)
		return rc;
	set_array(array, out->n - at, at);
	align(out);
	return 0;
}

static int
add_pdi(const json_t *o, const struct pdi_source *source,
    uint8_t raw[AXLF_PDI_SIZE], struct buf *out, struct npu_err *err)
{
	const char *uuid, *name;
	int rc;

	if ((rc = field_text(o, "uuid", 1, MOST, &uuid, err)) < 0 ||
	    (rc = parse_uuid(uuid, raw, err)) < 0 ||
	    (rc = field_text(o, "file_name", 1, MOST, &name, err)) < 0 ||
	    (rc = add_image(name, source, raw + 16, out, err)) < 0)
		return rc;
	return add_groups(o, raw + 24, out, err);
}

static int
add_pdis(const json_t *partition, const struct pdi_source *source,
    uint8_t *array, struct buf *out, struct npu_err *err)
{
	struct buf pdis = { 0 };
	const json_t *list, *o;
	size_t i;
	int rc;

	if ((rc = field_list(partition, "PDIs", &list, err)) < 0)
		return rc;
	if (json_array_size(list) == 0)
		return npu_fail(err, NPU_EFORMAT, "\"PDIs\" is empty: a "
		    "partition needs a PDI");
	json_array_foreach(list, i, o) {
		uint8_t raw[AXLF_PDI_SIZE] = { 0 };

		if ((rc = add_pdi(o, source, raw, out, err)) < 0) {
			npu_prefix(err, rc, "PDIs %zu", i);
			break;
		}
		buf_add(&pdis, raw, sizeof(raw));
	}
	set_array(array, json_array_size(list), out->n);
	buf_add(out, pdis.p, pdis.n);
	out->failed |= pdis.failed;
	buf_free(&pdis);
	return rc;
}

/* ---- The partition ----------------------------------------------------- */

static int
add_columns(const json_t *partition, uint8_t *head, struct buf *out,
    struct npu_err *err)
{
	const json_t *o, *list, *v;
	uint64_t width, column;
	size_t i;
	int rc;

	if ((rc = field_object(partition, "partition", &o, err)) < 0)
		return rc;
	if ((rc = field_number(o, "column_width", UINT16_MAX, &width,
	    err)) < 0 ||
	    (rc = field_list(o, "start_columns", &list, err)) < 0)
		return npu_prefix(err, rc, "\"partition\"");
	if (width == 0 || json_array_size(list) == 0)
		return npu_fail(err, NPU_EFORMAT, "\"partition\": %s",
		    width == 0 ? "\"column_width\" is 0" :
		    "\"start_columns\" is empty");
	memcpy(head + 32, &(uint16_t){ (uint16_t)width }, 2);
	set_array(head + 40, json_array_size(list), out->n);
	json_array_foreach(list, i, v) {
		if ((rc = value_number(v, UINT16_MAX, &column, err)) < 0)
			return npu_prefix(err, rc, "\"partition\": "
			    "\"start_columns\" %zu", i);
		buf_add(out, &(uint16_t){ (uint16_t)column }, 2);
	}
	align(out);
	return 0;
}

static int
add_head(const json_t *o, const char *label, uint8_t *head, struct buf *out,
    struct npu_err *err)
{
	uint64_t operations = 0, fingerprint = 0, pre_post = 0;
	uint32_t at, operations32;
	const char *commit;
	int rc;

	if ((rc = field_number_if(o, "operations_per_cycle", UINT32_MAX,
	    &operations, err)) < 0 ||
	    (rc = field_number_if(o, "inference_fingerprint", UINT64_MAX,
	    &fingerprint, err)) < 0 ||
	    (rc = field_number_if(o, "pre_post_fingerprint", UINT64_MAX,
	    &pre_post, err)) < 0 ||
	    (rc = field_text_if(o, "kernel_commit_id", MOST, &commit,
	    err)) < 0)
		return rc;
	operations32 = (uint32_t)operations;
	at = add_text(out, label);
	memcpy(head + 4, &at, 4);
	memcpy(head + 8, &operations32, 4);
	memcpy(head + 16, &fingerprint, 8);
	memcpy(head + 24, &pre_post, 8);
	at = add_text(out, commit);
	memcpy(head + 128, &at, 4);
	return 0;
}

int
partition_from_json(const json_t *root, const char *label,
    const struct pdi_source *source, struct buf *out, struct npu_err *err)
{
	uint8_t head[AXLF_PARTITION_HEAD] = { 0 };
	const json_t *o;
	int rc;

	if ((rc = field_object(root, "aie_partition", &o, err)) < 0)
		return rc;
	buf_add(out, head, sizeof(head));
	if ((rc = add_head(o, label, head, out, err)) < 0 ||
	    (rc = add_columns(o, head, out, err)) < 0 ||
	    (rc = add_pdis(o, source, head + 120, out, err)) < 0)
		return rc;
	if (out->failed)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	memcpy(out->p, head, sizeof(head));
	return 0;
}
