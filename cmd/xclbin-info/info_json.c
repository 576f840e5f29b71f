// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "info.h"
#include "model/axlf_names.h"

/* ---- Sections ---------------------------------------------------------- */

static void
put_kind(struct json *j, uint32_t kind)
{
	const char *name = axlf_name(&axlf_kinds, kind);
	char number[16];

	snprintf(number, sizeof(number), "%" PRIu32, kind);
	json_key(j, "kind");
	json_str(j, name != NULL ? name : number);
}

/* Adds the text at an offset in the partition, or null if the text does not end
 * within the partition. */
static void
put_text_at(struct json *j, const char *key, const struct axlf_partition *p,
    uint32_t at)
{
	struct bytes s;

	json_key(j, key);
	if (axlf_text(p, at, &s))
		json_strn(j, (const char *)s.p, s.n);
	else
		json_null(j);
}

static void
put_section(struct json *j, const struct axlf_section *s, uint64_t *left)
{
	struct bytes label;

	json_object(j);
	put_kind(j, s->kind);
	json_key(j, "name");
	json_str(j, s->name);
	json_key(j, "label");
	if (info_label(s, left, &label))
		json_strn(j, (const char *)label.p, label.n);
	else
		json_null(j);
	json_member_uint(j, "offset", s->at);
	json_member_uint(j, "bytes", s->size);
	json_end_object(j);
}

static void
put_sections(struct json *j, const struct axlf *a)
{
	struct axlf_section s;
	uint64_t left = a->file.n;

	json_key(j, "sections");
	json_array(j);
	for (uint32_t i = 0; !info_hides_sections(a) &&
	    axlf_section(a, i, &s); i++)
		put_section(j, &s, &left);
	json_end_array(j);
}

/* ---- The partition ----------------------------------------------------- */

static void
put_numbers(struct json *j, const char *key, const struct axlf_partition *p,
    const struct axlf_array *a)
{
	uint64_t v;

	json_key(j, key);
	json_array(j);
	for (uint32_t i = 0; axlf_number_of(p, a, i, &v); i++)
		json_uint(j, v);
	json_end_array(j);
}

static void
put_group(struct json *j, const struct axlf_partition *p,
    const struct axlf_group *g)
{
	const char *type = axlf_name(&axlf_groups, g->type);
	char number[8];

	snprintf(number, sizeof(number), "%u", g->type);
	json_object(j);
	put_text_at(j, "name", p, g->name_at);
	json_member_str(j, "type", type != NULL ? type : number);
	json_member_uint(j, "id", g->id);
	put_numbers(j, "kernels", p, &g->kernels);
	put_numbers(j, "before", p, &g->before);
	json_end_object(j);
}

static void
put_pdi(struct json *j, const struct axlf_partition *p,
    const struct axlf_pdi *pdi)
{
	struct axlf_group g;
	char uuid[37];

	axlf_uuid_text(pdi->uuid, uuid);
	json_object(j);
	json_member_str(j, "uuid", uuid);
	json_member_uint(j, "bytes", pdi->image.count);
	json_key(j, "groups");
	json_array(j);
	for (uint32_t i = 0; axlf_group(p, pdi, i, &g); i++)
		put_group(j, p, &g);
	json_end_array(j);
	json_end_object(j);
}

/* Adds a 64-bit number as a string, because many JSON readers keep only 53
 * bits. */
static void
put_long(struct json *j, const char *key, uint64_t v)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, v);
	json_key(j, key);
	json_str(j, text);
}

static void
put_partition(struct json *j, const struct axlf_partition *p)
{
	struct axlf_pdi pdi;
	uint16_t column;

	json_object(j);
	json_member_uint(j, "columns", p->columns);
	json_key(j, "start_columns");
	json_array(j);
	for (uint32_t i = 0; axlf_column(p, i, &column); i++)
		json_uint(j, column);
	json_end_array(j);
	json_member_uint(j, "operations_per_cycle", p->operations);
	put_long(j, "inference_fingerprint", p->fingerprint);
	put_long(j, "pre_post_fingerprint", p->pre_post);
	put_text_at(j, "commit", p, p->commit_at);
	json_key(j, "pdis");
	json_array(j);
	for (uint32_t i = 0; axlf_pdi(p, i, &pdi); i++)
		put_pdi(j, p, &pdi);
	json_end_array(j);
	json_end_object(j);
}

/* ---- Kernels ----------------------------------------------------------- */

/* Adds the number in an attribute, or null if the attribute is missing or not a
 * number. */
static void
put_number(struct json *j, const char *key, const char *text)
{
	uint64_t v;

	json_key(j, key);
	if (info_number(text, &v))
		json_uint(j, v);
	else
		json_null(j);
}

static void
put_argument(struct json *j, const struct dpu_argument *a)
{
	uint64_t qualifier = 0;

	info_number(a->qualifier, &qualifier);
	json_object(j);
	json_key(j, "name"), json_str(j, a->name);
	put_number(j, "offset", a->offset);
	put_number(j, "bytes", a->size);
	json_key(j, "type"), json_str(j, a->type);
	json_key(j, "pointer");
	json_bool(j, dpu_is_pointer(qualifier));
	json_end_object(j);
}

static void
put_instance(void *arg, const char *instance)
{
	json_str(arg, instance);
}

/* Adds the instances of a kernel, or null if there are too many to show. */
static void
put_instances(struct json *j, const struct info_file *f,
    const struct dpu_kernel *k)
{
	json_key(j, "instances");
	if (!info_shows_instances(f)) {
		json_null(j);
		return;
	}
	json_array(j);
	info_instances(f, k, put_instance, j);
	json_end_array(j);
}

static void
put_kernel(struct json *j, const struct info_file *f,
    const struct dpu_kernel *k)
{
	json_object(j);
	json_key(j, "name"), json_str(j, k->name);
	put_number(j, "id", k->id);
	put_number(j, "functional", k->functional);
	put_instances(j, f, k);
	json_key(j, "arguments");
	json_array(j);
	for (size_t i = 0; i < k->arguments; i++)
		put_argument(j, &k->argument[i]);
	json_end_array(j);
	json_end_object(j);
}

void
info_json(struct json *j, const struct info_file *f)
{
	const struct axlf *a = &f->x.axlf;
	char text[37];

	json_object(j);
	json_key(j, "file"), json_str(j, f->name);
	json_member_uint(j, "bytes", f->bytes);
	axlf_uuid_text(a->uuid, text);
	json_member_str(j, "uuid", text);
	snprintf(text, sizeof(text), "%u.%u.%u", a->major, a->minor, a->patch);
	json_member_str(j, "version", text);
	info_created(a, text);
	json_member_str(j, "created", text);
	json_key(j, "platform"), json_str(j, a->platform);
	put_sections(j, a);
	json_key(j, "partition");
	if (f->x.has_partition)
		put_partition(j, &f->x.partition);
	else
		json_null(j);
	json_key(j, "kernels");
	json_array(j);
	for (size_t i = 0; i < f->x.kernels.n; i++)
		put_kernel(j, f, &f->x.kernels.kernel[i]);
	json_end_array(j);
	json_end_object(j);
}
