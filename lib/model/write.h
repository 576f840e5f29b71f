/* SPDX-License-Identifier: Apache-2.0 */
/* The two halves of cix_write(), with more options, which tests/tools/mkcix.c
 * uses to make odd and damaged models. */
#ifndef MODEL_WRITE_H
#define MODEL_WRITE_H

#include "model/cix.h"

struct graph_plan {
	/* Inputs, outputs, then the others.  This is the order of their address
	 * slots in rodata, and may differ from the order of their ids. */
	const struct cix_tensor *tensors;
	size_t n_tensors;
	uint32_t device;		/* compilermsg.device */
	struct bytes twin;		/* section .onnx; n 0: absent */
	struct bytes weight, desc;	/* notes; n 0: absent */
	uint32_t lists;			/* lists that share the tensors; 0 means
					 * 1 */
	bool one_section;		/* all tensors of a list in one
					 * section */
	bool reversed;			/* write the last tensor first */
};

/* Appends a graph ELF. */
void graph_write(const struct graph_plan *plan, struct buf *out);

struct container_part {
	const char *name;
	struct bytes blob;
	uint32_t backend;
};

struct container_plan {
	const char *name;
	const struct container_part *parts;
	size_t n_parts;
	/* For the lists of names and the tensor table: inputs, then outputs.
	 * Tensors without a name become input0, output1 and so on. */
	const struct npu_tensor *inputs, *outputs;
	size_t n_inputs, n_outputs;
	bool no_table;			/* leave the tensor table empty */
};

/* Appends a container. */
void container_write(const struct container_plan *plan, struct buf *out);

/* Append little-endian numbers, and zeros up to a multiple of n. */
void put_u16(struct buf *b, uint16_t v);
void put_u32(struct buf *b, uint32_t v);
void put_align(struct buf *b, size_t n);
/* Overwrites 4 bytes; does nothing if b has failed. */
void put_u32_at(struct buf *b, size_t at, uint32_t v);

#endif
