// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>

#include "model/flatbuf.h"

/* Follows the offset that is stored at at. */
static int
follow(struct bytes b, uint64_t at, const char *what, uint64_t *to,
    struct npu_err *err)
{
	uint32_t off = 0;

	if (CIX_BROKEN(CIX_BAD_FB_OFFSET, !bytes_u32(b, at, &off) ||
	    off == 0 || at + off >= b.n))
		return cix_refuse(err, CIX_BAD_FB_OFFSET,
		    "%s: %" PRIu32 " bytes after %" PRIu64 " of %zu", what,
		    off, at, b.n);
	*to = at + off;
	return 0;
}

static int
table_at(struct bytes b, uint64_t at, const char *what, struct fb_table *out,
    struct npu_err *err)
{
	struct fb_table t = { .b = b, .at = at };
	uint32_t back = 0;
	bool sound;

	sound = bytes_u32(b, at, &back);
	t.vtable = (uint64_t)((int64_t)at - (int32_t)back);
	sound = sound && bytes_u16(b, t.vtable, &t.vsize) &&
	    bytes_u16(b, t.vtable + 2, &t.size) && t.vsize >= 4 &&
	    t.vsize % 2 == 0 && t.vsize <= b.n - t.vtable &&
	    t.size >= 4 && t.size <= b.n - at;
	if (CIX_BROKEN(CIX_BAD_FB_VTABLE, !sound))
		return cix_refuse(err, CIX_BAD_FB_VTABLE,
		    "%s: table at %" PRIu64 " of %zu", what, at, b.n);
	*out = t;
	return 0;
}

int
fb_root(struct bytes b, struct fb_table *t, struct npu_err *err)
{
	uint32_t at = 0;

	if (CIX_BROKEN(CIX_BAD_FB_ROOT, !bytes_u32(b, 0, &at) || at < 4 ||
	    b.n < 4 || at > b.n - 4))
		return cix_refuse(err, CIX_BAD_FB_ROOT,
		    "byte %" PRIu32 " of %zu", at, b.n);
	return table_at(b, at, "root", t, err);
}

/* Returns the offset of a field within its table, or 0 if it is absent. */
static uint16_t
field_offset(const struct fb_table *t, unsigned field)
{
	uint16_t off = 0;

	if (4 + 2 * field + 2 <= t->vsize)
		bytes_u16(t->b, t->vtable + 4 + 2 * field, &off);
	return off;
}

bool
fb_has(const struct fb_table *t, unsigned field)
{
	return field_offset(t, field) != 0;
}

static int
field_at(const struct fb_table *t, unsigned field, size_t width,
    const char *what, uint64_t *at, struct npu_err *err)
{
	uint16_t off = field_offset(t, field);

	if (CIX_BROKEN(CIX_BAD_FB_FIELD, off < 4 || off + width > t->size))
		return cix_refuse(err, CIX_BAD_FB_FIELD,
		    "%s: byte %u of a table of %u", what, off, t->size);
	*at = t->at + off;
	return 0;
}

int
fb_scalar(const struct fb_table *t, unsigned field, size_t width,
    uint32_t preset, const char *what, uint32_t *v, struct npu_err *err)
{
	uint64_t at = 0;
	uint32_t got = 0;
	int rc;

	if (!fb_has(t, field)) {
		*v = preset;
		return 0;
	}
	if ((rc = field_at(t, field, width, what, &at, err)) < 0)
		return rc;
	bytes_get(t->b, at, &got, width);
	*v = got;
	return 0;
}

/* Follows a required field of 4 bytes. */
static int
required(const struct fb_table *t, unsigned field, const char *what,
    uint64_t *to, struct npu_err *err)
{
	uint64_t at = 0;
	int rc;

	if (CIX_BROKEN(CIX_BAD_FB_REQUIRED, !fb_has(t, field)))
		return cix_refuse(err, CIX_BAD_FB_REQUIRED, "%s", what);
	if ((rc = field_at(t, field, 4, what, &at, err)) < 0)
		return rc;
	return follow(t->b, at, what, to, err);
}

int
fb_table_field(const struct fb_table *t, unsigned field, const char *what,
    struct fb_table *sub, struct npu_err *err)
{
	uint64_t at = 0;
	int rc;

	if ((rc = required(t, field, what, &at, err)) < 0)
		return rc;
	return table_at(t->b, at, what, sub, err);
}

int
fb_vector_field(const struct fb_table *t, unsigned field, size_t width,
    const char *what, struct fb_vector *v, struct npu_err *err)
{
	struct bytes all;
	uint32_t n = 0;
	uint64_t at = 0;
	int rc;

	if ((rc = required(t, field, what, &at, err)) < 0)
		return rc;
	if (CIX_BROKEN(CIX_BAD_FB_VECTOR, !bytes_u32(t->b, at, &n) ||
	    !bytes_sub(t->b, at + 4, (uint64_t)n * width, &all)))
		return cix_refuse(err, CIX_BAD_FB_VECTOR,
		    "%s: %" PRIu64 " bytes are needed, the file has %zu",
		    what, at + 4 + (uint64_t)n * width, t->b.n);
	*v = (struct fb_vector){ t->b, at + 4, n };
	return 0;
}

/* Stores the string at at.  The final NUL is part of the format, and readers in
 * C rely on it. */
static int
string_at(struct bytes b, uint64_t at, const char *what, struct bytes *s,
    struct npu_err *err)
{
	struct bytes got = { NULL, 0 };
	uint32_t n = 0;
	bool sound;

	sound = bytes_u32(b, at, &n) &&
	    bytes_sub(b, at + 4, (uint64_t)n + 1, &got) && got.p[n] == '\0';
	if (CIX_BROKEN(CIX_BAD_FB_STRING, !sound))
		return cix_refuse(err, CIX_BAD_FB_STRING,
		    "%s: %" PRIu32 " bytes at %" PRIu64 " of %zu", what, n,
		    at, b.n);
	*s = (struct bytes){ got.p, n };
	return 0;
}

int
fb_string_field(const struct fb_table *t, unsigned field, const char *what,
    struct bytes *s, struct npu_err *err)
{
	uint64_t at = 0;
	int rc;

	if ((rc = required(t, field, what, &at, err)) < 0)
		return rc;
	return string_at(t->b, at, what, s, err);
}

int
fb_table_element(const struct fb_vector *v, uint32_t i, const char *what,
    struct fb_table *t, struct npu_err *err)
{
	uint64_t at = 0;
	int rc;

	if ((rc = follow(v->b, v->at + 4ull * i, what, &at, err)) < 0)
		return rc;
	return table_at(v->b, at, what, t, err);
}

int
fb_string_element(const struct fb_vector *v, uint32_t i, const char *what,
    struct bytes *s, struct npu_err *err)
{
	uint64_t at = 0;
	int rc;

	if ((rc = follow(v->b, v->at + 4ull * i, what, &at, err)) < 0)
		return rc;
	return string_at(v->b, at, what, s, err);
}
