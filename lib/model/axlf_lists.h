/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sections of a container that are lists: memories (MEM_TOPOLOGY,
 * GROUP_TOPOLOGY), entry points (IP_LAYOUT), connections (CONNECTIVITY,
 * GROUP_CONNECTIVITY).  Source: XRT 963c58ee, xrt/detail/xclbin.h.
 */
#ifndef MODEL_AXLF_LISTS_H
#define MODEL_AXLF_LISTS_H

#include "model/axlf.h"

struct axlf_list {
	struct bytes data;	/* the section's bytes */
	uint32_t head, entry;	/* bytes before the first entry; bytes of an
				 * entry */
	int32_t count;		/* according to the section */
	uint32_t room;		/* entries for which there are bytes */
	uint32_t n;		/* the smaller of count and room */
};

/* Read the list in a section.  A section too short for the count gives an empty
 * list. */
struct axlf_list axlf_memory_list(struct bytes data);
struct axlf_list axlf_ip_list(struct bytes data);
struct axlf_list axlf_connection_list(struct bytes data);

enum {
	AXLF_MEM_DDR3 = 0,
	AXLF_MEM_DDR4 = 1,
	AXLF_MEM_DRAM = 2,
	AXLF_MEM_STREAMING = 3,
	AXLF_MEM_HBM = 6,
	AXLF_MEM_STREAMING_CONNECTION = 9,
};

struct axlf_memory {
	uint8_t type;		/* an axlf_memories number */
	uint8_t used;
	uint64_t kib;
	uint64_t base;		/* address */
	char tag[17];
};

struct axlf_ip {
	uint32_t type;		/* an axlf_ips number */
	uint32_t properties;	/* their meaning depends on type */
	uint32_t subtype, functional, id;	/* for AXLF_IP_PS_KERNEL */
	uint64_t base;		/* address, or AXLF_NOT_USED */
	char name[65];		/* "KERNEL:INSTANCE" */
	bool ended;		/* its 64 bytes include a NUL */
};
enum {
	AXLF_IP_KERNEL = 1, AXLF_IP_MEM_DDR4 = 4, AXLF_IP_MEM_HBM,
	AXLF_IP_MEM_HBM_ECC, AXLF_IP_PS_KERNEL,
	AXLF_SUBTYPE_DPU = 1,
};
#define AXLF_NOT_USED UINT64_MAX

/* The numbers of an argument, an entry of IP_LAYOUT and a memory. */
struct axlf_connection {
	int32_t argument, ip, memory;
};

/* Return entry i; i must be less than l->n. */
struct axlf_memory axlf_memory(const struct axlf_list *l, uint32_t i);
struct axlf_ip axlf_ip(const struct axlf_list *l, uint32_t i);
struct axlf_connection axlf_connection(const struct axlf_list *l, uint32_t i);

/* Returns whether the entry belongs to the kernel: the name before its ':' is
 * the kernel's. */
bool axlf_ip_is_of(const struct axlf_ip *ip, const char *kernel);

#endif
