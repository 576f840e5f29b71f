// SPDX-License-Identifier: Apache-2.0
/* Feature-map lists and subgraph entries: noe-abi 8.2 and 8.3. */
#include <math.h>
#include <stdlib.h>

#include "model/reader.h"

/* The maximum that npu-tensor(5) can count in a frame. */
#define MAX_TENSORS 65535

/* Reads words of 32 bits one after another. */
struct cursor {
	struct bytes b;
	uint64_t at;
};

static bool
read_words(struct cursor *c, uint32_t *w, size_t n)
{
	if (!bytes_get(c->b, c->at, w, n * sizeof(*w)))
		return false;
	c->at += n * sizeof(*w);
	return true;
}

/* ---- Sections of lists: noe-abi 8.2 ----------------------------------- */

struct section {
	bool is_static;
	bool is_private;	/* in the subgraphs note; without tensors */
	uint32_t size;
	unsigned list, index;	/* its position, for messages */
};

static bool
is_tensor(uint32_t kind)
{
	switch (kind) {
	case CIX_INPUT: case CIX_OUTPUT: case CIX_DUMP: case CIX_PROFILE:
	case CIX_PRINTF: case CIX_LAYER_COUNTER: case CIX_ERROR_CODE:
	case CIX_OUT_SHAPE: case CIX_SEGMMU:
		return true;
	}
	return false;
}

static int
check_tensor(struct model_reader *r, const struct section *s, uint32_t offset,
    const struct cix_tensor *t)
{
	size_t each = npu_dtype_size(t->desc.dtype);
	uint32_t size = (uint32_t)t->desc.size;
	const char *what = t->kind == CIX_INPUT ? "input" : "output";

	if (reader_refuses(r, CIX_BAD_TENSOR_RANGE,
	    offset > s->size || size > s->size - offset))
		return cix_refuse(r->err, CIX_BAD_TENSOR_RANGE,
		    "%s %u: %u bytes at %u of %u", what, t->id, size, offset,
		    s->size);
	if (reader_refuses(r, CIX_BAD_TENSOR_EMPTY, size == 0))
		return cix_refuse(r->err, CIX_BAD_TENSOR_EMPTY, "%s %u", what,
		    t->id);
	if (reader_refuses(r, CIX_BAD_TENSOR_ELEMENTS,
	    each != 0 && size % each != 0))
		return cix_refuse(r->err, CIX_BAD_TENSOR_ELEMENTS,
		    "%s %u: %u bytes of %s", what, t->id, size,
		    npu_dtype_name(t->desc.dtype));
	if (reader_refuses(r, CIX_BAD_TENSOR_SCALE,
	    !isfinite(t->desc.scale) || t->desc.scale < 0))
		return cix_refuse(r->err, CIX_BAD_TENSOR_SCALE, "%s %u: %g",
		    what, t->id, (double)t->desc.scale);
	return 0;
}

/* Adds a tensor in file order; tensor_order() sorts the tensors. */
static int
add_tensor(struct model_reader *r, const struct cix_tensor *t)
{
	struct cix_graph *g = r->g;
	struct cix_tensor *p;
	size_t cap;

	if (reader_refuses(r, CIX_BAD_MANY_TENSORS,
	    g->n_tensors >= MAX_TENSORS))
		return cix_refuse(r->err, CIX_BAD_MANY_TENSORS,
		    "more than %d", MAX_TENSORS);
	if (g->n_tensors == r->cap) {
		cap = r->cap == 0 ? 8 : r->cap * 2;
		if ((p = realloc(g->tensors, cap * sizeof(*p))) == NULL)
			return npu_fail(r->err, NPU_ESYSTEM, "out of memory");
		g->tensors = p;
		r->cap = cap;
	}
	g->tensors[g->n_tensors++] = *t;
	return 0;
}

/* The 12 words of a sub-section. */
enum {
	SUB_OFFSET = 0, SUB_SIZE, SUB_KIND, SUB_ID, SUB_TYPE, SUB_SCALE,
	SUB_ZERO, SUB_SLOTS = 11, SUB_WORDS
};

static int
read_tensor(struct model_reader *r, const struct section *s, const uint32_t *w)
{
	struct cix_tensor t = { .kind = w[SUB_KIND], .id = w[SUB_ID] };
	int rc;

	t.desc.dtype = w[SUB_TYPE];
	t.desc.size = w[SUB_SIZE];
	memcpy(&t.desc.scale, &w[SUB_SCALE], sizeof(t.desc.scale));
	memcpy(&t.desc.zero_point, &w[SUB_ZERO], sizeof(t.desc.zero_point));
	if ((t.kind == CIX_INPUT || t.kind == CIX_OUTPUT) &&
	    (rc = check_tensor(r, s, w[SUB_OFFSET], &t)) < 0)
		return rc;
	return add_tensor(r, &t);
}

