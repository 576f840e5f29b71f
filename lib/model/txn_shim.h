/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The DMA of the shim tiles, as an instruction stream configures it:
 * descriptors, which are registers and keep their values, and queues.  Writing
 * the number of a descriptor to a queue starts its transfer.
 */
#ifndef MODEL_TXN_SHIM_H
#define MODEL_TXN_SHIM_H

#include "model/txn.h"
#include "model/txn_op.h"

enum {
	TXN_COLUMNS = 128,	/* 7 bits of a register's address */
	TXN_DESCRIPTORS = 16,	/* in a tile */
};

struct txn_descriptor {
	uint32_t word[8];
	uint32_t known[8];	/* the bits that were written */
	bool covered;		/* a block write has set word 1 */
	bool patched;
	unsigned argument;	/* buffer whose address was patched in */
	uint64_t plus;		/* bytes added to that address */
};

struct txn_shim {
	struct txn_descriptor descriptors[TXN_COLUMNS][TXN_DESCRIPTORS];
	struct txn_buffer buffers[TXN_BUFFERS];	/* by argument; 0 bytes: not
						 * moved */
	unsigned columns;	/* the highest column used, + 1 */
	unsigned arguments;	/* the highest argument patched, + 1 */
	/* If set, it is called for each transfer in order; a negative result
	 * ends the stream. */
	int (*move)(void *arg, const struct txn_descriptor *d, unsigned runs,
	    bool out, struct npu_err *err);
	void *move_arg;
	bool written;		/* a write to a buffer was queued */
	bool waited;		/* a wait followed the last such write */
};

/* Executes a known operation.  *s must be zero before the first call. */
int txn_shim_apply(struct txn_shim *s, const struct txn_op *op,
    struct npu_err *err);

#endif
