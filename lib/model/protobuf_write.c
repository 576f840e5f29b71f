// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "model/protobuf.h"
#include "model/protobuf_write.h"

size_t
pb_encode(uint8_t p[PB_MOST_VARINT], uint64_t v)
{
	size_t n = 0;

	for (; v > 0x7f; v >>= 7)
		p[n++] = (uint8_t)(v | 0x80);
	p[n++] = (uint8_t)v;
	return n;
}

size_t
pb_encoded_size(uint64_t v)
{
	uint8_t p[PB_MOST_VARINT];

	return pb_encode(p, v);
}

void
pb_put_number(struct buf *b, uint64_t v)
{
	uint8_t p[PB_MOST_VARINT];

	buf_add(b, p, pb_encode(p, v));
}

void
pb_put_tag(struct buf *b, uint32_t field, unsigned wire)
{
	pb_put_number(b, (uint64_t)field << 3 | wire);
}

void
pb_put_int(struct buf *b, uint32_t field, int64_t v)
{
	pb_put_tag(b, field, PB_VARINT);
	pb_put_number(b, (uint64_t)v);
}

void
pb_put_float(struct buf *b, uint32_t field, float v)
{
	pb_put_tag(b, field, PB_FIXED32);
	buf_add(b, &v, sizeof(v));
}

void
pb_put_bytes(struct buf *b, uint32_t field, struct bytes v)
{
	pb_put_tag(b, field, PB_LENGTH);
	pb_put_number(b, v.n);
	if (v.n > 0)
		buf_add(b, v.p, v.n);
}

void
pb_put_string(struct buf *b, uint32_t field, const char *v)
{
	pb_put_bytes(b, field, (struct bytes){ (const uint8_t *)v, strlen(v) });
}

void
pb_put_message(struct buf *b, uint32_t field, struct buf *m)
{
	pb_put_bytes(b, field, (struct bytes){ (const uint8_t *)m->p, m->n });
	if (m->failed)
		b->failed = true;
	buf_free(m);
}

void
pb_put_packed(struct buf *b, uint32_t field, const int64_t *v, size_t n)
{
	size_t size = 0;

	for (size_t i = 0; i < n; i++)
		size += pb_encoded_size((uint64_t)v[i]);
	pb_put_tag(b, field, PB_LENGTH);
	pb_put_number(b, size);
	for (size_t i = 0; i < n; i++)
		pb_put_number(b, (uint64_t)v[i]);
}
