/* SPDX-License-Identifier: Apache-2.0 */
/* The values of an ONNX file's main graph: their shapes, and the numbers of
 * small constants. */
#ifndef MODEL_SHAPES_VALUES_H
#define MODEL_SHAPES_VALUES_H

#include "base/buf.h"
#include "base/bytes.h"
#include "model/shapes/shape.h"
#include "npu.h"

/* Of more values, the shapes are unknown. */
#define VALUES_MOST (1 << 20)

struct graph_value {
	struct bytes name;	/* points into the file */
	struct shape shape;
	uint32_t numbers;	/* index in the numbers, from 1; 0: unknown */
	uint8_t origin;		/* of values with the same name, the smallest
				   counts */
};

struct values {
	struct graph_value *value;	/* by name, each once */
	size_t n;
	struct buf numbers;	/* of struct numbers */
};

/*
 * Reads the values of the main graph.  Weights and inputs have their shapes;
 * the others have the shapes that the file states, if any.  Fails with
 * NPU_ESYSTEM, or with NPU_EFORMAT if onnx is not an ONNX file.  Free with
 * values_free().
 */
int values_read(struct values *v, struct bytes onnx, struct npu_err *err);
void values_free(struct values *v);

/* Returns the value, or NULL. */
struct graph_value *values_find(const struct values *v, struct bytes name);

/* Copies the numbers of a value.  Returns false if they are unknown. */
bool values_get_numbers(const struct values *v, const struct graph_value *value,
    struct numbers *numbers);
void values_set_numbers(struct values *v, struct graph_value *value,
    const struct numbers *numbers);

#endif
