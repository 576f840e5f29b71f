// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "model/write.h"

void
put_u16(struct buf *b, uint16_t v)
{
	buf_add(b, &v, sizeof(v));
}

void
put_u32(struct buf *b, uint32_t v)
{
	buf_add(b, &v, sizeof(v));
}

void
put_align(struct buf *b, size_t n)
{
	while (b->n % n != 0 && !b->failed)
		buf_add(b, "", 1);
}

void
put_u32_at(struct buf *b, size_t at, uint32_t v)
{
	if (b->n >= sizeof(v) && at <= b->n - sizeof(v))
		memcpy(b->p + at, &v, sizeof(v));
}
