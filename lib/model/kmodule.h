/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel module's file (.ko): the properties that decide whether the kernel
 * loads it, and whether it does anything then. */
#ifndef MODEL_KMODULE_H
#define MODEL_KMODULE_H

#include "base/bytes.h"
#include "npu.h"

enum { KMODULE_LARGEST = 64 << 20 };	/* bytes of a file, at most */

struct kmodule {
	/* Longer texts are cut, bytes that are not printable become '?'; "":
	 * absent. */
	char vermagic[128];	/* begins with the kernel's release */
	char license[64];
	char imports[128];	/* namespaces, "A, B" */
	bool linked;		/* has struct module, in a section of its own;
				   the object before modpost has not */
	bool starts, ends;	/* has init_module, cleanup_module */
	bool wants_dma_buf;	/* uses functions of dma-buf, which are in the
				   namespace DMA_BUF since Linux 5.16 */
};

/* Fails with NPU_EFORMAT; the message names which part cannot be read, and
 * where. */
int kmodule_parse(struct bytes b, struct kmodule *m, struct npu_err *err);

/* The compression of b: "xz", "zstd", "gzip"; NULL: none. */
const char *kmodule_compression(struct bytes b);

#endif
