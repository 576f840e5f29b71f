/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instruction streams of AMD XDNA NPUs, as mlir-aie's aiecc writes them: words
 * of 32 bits in insts.bin, or the same words as text in insts.txt.  A stream
 * configures the DMA of the shim tiles, which moves data between the NPU and a
 * kernel's buffers, and waits until the DMA is done.  A container (xclbin) does
 * not hold the stream.
 *
 * Sources: mlir-aie's AIETargetNPU.cpp (version 0.1 since March 2025, 1.0
 * before) and aiebu in XRT's tree.
 */
#ifndef MODEL_TXN_H
#define MODEL_TXN_H

#include "base/bytes.h"
#include "npu.h"

enum {
	/* The maximum size of a file in bytes: instructions lie in the device's
	 * heap of 64 MiB, and text has up to 10 bytes for each word of 4
	 * bytes. */
	TXN_LARGEST = 160 << 20,
	/* The maximum that fits in a kernel's register map (XDNA_REGISTERS). */
	TXN_BUFFERS = 512,
};

/* The generations of devices for which a stream can be written.  A partition
 * may have all columns of its device (Linux, drivers/accel/amdxdna/aie2_ctx.c,
 * aie2_hwctx_col_list()). */
enum {
	TXN_NPU1 = 3,
	TXN_NPU4 = 4,		/* npu2 to npu6 */
	TXN_NPU1_COLUMNS = 5,	/* one has no core; npu4 has more */
};

/* A kernel's buffer that the stream reads or writes. */
struct txn_buffer {
	unsigned argument;	/* number of the buffer, from 0 */
	bool in, out;		/* the NPU reads it, writes it, or both */
	uint64_t bytes;		/* up to the last byte moved; 1 to 4 GiB */
};

struct txn {
	/* From the header. */
	unsigned major, minor;
	unsigned generation;	/* TXN_NPU1 or TXN_NPU4 */
	unsigned rows, columns, memory_rows;	/* of the compiler's device */
	uint32_t operations;

	/* False if reading stopped at an unknown operation.  The members below
	 * then describe only the operations before it. */
	bool complete;
	unsigned unknown;	/* its code, if not complete */
	uint64_t unknown_at;	/* its first word, counted in the stream */

	unsigned columns_used;	/* the highest column used, + 1 */
	unsigned arguments;	/* the highest argument, + 1, including
				 * arguments without a transfer */
	struct txn_buffer buffers[TXN_BUFFERS];	/* in order of arguments */
	size_t n_buffers;

	struct bytes words;	/* the stream in binary form: a copy if the file
				 * is text, otherwise the file's bytes */
	void *copy;		/* freed by txn_free() */
};

/*
 * Reads a file in either form.  *t points into the file, unless the file is
 * text.  If this returns 0, free *t with txn_free().  Fails with NPU_EFORMAT
 * for streams that the device could not execute, and for complete streams that
 * write to no buffer or do not wait for the last write.
 */
int txn_read(struct txn *t, struct bytes file, struct npu_err *err);
void txn_free(struct txn *t);

/* Fails with NPU_EFORMAT if the stream is not complete; the message names the
 * operation. */
int txn_check_complete(const struct txn *t, struct npu_err *err);

/* Fails with NPU_EUSAGE if the stream needs a buffer that the kernel lacks or a
 * column that the partition lacks, or if the partition needs more columns than
 * the stream's device has. */
int txn_fits(const struct txn *t, unsigned buffers_of_kernel,
    unsigned columns_of_partition, struct npu_err *err);

/* Executes all known operations of a stream.  *s (model/txn_shim.h) must be
 * zero, except move and move_arg. */
struct txn_shim;
int txn_execute(const struct txn *t, struct txn_shim *s, struct npu_err *err);

/* Returns the devices of t's generation: "npu1", "npu4 and newer". */
const char *txn_device(const struct txn *t);

#endif
