// SPDX-License-Identifier: Apache-2.0
#include "model/axlf_lists.h"

static struct axlf_list
list(struct bytes data, uint32_t head, uint32_t entry)
{
	struct axlf_list l = { .data = data, .head = head, .entry = entry };
	uint64_t room = data.n < head ? 0 : (data.n - head) / entry;
	uint32_t count = 0;

	bytes_u32(data, 0, &count);
	l.count = (int32_t)count;
	l.room = room > INT32_MAX ? INT32_MAX : (uint32_t)room;
	l.n = l.count < 0 ? 0 : count < l.room ? count : l.room;
	return l;
}

struct axlf_list
axlf_memory_list(struct bytes data)
{
	return list(data, 8, 40);
}

struct axlf_list
axlf_ip_list(struct bytes data)
{
	return list(data, 8, 80);
}

struct axlf_list
axlf_connection_list(struct bytes data)
{
	return list(data, 4, 12);
}

static struct bytes
entry(const struct axlf_list *l, uint32_t i)
{
	return (struct bytes){ l->data.p + l->head + (size_t)i * l->entry,
	    l->entry };
}

struct axlf_memory
axlf_memory(const struct axlf_list *l, uint32_t i)
{
	struct axlf_memory m = { 0 };
	struct bytes b = entry(l, i);

	bytes_get(b, 0, &m.type, 1);
	bytes_get(b, 1, &m.used, 1);
	bytes_get(b, 8, &m.kib, sizeof(m.kib));
	bytes_get(b, 16, &m.base, sizeof(m.base));
	bytes_get(b, 24, m.tag, sizeof(m.tag) - 1);
	return m;
}

struct axlf_ip
axlf_ip(const struct axlf_list *l, uint32_t i)
{
	struct axlf_ip ip = { 0 };
	struct bytes b = entry(l, i);

	bytes_u32(b, 0, &ip.type);
	bytes_u32(b, 4, &ip.properties);
	bytes_get(b, 8, &ip.base, sizeof(ip.base));
	bytes_get(b, 16, ip.name, sizeof(ip.name) - 1);
	ip.subtype = ip.properties & 3;
	ip.functional = ip.properties >> 4 & 3;
	ip.id = ip.properties >> 16 & 0xfff;
	ip.ended = strlen(ip.name) < sizeof(ip.name) - 1;
	return ip;
}

struct axlf_connection
axlf_connection(const struct axlf_list *l, uint32_t i)
{
	struct axlf_connection c = { 0 };
	struct bytes b = entry(l, i);

	bytes_get(b, 0, &c.argument, 4);
	bytes_get(b, 4, &c.ip, 4);
	bytes_get(b, 8, &c.memory, 4);
	return c;
}

bool
axlf_ip_is_of(const struct axlf_ip *ip, const char *kernel)
{
	const char *colon = strchr(ip->name, ':');
	size_t n = colon != NULL ? (size_t)(colon - ip->name) : 0;

	return colon != NULL && strncmp(ip->name, kernel, n) == 0 &&
	    kernel[n] == '\0';
}
