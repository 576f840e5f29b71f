/* SPDX-License-Identifier: Apache-2.0 */
/*
 * As much of FlatBuffers as a .cix container needs (flatbuffers.dev, Internals;
 * noe-abi 7).  Positions are offsets in the whole buffer; nothing is assumed
 * about their alignment.  what names the place in messages.
 */
#ifndef MODEL_FLATBUF_H
#define MODEL_FLATBUF_H

#include "base/bytes.h"
#include "model/check.h"

struct fb_table {
	struct bytes b;		/* the whole buffer */
	uint64_t at, vtable;
	uint16_t size, vsize;	/* bytes of the table and of its vtable */
};

/* A vector whose elements are known to be there. */
struct fb_vector {
	struct bytes b;
	uint64_t at;		/* of element 0 */
	uint32_t n;
};

/* The table that the buffer's first word leads to. */
int fb_root(struct bytes b, struct fb_table *t, struct npu_err *err);

/* A field of 1 to 4 bytes, little-endian, or preset when it is absent. */
int fb_scalar(const struct fb_table *t, unsigned field, size_t width,
    uint32_t preset, const char *what, uint32_t *v, struct npu_err *err);

/* Fields that lead elsewhere.  Absent is CIX_BAD_FB_REQUIRED. */
int fb_table_field(const struct fb_table *t, unsigned field, const char *what,
    struct fb_table *sub, struct npu_err *err);
int fb_vector_field(const struct fb_table *t, unsigned field, size_t width,
    const char *what, struct fb_vector *v, struct npu_err *err);
int fb_string_field(const struct fb_table *t, unsigned field,
    const char *what, struct bytes *s, struct npu_err *err);
bool fb_has(const struct fb_table *t, unsigned field);

/* Element i, less than v->n, of a vector of offsets (width 4). */
int fb_table_element(const struct fb_vector *v, uint32_t i, const char *what,
    struct fb_table *t, struct npu_err *err);
int fb_string_element(const struct fb_vector *v, uint32_t i, const char *what,
    struct bytes *s, struct npu_err *err);

#endif
