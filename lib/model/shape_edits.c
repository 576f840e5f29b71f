// SPDX-License-Identifier: Apache-2.0
#include "base/err.h"
#include "model/protobuf.h"
#include "model/protobuf_write.h"
#include "model/shape_edits.h"

#define MOST_EDITS (1 << 22)
#define DEEPEST 100	/* the nesting of messages that protobuf reads */

/* Messages of onnx.proto on the way to a dimension. */
enum message {
	MODEL, GRAPH, NODE, ATTRIBUTE, VALUE, TYPE, TENSOR, SHAPE, DIMENSION,
};

enum { VALUE_NAME = 1, DIM_VALUE = 1, DIM_PARAM = 2 };	/* fields */

/* A message that is visited. */
struct visited {
	enum message kind;
	uint64_t end;
	uint64_t length_at;	/* where the length is in the file */
	size_t edit;		/* the index of the edit of the length */
	int64_t growth;		/* of the content, in bytes */
};

struct edit_finder {
	struct shape_edits *e;
	struct bytes onnx;
	const struct size_choices *sizes;
	struct visited in[DEEPEST + 1];
	unsigned depth;
	struct bytes port;	/* the name of the value in the main graph;
				   empty in other graphs */
	uint32_t axis;
};

const struct shape_edit *
shape_edits_get(const struct shape_edits *e, size_t i)
{
	const struct shape_edit *list = (const void *)e->list.p;

	return i < e->list.n / sizeof(*list) ? &list[i] : NULL;
}

void
shape_edits_free(struct shape_edits *e)
{
	buf_free(&e->list);
}