/*
 * Checks the slots.  A slot is an offset in a job's copy of rodata or, beyond
 * the end of rodata, in desc.  The library writes addresses of the sub-section
 * there; 2.0.2 does so without a check.
 */
static int
check_slots(struct model_reader *r, struct bytes slots)
{
	size_t rodata = r->notes.rodata.n, desc = r->notes.desc.n;
	uint32_t slot = 0;

	for (size_t at = 0; at < slots.n; at += sizeof(slot)) {
		bytes_u32(slots, at, &slot);
		if (reader_refuses(r, CIX_BAD_SLOT, !(slot < rodata ?
		    rodata - slot >= 4 :
		    slot - rodata < desc && desc - (slot - rodata) >= 4)))
			return cix_refuse(r->err, CIX_BAD_SLOT,
			    "byte %u of %zu and %zu", slot, rodata, desc);
	}
	return 0;
}

static bool
read_sub(struct cursor *c, uint32_t w[SUB_WORDS], struct bytes *slots)
{
	if (!read_words(c, w, SUB_WORDS) ||
	    !bytes_sub(c->b, c->at, 4ull * w[SUB_SLOTS], slots))
		return false;
	c->at += slots->n;
	return true;
}

static int
read_subs(struct model_reader *r, struct cursor *c, const struct section *s,
    uint32_t n, enum cix_check cut)
{
	uint32_t w[SUB_WORDS] = { 0 };
	struct bytes slots = { NULL, 0 };
	int rc;

	for (uint32_t i = 0; i < n; i++) {
		if (reader_refuses(r, cut, !read_sub(c, w, &slots)))
			return cix_refuse(r->err, cut,
			    "list %u, section %u, part %u of %u", s->list,
			    s->index, i, n);
		if ((rc = check_slots(r, slots)) < 0)
			return rc;
		if (!s->is_static && !s->is_private && is_tensor(w[SUB_KIND]) &&
		    (rc = read_tensor(r, s, w)) < 0)
			return rc;
	}
	return 0;
}

static int
check_static(struct model_reader *r, uint32_t offset, uint32_t size)
{
	size_t weight = r->notes.weight.n;

	r->statics += size;
	if (reader_refuses(r, CIX_BAD_STATIC_RANGE, r->notes.weight.p != NULL &&
	    (offset > weight || size > weight - offset)))
		return cix_refuse(r->err, CIX_BAD_STATIC_RANGE,
		    "%u bytes at %u of %zu", size, offset, weight);
	return 0;
}

/* Reads n sections.  Each is {source, size, align, subs} if static, otherwise
 * {size, align, type, subs}. */
static int
read_sections(struct model_reader *r, struct cursor *c, struct section s,
    uint32_t n, enum cix_check cut)
{
	uint32_t w[4] = { 0 };
	int rc = 0;

	for (uint32_t i = 0; i < n && rc == 0; i++) {
		s.index = i;
		if (reader_refuses(r, cut, !read_words(c, w, 4)))
			return cix_refuse(r->err, cut,
			    "list %u, section %u of %u", s.list, i, n);
		s.size = s.is_static ? w[1] : w[0];
		if (s.is_static)
			rc = check_static(r, w[0], s.size);
		else if (!s.is_private) {
			if (reader_refuses(r, CIX_BAD_SECTION_EMPTY,
			    s.size == 0))
				return cix_refuse(r->err,
				    CIX_BAD_SECTION_EMPTY,
				    "list %u, section %u", s.list, i);
			r->g->reuse += s.size;
		}
		if (rc == 0)
			rc = read_subs(r, c, &s, w[3], cut);
	}
	return rc;
}

