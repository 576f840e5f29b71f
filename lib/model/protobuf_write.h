/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Appends the fields of a protobuf message to a buffer.  For a nested message,
 * fill a buffer with its fields, and append it with pb_put_message().  As in
 * base/buf.h, a failed allocation sets failed, which is checked at the end.
 */
#ifndef MODEL_PROTOBUF_WRITE_H
#define MODEL_PROTOBUF_WRITE_H

#include "base/buf.h"
#include "base/bytes.h"

/* The longest number, and the longest number of a field with its wire type. */
enum { PB_MOST_VARINT = 10, PB_MOST_TAG = 5 };

/* Stores v at p, as few bytes as possible, and returns how many. */
size_t pb_encode(uint8_t p[PB_MOST_VARINT], uint64_t v);
/* Returns how many bytes pb_encode() stores. */
size_t pb_encoded_size(uint64_t v);

/* A number without a field, such as one in a packed field. */
void pb_put_number(struct buf *b, uint64_t v);
/* The number of a field with its wire type (protobuf.h), before its content. */
void pb_put_tag(struct buf *b, uint32_t field, unsigned wire);

/* int32, int64, uint64, bool or an enum; a negative number has 10 bytes. */
void pb_put_int(struct buf *b, uint32_t field, int64_t v);
void pb_put_float(struct buf *b, uint32_t field, float v);
void pb_put_bytes(struct buf *b, uint32_t field, struct bytes v);
void pb_put_string(struct buf *b, uint32_t field, const char *v);
/* Appends the fields in m as a nested message, and frees m.  If m failed, b
 * fails. */
void pb_put_message(struct buf *b, uint32_t field, struct buf *m);
/* Repeated numbers in one field, such as the dimensions of a tensor. */
void pb_put_packed(struct buf *b, uint32_t field, const int64_t *v, size_t n);

#endif
