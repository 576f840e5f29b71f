/* SPDX-License-Identifier: Apache-2.0 */
/* The changes that fix open dimensions in the bytes of an ONNX file. */
#ifndef MODEL_SHAPE_EDITS_H
#define MODEL_SHAPE_EDITS_H

#include "model/size_choices.h"

/* Replaces removed bytes at at by n bytes. */
struct shape_edit {
	uint64_t at, removed;
	uint8_t n;
	uint8_t bytes[11];
};

struct shape_edits {
	struct buf list;	/* of struct shape_edit, by at */
	uint64_t dimensions;	/* that get a size */
};

/*
 * Finds the changes: in the inputs, outputs and value_info of the main graph
 * and of the graphs in its nodes, each open dimension whose size was chosen
 * gets the size in place of its name, and the messages around it get their new
 * lengths.  All other bytes stay, also unknown fields.  Fails with NPU_EFORMAT
 * if onnx is damaged or has too many dimensions.  Free with
 * shape_edits_free(), also after a failure.
 */
int shape_edits_find(struct shape_edits *e, struct bytes onnx,
    const struct size_choices *sizes, struct npu_err *err);
void shape_edits_free(struct shape_edits *e);

/* Returns the i-th edit, or NULL after the last. */
const struct shape_edit *shape_edits_get(const struct shape_edits *e, size_t i);

#endif
