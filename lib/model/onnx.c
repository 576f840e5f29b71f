// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/err.h"
#include "model/onnx.h"
#include "model/protobuf.h"

/* Field numbers of onnx.proto. */
enum {
	IR_VERSION = 1, MODEL_GRAPH = 7, METADATA_PROPS = 14,
	ENTRY_KEY = 1, ENTRY_VALUE = 2,
};

static int
not_onnx(struct bytes onnx, uint64_t at, struct npu_err *err)
{
	return npu_fail(err, NPU_EFORMAT, "no ONNX file: no field of "
	    "protobuf at byte %llu of %zu", (unsigned long long)at, onnx.n);
}

/* ---- Metadata --------------------------------------------------------- */

/* Returns whether an entry has the key, and stores its value. */
static bool
match_entry(struct bytes b, const char *key, struct bytes *value, bool *sound)
{
	struct bytes k = { 0 }, v = { 0 };
	struct pb_field f;
	uint64_t at = 0;

	*sound = true;
	while (at < b.n && (*sound = pb_next(b, &at, &f))) {
		if (f.wire == PB_LENGTH && f.number == ENTRY_KEY)
			k = f.data;
		else if (f.wire == PB_LENGTH && f.number == ENTRY_VALUE)
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
	struct pb_field f;
	int found = 0;

	while (sound && at < onnx.n) {
		from = at;
		sound = pb_next(onnx, &at, &f);
		if (sound && f.wire == PB_LENGTH &&
		    f.number == METADATA_PROPS &&
		    match_entry(f.data, key, &v, &sound))
			found = 1;
	}
	if (!sound)
		return not_onnx(onnx, from, err);
	if (found)
		*value = v;
	return found;
}

/* ---- Cut files --------------------------------------------------------- */

bool
onnx_is_cut(struct bytes onnx)
{
	const uint8_t first = IR_VERSION << 3 | PB_VARINT;
	const uint8_t graph = MODEL_GRAPH << 3 | PB_LENGTH;
	bool is_graph = false, sound = onnx.n > 0 && onnx.p[0] == first;
	struct pb_field f;
	uint64_t at = 0;

	while (sound && at < onnx.n) {
		is_graph = onnx.p[at] == graph;
		sound = pb_next(onnx, &at, &f);
	}
	return is_graph && !sound;
}

/* ---- Weights ---------------------------------------------------------- */

/* The messages of onnx.proto that contain tensors. */
enum kind {
	MODEL, GRAPH, NODE, ATTRIBUTE, TENSOR, SPARSE, FUNCTION, TRAINING,
};

enum { DATA_LOCATION = 14, EXTERNAL = 1 };	/* of TensorProto */

/* The maximum nesting of messages that protobuf reads. */
#define DEEPEST 100

/* Returns whether this field contains another of these messages, and stores
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
is_external(enum kind in, const struct pb_field *f)
{
	return in == TENSOR && f->number == DATA_LOCATION &&
	    f->wire == PB_VARINT && (uint32_t)f->value == EXTERNAL;
}

int
onnx_external(struct bytes onnx, struct npu_err *err)
{
	/* The messages that enclose the byte at at, the innermost last, and the
	 * end of each message. */
	struct {
		enum kind kind;
		size_t end;
	} in[DEEPEST + 1] = { { MODEL, onnx.n } };
	uint64_t at = 0, from;
	struct pb_field f;
	unsigned depth = 0;
	enum kind kind;
	int found = 0;

	while (at < onnx.n) {
		if (at == in[depth].end) {
			depth--;
			continue;
		}
		from = at;
		if (!pb_next((struct bytes){ onnx.p, in[depth].end }, &at,
		    &f))
			return not_onnx(onnx, from, err);
		if (is_external(in[depth].kind, &f))
			found = 1;
		if (f.wire != PB_LENGTH || !submessage(in[depth].kind, f.number,
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
