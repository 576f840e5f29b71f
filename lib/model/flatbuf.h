/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of FlatBuffers that a .cix container needs (flatbuffers.dev,
 * Internals; noe-abi 7).  Positions are offsets in the whole buffer; they need
 * not be aligned.  what is the field's name in messages.
 */
#ifndef MODEL_FLATBUF_H
#define MODEL_FLATBUF_H

#include "base/bytes.h"
#include "model/check.h"

struct fb_table {
	struct bytes b;		/* the whole buffer */
	uint64_t at, vtable;
	uint16_t size, vsize;	/* bytes of the table, of its vtable */
};

/* A vector whose elements lie within the buffer. */
struct fb_vector {
	struct bytes b;
	uint64_t at;		/* of element 0 */
	uint32_t n;
};

/* Opens the table to which the buffer's first word points. */
int fb_root(struct bytes b, struct fb_table *t, struct npu_err *err);

/* Reads a field of 1 to 4 bytes, little-endian; *v is preset if the field is
 * absent. */
int fb_scalar(const struct fb_table *t, unsigned field, size_t width,
    uint32_t preset, const char *what, uint32_t *v, struct npu_err *err);

/* Read fields that are offsets.  If the field is absent, fail with
 * CIX_BAD_FB_REQUIRED. */
int fb_table_field(const struct fb_table *t, unsigned field, const char *what,
    struct fb_table *sub, struct npu_err *err);
int fb_vector_field(const struct fb_table *t, unsigned field, size_t width,
    const char *what, struct fb_vector *v, struct npu_err *err);
int fb_string_field(const struct fb_table *t, unsigned field,
    const char *what, struct bytes *s, struct npu_err *err);
bool fb_has(const struct fb_table *t, unsigned field);

/* Read element i < v->n of a vector of offsets (width 4). */
int fb_table_element(const struct fb_vector *v, uint32_t i, const char *what,
    struct fb_table *t, struct npu_err *err);
int fb_string_element(const struct fb_vector *v, uint32_t i, const char *what,
    struct bytes *s, struct npu_err *err);

#endif
