/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes sections from kernels in JSON, in the form of aiecc's kernels.json: the
 * metadata in XML, an entry point for each instance, and a connection for each
 * argument with a memory.  The bytes are the same as in the output of
 * xclbinutil 2.25.0.
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
	struct buf ips;			/* IP_LAYOUT; empty without entries */
	struct buf connections;		/* CONNECTIVITY; likewise */
	uint32_t n_ips, n_connections;
	uint32_t n_read;		/* entries that forget_properties() has
					   processed */
	struct axlf_list memories;	/* MEM_TOPOLOGY; not owned */
	struct buf connected;		/* a byte for each memory: 1 if an
					   argument is connected to it */
	struct buf names;		/* kernels' names, each with a NUL */
	size_t n_kernels;
};

/*
 * Begins the sections.  Entries are added after the entries of ip_layout.
 * memories is a MEM_TOPOLOGY and must stay valid.  Both may be empty.  Free *k
 * with kernels_free().
 */
void kernels_begin(struct kernel_sections *k, struct bytes ip_layout,
    struct bytes memories);
/* Adds the kernels of a document.  NPU_EFORMAT if the document is not valid. */
int kernels_add(struct kernel_sections *k, const json_t *root,
    struct npu_err *err);
/* Completes the sections.  NPU_EFORMAT if two kernels have the same name. */
int kernels_end(struct kernel_sections *k, struct npu_err *err);
void kernels_free(struct kernel_sections *k);

#endif
