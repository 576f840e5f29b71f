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
	return npu_fail(err, NPU_EFORMAT, "not an ONNX file: no "
	    "field of protobuf begins at byte %llu of %zu",
	    (unsigned long long)at, onnx.n);
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

/* ---- The beginning ---------------------------------------------------- */

/* A .cix container with the same first bytes would have its root at an offset
 * beyond half a megabyte. */
bool
onnx_begins(struct bytes onnx)
{
	return onnx.n > 4 && onnx.p[0] == (IR_VERSION << 3 | PB_VARINT) &&
	    onnx.p[1] > 0 && onnx.p[1] < 0x80 && onnx.p[2] >= 0x08;
}

/* ---- Cut files --------------------------------------------------------- */

int
onnx_check_whole(struct bytes onnx, struct npu_err *err)
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
	if (sound || !is_graph)
		return 0;
	return npu_fail(err, NPU_EFORMAT, "a truncated ONNX model: its graph "
	    "continues after the %zu bytes of the file; download it again",
	    onnx.n);
}

/* ---- Messages --------------------------------------------------------- */

/* The maximum nesting of messages that protobuf reads. */
#define DEEPEST 100

/* Returns whether this field contains another of these messages, and stores
 * which. */
static bool
submessage(enum onnx_message in, uint64_t field, enum onnx_message *kind)
{
	static const struct {
		uint8_t in, field, kind;
	} rows[] = {
		{ ONNX_MODEL, 7, ONNX_GRAPH },
		{ ONNX_MODEL, 20, ONNX_TRAINING },
		{ ONNX_MODEL, 25, ONNX_FUNCTION },
		{ ONNX_GRAPH, 1, ONNX_NODE },
		{ ONNX_GRAPH, 5, ONNX_TENSOR },
		{ ONNX_GRAPH, 15, ONNX_SPARSE },
		{ ONNX_NODE, 5, ONNX_ATTRIBUTE },
		{ ONNX_ATTRIBUTE, 5, ONNX_TENSOR },
		{ ONNX_ATTRIBUTE, 6, ONNX_GRAPH },
		{ ONNX_ATTRIBUTE, 10, ONNX_TENSOR },
		{ ONNX_ATTRIBUTE, 11, ONNX_GRAPH },
		{ ONNX_ATTRIBUTE, 22, ONNX_SPARSE },
		{ ONNX_ATTRIBUTE, 23, ONNX_SPARSE },
		{ ONNX_SPARSE, 1, ONNX_TENSOR },
		{ ONNX_SPARSE, 2, ONNX_TENSOR },
		{ ONNX_FUNCTION, 7, ONNX_NODE },
		{ ONNX_FUNCTION, 11, ONNX_ATTRIBUTE },
		{ ONNX_TRAINING, 1, ONNX_GRAPH },
		{ ONNX_TRAINING, 2, ONNX_GRAPH },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (rows[i].in == in && rows[i].field == field) {
			*kind = rows[i].kind;
			return true;
		}
	return false;
}

int
onnx_walk(struct bytes onnx, onnx_visit *visit, void *arg, struct npu_err *err)
{
	/* The messages that enclose the byte at at, the innermost last, and the
	 * end of each message. */
	struct {
		enum onnx_message kind;
		size_t end;
	} in[DEEPEST + 1] = { { ONNX_MODEL, onnx.n } };
	uint64_t at = 0, from;
	struct pb_field f;
	unsigned depth = 0;
	enum onnx_message kind;
	int rc;

	while (at < onnx.n) {
		if (at == in[depth].end) {
			depth--;
			continue;
		}
		from = at;
		if (!pb_next((struct bytes){ onnx.p, in[depth].end }, &at,
		    &f))
			return not_onnx(onnx, from, err);
		if ((rc = visit(arg, in[depth].kind, depth, &f, err)) < 0)
			return rc;
		if (rc == ONNX_SKIP || f.wire != PB_LENGTH ||
		    !submessage(in[depth].kind, f.number, &kind))
			continue;
		if (depth == DEEPEST)
			return npu_fail(err, NPU_EFORMAT, "not an ONNX file: "
			    "messages are nested more than %d deep", DEEPEST);
		in[++depth].kind = kind;
		in[depth].end = at;
		at -= f.data.n;
	}
	return 0;
}

/* ---- Weights ---------------------------------------------------------- */

enum { DATA_LOCATION = 14, EXTERNAL = 1 };	/* of TensorProto */

/* protobuf reads an enum from the low 32 bits of its number. */
static int
find_external(void *arg, enum onnx_message in, unsigned depth,
    const struct pb_field *f, struct npu_err *err)
{
	bool *found = arg;

	(void)depth;
	(void)err;
	if (in == ONNX_TENSOR && f->number == DATA_LOCATION &&
	    f->wire == PB_VARINT && (uint32_t)f->value == EXTERNAL)
		*found = true;
	return 0;
}

int
onnx_external(struct bytes onnx, struct npu_err *err)
{
	bool found = false;
	int rc = onnx_walk(onnx, find_external, &found, err);

	return rc < 0 ? rc : found;
}
