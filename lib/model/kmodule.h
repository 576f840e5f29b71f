/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A kernel module's file (.ko): what decides whether the kernel takes it, and
 * whether it does anything then.
 */
#ifndef MODEL_KMODULE_H
#define MODEL_KMODULE_H

#include "base/bytes.h"
#include "npu.h"

enum { KMODULE_LARGEST = 64 << 20 };	/* bytes of a file that are looked at */

struct kmodule {
	/* Longer ones are cut, what is not printable is '?'; "" if there is
	 * none. */
	char vermagic[128];	/* begins with the kernel's release */
	char license[64];
	char imports[128];	/* namespaces, "A, B" */
	bool starts, ends;	/* it has init_module, cleanup_module */
	bool wants_dma_buf;	/* it uses functions of dma-buf, which are in
				   the namespace DMA_BUF since Linux 5.16 */
};

/* NPU_EFORMAT says what of the file cannot be read, and where. */
int kmodule_parse(struct bytes b, struct kmodule *m, struct npu_err *err);

/* How b is compressed: "xz", "zstd", "gzip"; NULL: it is not. */
const char *kmodule_compression(struct bytes b);

#endif
