/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels from JSON in the form of aiecc's kernels.json: their metadata in XML,
 * an entry point for each instance, a connection for each argument with a
 * memory.  The sections are written as xclbinutil 2.25.0 writes them.
 */
#ifndef XCLBIN_PACK_KERNELS_JSON_H
#define XCLBIN_PACK_KERNELS_JSON_H

#include <jansson.h>

#include "base/buf.h"
#include "base/bytes.h"
#include "model/axlf_lists.h"
#include "npu.h"

struct kernel_sections {
	struct buf xml;			/* EMBEDDED_METADATA */
	struct buf ips;			/* IP_LAYOUT; no bytes: no entries */
	struct buf connections;		/* CONNECTIVITY; likewise */
	uint32_t n_ips, n_connections;
	uint32_t n_read;		/* entries before the last kernel's */
	struct axlf_list memories;	/* of MEM_TOPOLOGY; not owned */
	struct buf connected;		/* a byte for each memory: 1 if an
					   argument is connected to it */
	struct buf names;		/* of the kernels, each with its NUL */
	size_t n_kernels;
};

/*
 * Entries are added to those of ip_layout, which may have none.  memories is a
 * MEM_TOPOLOGY and must stay; it may have none.  Free *k with kernels_free().
 */
void kernels_begin(struct kernel_sections *k, struct bytes ip_layout,
    struct bytes memories);
/* Adds the kernels of a document.  NPU_EFORMAT says what in it is wrong. */
int kernels_add(struct kernel_sections *k, const json_t *root,
    struct npu_err *err);
/* Completes the sections.  NPU_EFORMAT: two kernels have one name. */
int kernels_end(struct kernel_sections *k, struct npu_err *err);
void kernels_free(struct kernel_sections *k);

#endif
