// SPDX-License-Identifier: Apache-2.0
/* record_json.c - reads a record of detections. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/err.h"
#include "base/json_reason.h"
#include "vision/record_impl.h"

#define SCHEMA "yolo-detect/1"

/* The position of a value, for messages. */
struct json_location {
	size_t detection;	/* its index; ALL: the record */
	const char *key;	/* NULL: the detection as a whole */
	int index;		/* in the array key; -1: key itself */
};

#define ALL SIZE_MAX

__attribute__((format(printf, 3, 4)))
static int
refuse(struct json_location at, struct npu_err *err, const char *fmt, ...)
{
	char detection[40] = "", index[16] = "", why[200];
	bool one = at.detection != ALL;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	if (one)
		snprintf(detection, sizeof(detection), "detections[%zu]",
		    at.detection);
	if (at.index >= 0)
		snprintf(index, sizeof(index), "[%d]", at.index);
	return npu_fail(err, NPU_EFORMAT, "%s%s%s%s: %s", detection,
	    one && at.key != NULL ? "." : "", at.key != NULL ? at.key : "",
	    index, why);
}

/* Returns member at.key of o.  If it is missing, refuses it and returns
 * NULL. */
static json_t *
member(const json_t *o, struct json_location at, struct npu_err *err)
{
	json_t *v = json_object_get(o, at.key);

	if (v == NULL)
		refuse(at, err, "missing");
	return v;
}

static int
whole(const json_t *o, struct json_location at, uint32_t least, uint32_t most,
    uint32_t *value, struct npu_err *err)
{
	const json_t *v = member(o, at, err);
	json_int_t i;

	if (v == NULL)
		return NPU_EFORMAT;
	if (!json_is_integer(v))
		return refuse(at, err, "not a whole number");
	i = json_integer_value(v);
	if (i < least || i > most)
		return refuse(at, err, "%" JSON_INTEGER_FORMAT " is not from "
		    "%" PRIu32 " to %" PRIu32, i, least, most);
	*value = (uint32_t)i;
	return 0;
}

/* Reads a text; *value is NULL if it is null or missing. */
static int
text(const json_t *o, const char *key, const char **value,
    struct npu_err *err)
{
	const json_t *v = json_object_get(o, key);

	if (v != NULL && !json_is_null(v) && !json_is_string(v))
		return refuse((struct json_location){ ALL, key, -1 }, err,
		    "not a string");
	*value = json_string_value(v);
	return 0;
}

/* Reads {"message": "..."}, or only the text. */
static int
read_error(const json_t *root, const char **error, struct npu_err *err)
{
	const json_t *v = json_object_get(root, "error");

	if (!json_is_object(v))
		return text(root, "error", error, err);
	if ((*error = json_string_value(json_object_get(v, "message"))) == NULL)
		return refuse((struct json_location){ ALL, "error.message",
		    -1 }, err, "not a string");
	return 0;
}

static int
read_box(const json_t *o, size_t i, double box[4], struct npu_err *err)
{
	struct json_location at = { i, "box", -1 };
	const json_t *v = member(o, at, err), *number;

	if (v == NULL)
		return NPU_EFORMAT;
	if (!json_is_array(v))
		return refuse(at, err, "not an array");
	if (json_array_size(v) != 4)
		return refuse(at, err, "%zu numbers, not 4",
		    json_array_size(v));
	for (at.index = 0; at.index < 4; at.index++) {
		number = json_array_get(v, (size_t)at.index);
		if (!json_is_number(number))
			return refuse(at, err, "not a number");
		box[at.index] = json_number_value(number);
	}
	at.index = -1;
	if (box[0] > box[2] || box[1] > box[3])
		return refuse(at, err, "right is left of left, or bottom "
		    "above top; x1, y1, x2, y2 are wanted");
	return 0;
}

static int
read_detection(const json_t *o, size_t i, struct annotation *a,
    struct npu_err *err)
{
	struct json_location at = { i, "class", -1 };
	const json_t *v;
	int rc;

	if (!json_is_object(o))
		return refuse((struct json_location){ i, NULL, -1 }, err,
		    "not an object");
	if ((v = member(o, at, err)) == NULL)
		return NPU_EFORMAT;
	if ((a->name = json_string_value(v)) == NULL)
		return refuse(at, err, "not a string");
	at.key = "id";
	if ((rc = whole(o, at, 0, UINT32_MAX, &a->class, err)) < 0)
		return rc;
	at.key = "confidence";
	if ((v = member(o, at, err)) == NULL)
		return NPU_EFORMAT;
	if (!json_is_number(v))
		return refuse(at, err, "not a number");
	a->confidence = json_number_value(v);
	/* Quantising may make it larger than 1. */
	if (a->confidence < 0)
		return refuse(at, err, "%g is less than 0", a->confidence);
	return read_box(o, i, a->box, err);
}

static int
read_detections(struct parsed *p, struct detection_record *r,
    struct npu_err *err)
{
	struct json_location at = { ALL, "detections", -1 };
	const json_t *list = member(p->root, at, err), *o;
	size_t i;
	int rc;

	if (list == NULL)
		return NPU_EFORMAT;
	if (!json_is_array(list))
		return refuse(at, err, "not an array");
	r->n = json_array_size(list);
	p->found = calloc(r->n > 0 ? r->n : 1, sizeof(*p->found));
	if (p->found == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	r->found = p->found;
	json_array_foreach(list, i, o)
		if ((rc = read_detection(o, i, &p->found[i], err)) < 0)
			return rc;
	return 0;
}

static int
read_root(struct parsed *p, struct detection_record *r, struct npu_err *err)
{
	const char *schema = NULL;
	int rc;

	if ((rc = text(p->root, "schema", &schema, err)) < 0)
		return rc;
	if (schema == NULL)
		return npu_fail(err, NPU_EFORMAT, "no \"schema\": not of "
		    "yolo-detect -F json or jsonl");
	if (strcmp(schema, SCHEMA) != 0)
		return npu_fail(err, NPU_EFORMAT, "schema '%.40s', where "
		    SCHEMA " is understood", schema);
	if (json_object_get(p->root, "frame") != NULL &&
	    (rc = whole(p->root, (struct json_location){ ALL, "frame", -1 }, 1,
	    UINT32_MAX, &r->frame, err)) < 0)
		return rc;
	r->not_utf8 = json_is_true(json_object_get(p->root, "invalid_utf8"));
	if ((rc = text(p->root, "file", &r->file, err)) < 0 ||
	    (rc = read_error(p->root, &r->error, err)) < 0 ||
	    r->error != NULL)
		return rc;
	if ((rc = whole(p->root, (struct json_location){ ALL, "width", -1 }, 1,
	    INT32_MAX, &r->width, err)) < 0 ||
	    (rc = whole(p->root, (struct json_location){ ALL, "height", -1 }, 1,
	    INT32_MAX, &r->height, err)) < 0)
		return rc;
	return read_detections(p, r, err);
}

int
parsed_read(struct parsed *p, struct bytes b, struct detection_record *record,
    struct npu_err *err)
{
	struct detection_record r = { 0 };
	json_error_t e;
	int rc;

	p->root = json_loadb((const char *)b.p, b.n, JSON_REJECT_DUPLICATES,
	    &e);
	if (p->root == NULL)
		return npu_fail(err, NPU_EFORMAT, "byte %d: %s", e.position,
		    json_reason(&e));
	if ((rc = read_root(p, &r, err)) < 0)
		return rc;
	*record = r;
	return 0;
}

void
parsed_free(struct parsed *p)
{
	json_decref(p->root);
	free(p->found);
	*p = (struct parsed){ 0 };
}
