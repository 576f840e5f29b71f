// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/err.h"
#include "model/onnx.h"

/* Field numbers of onnx.proto, and protobuf's wire types. */
enum { METADATA_PROPS = 14, ENTRY_KEY = 1, ENTRY_VALUE = 2 };
enum { VARINT = 0, FIXED64 = 1, LENGTH = 2, FIXED32 = 5 };

struct onnx_field {
	uint64_t number;
	unsigned wire;
	uint64_t value;		/* of wire type VARINT */
	struct bytes data;	/* of wire type LENGTH */
};

/* Reads a number in 7 bits per byte, the low bits first. */
static bool
varint(struct bytes b, uint64_t *at, uint64_t *v)
{
	uint8_t byte;

	*v = 0;
	for (unsigned shift = 0; shift < 64; shift += 7) {
		if (!bytes_get(b, (*at)++, &byte, 1))
			return false;
		*v |= (uint64_t)(byte & 0x7f) << shift;
		if ((byte & 0x80) == 0)
			return true;
	}
	return false;
}

/* Reads the field at *at, which moves behind it; false if there is none. */
static bool
next_field(struct bytes b, uint64_t *at, struct onnx_field *f)
{
	uint64_t tag, n = 0;

	if (!varint(b, at, &tag))
		return false;
	f->number = (uint32_t)tag >> 3;	/* protobuf drops the bits above */
	f->wire = tag & 7;
	f->value = 0;
	f->data = (struct bytes){ 0 };
	switch (f->wire) {
	case VARINT:
		return f->number != 0 && varint(b, at, &f->value);
	case FIXED64:
		n = 8;
		break;
	case FIXED32:
		n = 4;
		break;
	case LENGTH:
		if (!varint(b, at, &n))
			return false;
		break;
	default:
		return false;
	}
	if (f->number == 0 || !bytes_sub(b, *at, n, &f->data))
		return false;
	*at += n;
	return true;
}

static int
not_onnx(struct bytes onnx, uint64_t at, struct npu_err *err)
{
	return npu_fail(err, NPU_EFORMAT, "no ONNX file: no field of "
	    "protobuf at byte %llu of %zu", (unsigned long long)at, onnx.n);
}

/* ---- Metadata --------------------------------------------------------- */

/* Whether an entry has this key; *value: its value. */
static bool
match_entry(struct bytes b, const char *key, struct bytes *value, bool *sound)
{
	struct bytes k = { 0 }, v = { 0 };
	struct onnx_field f;
	uint64_t at = 0;

	*sound = true;
	while (at < b.n && (*sound = next_field(b, &at, &f))) {
		if (f.wire == LENGTH && f.number == ENTRY_KEY)
			k = f.data;
		else if (f.wire == LENGTH && f.number == ENTRY_VALUE)
			v = f.data;
	}
	if (!*sound || k.n != strlen(key) ||
	    (k.n > 0 && memcmp(k.p, key, k.n) != 0))
		return false;
	*value = v;
	return true;
}

int
onnx_metadata(struct bytes onnx, const char *key, struct bytes *value,
    struct npu_err *err)
{
	struct bytes v = { 0 };
	uint64_t at = 0, from = 0;
	bool sound = onnx.n > 0;
	struct onnx_field f;
	int found = 0;

	while (sound && at < onnx.n) {
		from = at;
		sound = next_field(onnx, &at, &f);
		if (sound && f.wire == LENGTH && f.number == METADATA_PROPS &&
		    match_entry(f.data, key, &v, &sound))
			found = 1;
	}
	if (!sound)
		return not_onnx(onnx, from, err);
	if (found)
		*value = v;
	return found;
}

/* ---- Weights ---------------------------------------------------------- */

/* The messages of onnx.proto that contain tensors. */
enum kind {
	MODEL, GRAPH, NODE, ATTRIBUTE, TENSOR, SPARSE, FUNCTION, TRAINING,
};

enum { DATA_LOCATION = 14, EXTERNAL = 1 };	/* of TensorProto */

/* The deepest nesting of messages that protobuf reads. */
#define DEEPEST 100

/* Whether this field of a message is another of these messages; *kind:
 * which. */
static bool
submessage(enum kind in, uint64_t field, enum kind *kind)
{
	static const struct {
		uint8_t in, field, kind;
	} rows[] = {
		{ MODEL, 7, GRAPH }, { MODEL, 20, TRAINING },
		{ MODEL, 25, FUNCTION },
		{ GRAPH, 1, NODE }, { GRAPH, 5, TENSOR },
		{ GRAPH, 15, SPARSE },
		{ NODE, 5, ATTRIBUTE },
		{ ATTRIBUTE, 5, TENSOR }, { ATTRIBUTE, 6, GRAPH },
		{ ATTRIBUTE, 10, TENSOR }, { ATTRIBUTE, 11, GRAPH },
		{ ATTRIBUTE, 22, SPARSE }, { ATTRIBUTE, 23, SPARSE },
		{ SPARSE, 1, TENSOR }, { SPARSE, 2, TENSOR },
		{ FUNCTION, 7, NODE }, { FUNCTION, 11, ATTRIBUTE },
		{ TRAINING, 1, GRAPH }, { TRAINING, 2, GRAPH },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (rows[i].in == in && rows[i].field == field) {
			*kind = rows[i].kind;
			return true;
		}
	return false;
}

/* protobuf reads an enum from the low 32 bits of its number. */
static bool
is_external(enum kind in, const struct onnx_field *f)
{
	return in == TENSOR && f->number == DATA_LOCATION &&
	    f->wire == VARINT && (uint32_t)f->value == EXTERNAL;
}

int
onnx_external(struct bytes onnx, struct npu_err *err)
{
	/* The messages around the byte at, the innermost last, and their
	 * ends. */
	struct {
		enum kind kind;
		size_t end;
	} in[DEEPEST + 1] = { { MODEL, onnx.n } };
	uint64_t at = 0, from;
	struct onnx_field f;
	unsigned depth = 0;
	enum kind kind;
	int found = 0;

	while (at < onnx.n) {
		if (at == in[depth].end) {
			depth--;
			continue;
		}
		from = at;
		if (!next_field((struct bytes){ onnx.p, in[depth].end }, &at,
		    &f))
			return not_onnx(onnx, from, err);
		if (is_external(in[depth].kind, &f))
			found = 1;
		if (f.wire != LENGTH || !submessage(in[depth].kind, f.number,
		    &kind))
			continue;
		if (depth == DEEPEST)
			return npu_fail(err, NPU_EFORMAT, "no ONNX file: more "
			    "than %d messages in each other", DEEPEST);
		in[++depth].kind = kind;
		in[depth].end = at;
		at -= f.data.n;
	}
	return found;
}
