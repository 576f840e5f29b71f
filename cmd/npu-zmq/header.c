// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <string.h>

#include "base/err.h"
#include "header.h"
#include "serving/json_in.h"

const char *const message_words[] = { "bad", "frame", "model", "upload",
    "health" };

static int
read_dim(const struct json_in *v, uint32_t *dim, struct npu_err *err)
{
	int64_t n;

	if (!json_in_integer(v, &n))
		return npu_fail(err, NPU_EFORMAT, "shape: %s is not a whole "
		    "number", json_in_kind_name(v));
	if (n < 1 || n > INT32_MAX)
		return npu_fail(err, NPU_EFORMAT, "shape: %" PRId64 " is not "
		    "from 1 to %d", n, INT32_MAX);
	*dim = (uint32_t)n;
	return 0;
}

static int
read_shape(struct header *h, const struct json_in *v, struct npu_err *err)
{
	int rc = 0;

	if (json_in_kind(v) != IN_LIST)
		return npu_fail(err, NPU_EFORMAT, "shape is %s, not a list",
		    json_in_kind_name(v));
	if (json_in_length(v) != HEADER_DIMS)
		return npu_fail(err, NPU_EFORMAT, "shape has %zu numbers, not "
		    "%d", json_in_length(v), HEADER_DIMS);
	for (size_t i = 0; i < HEADER_DIMS && rc == 0; i++)
		rc = read_dim(json_in_at(v, i), &h->dim[i], err);
	return rc;
}

static bool
is_word(struct bytes text, const char *word)
{
	return text.n == strlen(word) && memcmp(text.p, word, text.n) == 0;
}

static int
read_dtype(struct header *h, const struct json_in *v, struct npu_err *err)
{
	struct bytes word = json_in_string(v);

	if (json_in_kind(v) != IN_STRING)
		return npu_fail(err, NPU_EFORMAT, "dtype is %s, not a string",
		    json_in_kind_name(v));
	h->real = is_word(word, "float32");
	if (!h->real && !is_word(word, "uint8"))
		return npu_fail(err, NPU_EFORMAT, "dtype is neither uint8 nor "
		    "float32");
	return 0;
}

static int
read_frame(struct header *h, const struct json_in *v, struct npu_err *err)
{
	int rc = read_shape(h, json_in_member(v, "shape"), err);

	return rc < 0 ? rc : read_dtype(h, json_in_member(v, "dtype"), err);
}

/* Reads a model's name.  A longer name cannot be ours, and becomes "". */
static int
read_name(struct header *h, const struct json_in *v, struct npu_err *err)
{
	struct bytes name = json_in_string(v);

	if (json_in_kind(v) != IN_STRING)
		return npu_fail(err, NPU_EFORMAT, "model_name is %s, not a "
		    "string", json_in_kind_name(v));
	if (name.n < HEADER_NAME && memchr(name.p, '\0', name.n) == NULL)
		memcpy(h->name, name.p, name.n);
	return 0;
}

static int
read_members(struct header *h, const struct json_in *v, struct npu_err *err)
{
	if (json_in_kind(v) != IN_OBJECT)
		return npu_fail(err, NPU_EFORMAT, "the header is %s, not an "
		    "object", json_in_kind_name(v));
	if (json_in_true(json_in_member(v, "model_data"))) {
		h->kind = MESSAGE_UPLOAD;
		return 0;
	}
	if (json_in_true(json_in_member(v, "health"))) {
		h->kind = MESSAGE_HEALTH;
		return 0;
	}
	if (json_in_true(json_in_member(v, "model_request"))) {
		h->kind = MESSAGE_MODEL;
		return read_name(h, json_in_member(v, "model_name"), err);
	}
	h->kind = MESSAGE_FRAME;
	return read_frame(h, v, err);
}

int
header_read(struct header *h, struct bytes text, struct npu_err *err)
{
	struct json_in *v;
	int rc;

	*h = (struct header){ .kind = MESSAGE_BAD };
	if (text.n == 0)
		return npu_fail(err, NPU_EFORMAT, "the header is empty");
	if (text.n > HEADER_BYTES)
		return npu_fail(err, NPU_EFORMAT, "the header has %zu bytes, "
		    "more than %d", text.n, HEADER_BYTES);
	if ((v = json_in_parse(text, HEADER_VALUES, err)) == NULL)
		return npu_prefix(err, NPU_EFORMAT, "the header");
	rc = read_members(h, v, err);
	json_in_free(v);
	return rc;
}
