/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a kernel module's file (.ko): the properties that decide whether the
 * kernel loads the module, and whether the module then does anything. */
#ifndef MODEL_KMODULE_H
#define MODEL_KMODULE_H

#include "base/bytes.h"
#include "npu.h"

enum { KMODULE_LARGEST = 64 << 20 };	/* maximum size of a file */

struct kmodule {
	/* Longer texts are truncated, bytes that are not printable become '?';
	 * "" means absent. */
	char vermagic[128];	/* begins with the kernel's release */
	char license[64];
	char imports[128];	/* namespaces, "A, B" */
	bool linked;		/* has struct module in its own section, which
				 * an object before modpost lacks */
	bool starts, ends;	/* has init_module, cleanup_module */
	bool wants_dma_buf;	/* calls functions of dma-buf, which are in the
				 * namespace DMA_BUF since Linux 5.16 */
};

/* Parses the file.  Fails with NPU_EFORMAT; the message names the part that
 * cannot be read, and its offset. */
int kmodule_parse(struct bytes b, struct kmodule *m, struct npu_err *err);

/* Returns the compression of b: "xz", "zstd" or "gzip"; NULL if not
 * compressed. */
const char *kmodule_compression(struct bytes b);

#endif
