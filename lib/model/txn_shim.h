/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The DMA of the shim tiles, as an instruction stream sets it up: descriptors,
 * which are registers and thus memory, and queues.  Writing the number of a
 * descriptor to a queue begins its transfer.
 */
#ifndef MODEL_TXN_SHIM_H
#define MODEL_TXN_SHIM_H

#include "model/txn.h"
#include "model/txn_op.h"

enum {
	TXN_COLUMNS = 128,	/* 7 bits of a register's address */
	TXN_DESCRIPTORS = 16,	/* of a tile */
};

struct txn_descriptor {
	uint32_t word[8];
	uint32_t known[8];	/* the bits that were written */
	bool covered;		/* a block write has set word 1 */
	bool patched;
	unsigned argument;	/* patched with the address of this buffer */
	uint64_t plus;		/* and with so many bytes more */
};

struct txn_shim {
	struct txn_descriptor descriptors[TXN_COLUMNS][TXN_DESCRIPTORS];
	struct txn_buffer buffers[TXN_BUFFERS];	/* by argument; 0 bytes: not
						   moved */
	unsigned columns;	/* the greatest column touched, + 1 */
	unsigned arguments;	/* the greatest argument patched, + 1 */
	/* If set, called for each transfer in order; a negative result ends the
	 * stream. */
	int (*move)(void *arg, const struct txn_descriptor *d, unsigned runs,
	    bool out, struct npu_err *err);
	void *move_arg;
	bool written;		/* a transfer to a buffer was queued */
	bool waited;		/* and a wait followed the last one */
};

/* Executes an operation that is known.  *s begins as zeros. */
int txn_shim_apply(struct txn_shim *s, const struct txn_op *op,
    struct npu_err *err);

#endif
