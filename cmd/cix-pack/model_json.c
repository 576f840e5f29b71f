// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdlib.h>

#include <jansson.h>

#include "base/encoding.h"
#include "base/json_reason.h"
#include "cmd.h"
#include "descriptor.h"
#include "model_json.h"

#define LIMIT ((size_t)1 << 24)

/* Returns the member key of o, or NULL if it is missing or null.  Dies if its
 * type is not the given one; JSON_REAL also accepts integers. */
static const json_t *
member(const json_t *o, const char *key, json_type type, const char *where)
{
	const json_t *v = json_object_get(o, key);

	if (v == NULL || json_is_null(v))
		return NULL;
	if (json_typeof(v) != type &&
	    !(type == JSON_REAL && json_is_integer(v)))
		cmd_die("%s: \"%s\" has the wrong type", where, key);
	return v;
}

static void
json_shape(struct npu_tensor *t, const json_t *o,
    const struct spec_origin *from)
{
	const char *where = from->name;
	const json_t *shape = member(o, "shape", JSON_ARRAY, where);
	const json_t *size = member(o, "bytes", JSON_INTEGER, where), *dim;
	size_t i;

	json_array_foreach(shape, i, dim) {
		if (!json_is_integer(dim))
			cmd_die("%s: \"shape\" is not a list of whole "
			    "numbers", where);
		descriptor_add_dim(t, json_integer_value(dim), from);
	}
	if (shape != NULL && (t->ndim > 0 || size == NULL)) {
		descriptor_set_size(t, from);
		if (size != NULL && json_integer_value(size) !=
		    (json_int_t)t->size)
			descriptor_refuse(from, "\"bytes\" is %lld, but type "
			    "and shape make %" PRIu64, (long long)
			    json_integer_value(size), t->size);
	} else if (size != NULL && json_integer_value(size) > 0)
		t->size = (uint64_t)json_integer_value(size);
	else
		cmd_die("%s: has neither \"shape\" nor \"bytes\"",
		    where);
}

static void
json_tensor(struct tensor_list *l, const json_t *o, const char *file, size_t i)
{
	struct npu_tensor t = { .scale = 1 };
	const json_t *v;
	char where[300];
	const struct spec_origin from = { where, true };

	snprintf(where, sizeof(where), "%s: %s %zu", file, l->kind, i);
	if (!json_is_object(o))
		cmd_die("%s: not an object", where);
	if ((v = member(o, "name", JSON_STRING, where)) != NULL)
		descriptor_set_name(t.name, json_string_value(v),
		    json_string_length(v), &from);
	if ((v = member(o, "type", JSON_STRING, where)) == NULL)
		cmd_die("%s: no \"type\"", where);
	descriptor_set_type(&t, json_string_value(v), &from);
	json_shape(&t, o, &from);
	if ((v = member(o, "scale", JSON_REAL, where)) != NULL)
		descriptor_set_scale(&t, json_number_value(v), &from);
	if ((v = member(o, "zero_point", JSON_INTEGER, where)) != NULL) {
		if (json_integer_value(v) < INT32_MIN ||
		    json_integer_value(v) > INT32_MAX)
			cmd_die("%s: zero point %lld has more than 32 bits",
			    where, (long long)json_integer_value(v));
		t.zero_point = (int32_t)json_integer_value(v);
	}
	tensor_list_append(l, &t, file);
}

static void
json_list(struct tensor_list *l, const json_t *model, const char *key,
    const char *file)
{
	const json_t *a = member(model, key, JSON_ARRAY, file), *o;
	size_t i;

	if (a == NULL)
		cmd_die("%s: no \"%s\"", file, key);
	json_array_foreach(a, i, o)
		json_tensor(l, o, file, i);
}

char *
model_json_read(const char *path, struct tensor_list *in,
    struct tensor_list *out)
{
	const char *file = cmd_input_name(path);
	const json_t *model, *models, *name;
	struct npu_err err;
	struct bytes text;
	json_error_t e;
	json_t *root;
	char *owned, *whole;

	whole = cmd_read_file(path, LIMIT, &text.n);
	text.p = (const uint8_t *)whole;
	if (encoding_begin(&text, true, &err) < 0)
		cmd_die_err(file, &err);
	root = json_loadb((const char *)text.p, text.n,
	    JSON_REJECT_DUPLICATES, &e);
	if (root == NULL)
		cmd_die("%s: not JSON as npu-info --json writes it: line %d: "
		    "%s", file, e.line, json_reason(&e));
	model = root;
	if ((models = member(root, "models", JSON_ARRAY, file)) != NULL) {
		if (json_array_size(models) != 1)
			cmd_die("%s: %zu models; one is needed", file,
			    json_array_size(models));
		model = json_array_get(models, 0);
	}
	if (!json_is_object(model))
		cmd_die("%s: the model is not an object", file);
	json_list(in, model, "inputs", file);
	json_list(out, model, "outputs", file);
	name = member(model, "name", JSON_STRING, file);
	owned = name != NULL ? cmd_copy(json_string_value(name)) : NULL;
	json_decref(root);
	free(whole);
	return owned;
}
