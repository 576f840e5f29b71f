/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the sections that lib/model/axlf_lists.h reads. */
#ifndef XCLBIN_PACK_LIST_BYTES_H
#define XCLBIN_PACK_LIST_BYTES_H

#include "base/buf.h"
#include "model/axlf_lists.h"

/* Bytes before the first entry. */
enum { MEMORIES_HEAD = 8, IPS_HEAD = 8, CONNECTIONS_HEAD = 4 };

/* Adds the header of a list of count entries; head is its size. */
void list_begin(struct buf *b, size_t head, uint32_t count);
/* Changes the count in the header at the beginning of *b. */
void list_set_count(struct buf *b, uint32_t count);

/* Add an entry.  m->tag has at most 15 bytes, ip->name 63. */
void list_add_memory(struct buf *b, const struct axlf_memory *m);
void list_add_ip(struct buf *b, const struct axlf_ip *ip);
void list_add_connection(struct buf *b, const struct axlf_connection *c);

/* Returns the properties of an entry of type AXLF_IP_PS_KERNEL. */
uint32_t list_ps_properties(uint64_t subtype, uint64_t functional,
    uint64_t id);

#endif