static bool
submessage(enum message in, const struct pb_field *f, enum message *kind)
{
	static const struct {
		uint8_t in, field, kind;
	} rows[] = {
		{ MODEL, 7, GRAPH },
		{ GRAPH, 1, NODE },
		{ GRAPH, 11, VALUE },	/* input */
		{ GRAPH, 12, VALUE },	/* output */
		{ GRAPH, 13, VALUE },	/* value_info */
		{ NODE, 5, ATTRIBUTE },
		{ ATTRIBUTE, 6, GRAPH },
		{ ATTRIBUTE, 11, GRAPH },
		{ VALUE, 2, TYPE },
		{ TYPE, 1, TENSOR },
		{ TENSOR, 2, SHAPE },
		{ SHAPE, 1, DIMENSION },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (f->wire == PB_LENGTH && rows[i].in == in &&
		    rows[i].field == f->number) {
			*kind = rows[i].kind;
			return true;
		}
	return false;
}

/* ---- A dimension ------------------------------------------------------- */

/* Adds an edit, and counts it in the message around it. */
static void
add_edit(struct edit_finder *f, const struct shape_edit *edit)
{
	buf_add(&f->e->list, edit, sizeof(*edit));
	f->in[f->depth].growth += edit->n - (int64_t)edit->removed;
}

/* Reads a dimension.  Returns false if it is damaged.  *size is -1 if it is
 * open. */
static bool
read_dimension(struct bytes dim, int64_t *size, struct bytes *name)
{
	struct pb_field f;
	uint64_t at = 0;

	*size = -1;
	*name = (struct bytes){ 0 };
	while (at < dim.n) {
		if (!pb_next(dim, &at, &f))
			return false;
		if (f.wire == PB_VARINT && f.number == DIM_VALUE)
			*size = (int64_t)f.value;
		if (f.wire == PB_LENGTH && f.number == DIM_PARAM)
			*name = f.data;
	}
	return true;
}

/* Puts the size in place of the first size or name, or in front, and removes
 * other sizes and names.  The file may change at any time, so what was read
 * before is not relied on. */
static bool
set_size(struct edit_finder *f, uint64_t at, struct bytes dim, uint32_t size)
{
	struct shape_edit edit = { .bytes = { DIM_VALUE << 3 | PB_VARINT } };
	uint64_t in = 0, from;
	bool set = false;
	struct pb_field field;

	edit.n = (uint8_t)(1 + pb_encode(edit.bytes + 1, size));
	while (in < dim.n) {
		from = in;
		if (!pb_next(dim, &in, &field))
			return false;
		if (!(field.wire == PB_VARINT && field.number == DIM_VALUE) &&
		    !(field.wire == PB_LENGTH && field.number == DIM_PARAM))
			continue;
		edit.at = at + from;
		edit.removed = in - from;
		add_edit(f, &edit);
		set = true;
		edit.n = 0;
	}
	if (!set) {
		edit.at = at;
		edit.removed = 0;
		add_edit(f, &edit);
	}
	f->e->dimensions++;
	return true;
}

/* Visits the dimension with its content at at. */
static bool
visit_dimension(struct edit_finder *f, uint64_t at, struct bytes dim)
{
	struct bytes name;
	int64_t old;
	uint32_t size;

	if (!read_dimension(dim, &old, &name))
		return false;
	size = old >= 0 ? 0 : size_choices_find(f->sizes, name, f->port,
	    f->axis);
	f->axis++;
	return size == 0 || set_size(f, at, dim, size);
}

/* ---- Messages around dimensions ---------------------------------------- */

/* Finds the name of a value in the main graph. */
static void
begin_value(struct edit_finder *f, struct bytes value)
{
	struct pb_field field;
	uint64_t at = 0;

	f->axis = 0;
	f->port = (struct bytes){ 0 };
	while (f->depth == 2 && at < value.n && pb_next(value, &at, &field))
		if (field.wire == PB_LENGTH && field.number == VALUE_NAME)
			f->port = field.data;
}

/* Enters the message in the field from from to at, and moves *at to the
 * content.  Keeps a place for the edit of its length, which must come before
 * the edits of its content. */
static bool
enter(struct edit_finder *f, enum message kind, uint64_t from, uint64_t *at,
    struct bytes data)
{
	struct visited *v = &f->in[f->depth + 1];
	const struct shape_edit none = { 0 };
	uint64_t tag;

	if (f->depth == DEEPEST)
		return false;
	f->depth++;
	v->kind = kind;
	v->end = *at;
	v->growth = 0;
	v->length_at = from;
	if (!pb_varint(f->onnx, &v->length_at, &tag))
		return false;
	*at -= data.n;
	v->edit = f->e->list.n / sizeof(none);
	buf_add(&f->e->list, &none, sizeof(none));
	if (kind == VALUE)
		begin_value(f, data);
	if (kind != DIMENSION)
		return true;
	if (!visit_dimension(f, *at, data))
		return false;
	*at = v->end;
	return true;
}

/* Leaves a message: completes the edit of its length, or removes the edit if
 * the content stays as it is. */
static bool
leave(struct edit_finder *f)
{
	struct visited *v = &f->in[f->depth--];
	size_t last = f->e->list.n / sizeof(struct shape_edit) - 1;
	struct shape_edit *edit;
	uint64_t begin = v->length_at, length;

	if (f->e->list.failed || !pb_varint(f->onnx, &begin, &length))
		return false;
	edit = (struct shape_edit *)(void *)f->e->list.p + v->edit;
	edit->at = v->length_at;
	if (v->growth == 0) {
		if (v->edit == last)
			f->e->list.n -= sizeof(*edit);
		return true;
	}
	edit->removed = begin - v->length_at;
	edit->n = (uint8_t)pb_encode(edit->bytes, v->end - begin +
	    (uint64_t)v->growth);
	f->in[f->depth].growth += v->growth + edit->n -
	    (int64_t)edit->removed;
	return true;
}

/* Visits the field at *at, and moves *at to the next. */
static bool
visit_field(struct edit_finder *f, uint64_t *at)
{
	const struct visited *v = &f->in[f->depth];
	struct pb_field field;
	enum message kind;
	uint64_t from = *at;

	if (!pb_next((struct bytes){ f->onnx.p, (size_t)v->end }, at, &field))
		return false;
	return !submessage(v->kind, &field, &kind) ||
	    enter(f, kind, from, at, field.data);
}

int
shape_edits_find(struct shape_edits *e, struct bytes onnx,
    const struct size_choices *sizes, struct npu_err *err)
{
	struct edit_finder f = { .e = e, .onnx = onnx, .sizes = sizes };
	uint64_t at = 0;
	bool sound = true;

	*e = (struct shape_edits){ .list = { 0 } };
	f.in[0] = (struct visited){ .kind = MODEL, .end = onnx.n };
	while (sound && (at < onnx.n || f.depth > 0)) {
		if (e->list.n / sizeof(struct shape_edit) > MOST_EDITS)
			return npu_fail(err, NPU_EFORMAT, "more than %d "
			    "changes: the model has too many dimensions",
			    MOST_EDITS);
		if (f.depth > 0 && at == f.in[f.depth].end)
			sound = leave(&f);
		else
			sound = visit_field(&f, &at);
	}
	if (e->list.failed)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	if (!sound)
		return npu_fail(err, NPU_EFORMAT, "not an ONNX model: it is "
		    "damaged at byte %llu of %zu", (unsigned long long)at,
		    onnx.n);
	return 0;
}
