// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "list_bytes.h"

void
list_begin(struct buf *b, size_t head, uint32_t count)
{
	static const char zeros[MEMORIES_HEAD];

	buf_add(b, &count, sizeof(count));
	buf_add(b, zeros, head - sizeof(count));
}

void
list_set_count(struct buf *b, uint32_t count)
{
	if (!b->failed)
		memcpy(b->p, &count, sizeof(count));
}

void
list_add_memory(struct buf *b, const struct axlf_memory *m)
{
	buf_add(b, &m->type, 1);
	buf_add(b, &m->used, 1);
	buf_add(b, "\0\0\0\0\0\0", 6);
	buf_add(b, &m->kib, sizeof(m->kib));
	buf_add(b, &m->base, sizeof(m->base));
	buf_add(b, m->tag, 16);
}

void
list_add_ip(struct buf *b, const struct axlf_ip *ip)
{
	buf_add(b, &ip->type, sizeof(ip->type));
	buf_add(b, &ip->properties, sizeof(ip->properties));
	buf_add(b, &ip->base, sizeof(ip->base));
	buf_add(b, ip->name, 64);
}

void
list_add_connection(struct buf *b, const struct axlf_connection *c)
{
	buf_add(b, &c->argument, 4);
	buf_add(b, &c->ip, 4);
	buf_add(b, &c->memory, 4);
}

uint32_t
list_ps_properties(uint64_t subtype, uint64_t functional, uint64_t id)
{
	return (uint32_t)(subtype | functional << 4 | id << 16);
}