static int
read_list(struct model_reader *r, struct cursor *c, uint32_t i, uint32_t n)
{
	struct section s = { .list = i };
	uint32_t w[4] = { 0 };
	int rc;

	if (reader_refuses(r, CIX_BAD_FMLIST_CUT, !read_words(c, w, 4)))
		return cix_refuse(r->err, CIX_BAD_FMLIST_CUT, "list %u of %u",
		    i, n);
	if (reader_refuses(r, CIX_BAD_STACK_SIZE, w[0] == 0))
		return cix_refuse(r->err, CIX_BAD_STACK_SIZE, "list %u", i);
	if (reader_refuses(r, CIX_BAD_STACK_ALIGN, w[1] == 0))
		return cix_refuse(r->err, CIX_BAD_STACK_ALIGN, "list %u", i);
	if (reader_refuses(r, CIX_BAD_NO_REUSE, w[3] == 0))
		return cix_refuse(r->err, CIX_BAD_NO_REUSE, "list %u", i);
	if (w[0] > r->g->stack)
		r->g->stack = w[0];
	s.is_static = true;
	if ((rc = read_sections(r, c, s, w[2], CIX_BAD_FMLIST_CUT)) < 0)
		return rc;
	s.is_static = false;
	return read_sections(r, c, s, w[3], CIX_BAD_FMLIST_CUT);
}

int
fmlist_parse(struct model_reader *r)
{
	struct cursor c = { r->notes.fmlist, 0 };
	uint32_t w[3] = { 0 };
	int rc;

	if (reader_refuses(r, CIX_BAD_FMLIST_CUT, !read_words(&c, w, 3)))
		return cix_refuse(r->err, CIX_BAD_FMLIST_CUT,
		    "%zu bytes", c.b.n);
	if (reader_refuses(r, CIX_BAD_FMLIST_NONE, w[2] == 0))
		return cix_refuse(r->err, CIX_BAD_FMLIST_NONE, "%s", "");
	for (uint32_t i = 0; i < w[2]; i++)
		if ((rc = read_list(r, &c, i, w[2])) < 0)
			return rc;
	return 0;
}

/* ---- The subgraphs note: noe-abi 8.3 ---------------------------------- */

static int
read_entry(struct model_reader *r, struct cursor *c, uint32_t i, uint32_t n)
{
	struct section s = { .is_private = true, .list = i };
	struct bytes precursors = { NULL, 0 };
	uint32_t w[15] = { 0 }, private_sections = 0;
	bool whole;

	whole = read_words(c, w, 15) &&
	    bytes_sub(c->b, c->at, 4ull * w[14], &precursors);
	c->at += precursors.n;
	whole = whole && read_words(c, &private_sections, 1);
	if (reader_refuses(r, CIX_BAD_SUBGRAPHS_CUT, !whole))
		return cix_refuse(r->err, CIX_BAD_SUBGRAPHS_CUT,
		    "entry %u of %u", i, n);
	if (reader_refuses(r, CIX_BAD_PRIVATE_DATA, w[10] == 0))
		return cix_refuse(r->err, CIX_BAD_PRIVATE_DATA,
		    "entry %u", i);
	if (w[10] > r->g->private_data)
		r->g->private_data = w[10];
	/* The count is signed: 2.0.2 reads a negative count as 0 (run). */
	if (private_sections > INT32_MAX)
		private_sections = 0;
	return read_sections(r, c, s, private_sections,
	    CIX_BAD_SUBGRAPHS_CUT);
}

int
fmlist_parse_subgraphs(struct model_reader *r)
{
	struct cursor c = { r->notes.subgraphs, 0 };
	uint32_t n = 0;
	int rc;

	if (reader_refuses(r, CIX_BAD_SUBGRAPHS_CUT, !read_words(&c, &n, 1)))
		return cix_refuse(r->err, CIX_BAD_SUBGRAPHS_CUT,
		    "%zu bytes", c.b.n);
	if (reader_refuses(r, CIX_BAD_SUBGRAPHS_NONE, n == 0))
		return cix_refuse(r->err, CIX_BAD_SUBGRAPHS_NONE, "%s", "");
	for (uint32_t i = 0; i < n; i++)
		if ((rc = read_entry(r, &c, i, n)) < 0)
			return rc;
	r->g->subgraphs = n;
	return 0;
}

/* Parses a u32 count, then 16 bytes for each item.  The note may be absent. */
int
fmlist_parse_remap(struct model_reader *r)
{
	struct bytes remap = r->notes.remap, all;
	uint32_t n = 0;

	if (remap.p == NULL)
		return 0;
	if (reader_refuses(r, CIX_BAD_REMAP_CUT, !bytes_u32(remap, 0, &n) ||
	    !bytes_sub(remap, 4, 16ull * n, &all)))
		return cix_refuse(r->err, CIX_BAD_REMAP_CUT,
		    "%u entries in %zu bytes", n, remap.n);
	return 0;
}
