/* SPDX-License-Identifier: Apache-2.0 */
/* The operations of an instruction stream. */
#ifndef MODEL_TXN_OP_H
#define MODEL_TXN_OP_H

#include "base/bytes.h"
#include "npu.h"

/* XAie_TxnOpcode of aie-rt; codes from 0x80 on are the NPU's own. */
enum txn_code {
	TXN_WRITE = 0,
	TXN_BLOCK_WRITE = 1,
	TXN_MASK_WRITE = 3,
	TXN_PREEMPT = 6,
	TXN_LOAD_PDI = 8,
	TXN_WAIT = 0x80,
	TXN_PATCH = 0x81,
	TXN_READ_REGISTERS = 0x82,
	TXN_TIMER = 0x83,
	TXN_MERGED_WAIT = 0x84,
};

enum txn_layout { TXN_LAYOUT_0_1, TXN_LAYOUT_1_0, TXN_LAYOUTS };

struct txn_op {
	unsigned code;
	bool known;		/* false: its length is not known either */
	uint64_t at;		/* its first word, counted in the stream */
	uint64_t words;

	/* For writes and patches. */
	uint32_t reg;		/* address of the first register, in bytes */
	struct bytes data;	/* whole words for this register and those
				 * after */
	uint32_t mask;		/* the bits that are written */
	uint64_t argument, plus;	/* a patch: writes the address of this
					 * buffer, plus so many bytes */
	/* For waits. */
	unsigned columns;	/* the highest column, + 1 */
};

/* Reads the operation at word at, which must be within the stream. */
int txn_op_read(struct bytes stream, enum txn_layout layout, uint64_t at,
    struct txn_op *op, struct npu_err *err);

/* Puts "operation 0x81 at word 16: " before the message.  Returns rc. */
int txn_op_prefix(const struct txn_op *op, int rc, struct npu_err *err);

#endif
