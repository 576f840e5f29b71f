/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors as the command line or a model describes them. */
#ifndef CMD_TENSORS_TENSOR_OPTIONS_H
#define CMD_TENSORS_TENSOR_OPTIONS_H

#include "cmd.h"

/* -t, --shape, -s and -z; has_ is false where the option is not used. */
struct tensor_options {
	const char *from;	/* the option that has all four, in messages;
				   NULL: each is an option of its own */
	bool has_type, has_shape, has_scale, has_zero;
	uint32_t dtype;
	uint32_t ndim, dim[NPU_MAX_DIMS];
	float scale;
	int32_t zero_point;
};

/* Rows of a program's options, with its own help for each. */
enum { TENSOR_OPTION_SHAPE = 300 };
#define TENSOR_OPTIONS(type, shape, scale, zero) \
	TAKES('t', "type", "=TYPE", COMPLETE_TYPE, type), \
	TAKES(TENSOR_OPTION_SHAPE, "shape", "=N,N,...", COMPLETE_NONE, shape), \
	TAKES('s', "scale", "=S", COMPLETE_NONE, scale), \
	TAKES('z', "zero", "=Z", COMPLETE_NONE, zero)

/* Reads option c with its argument; false if it is none of the four. */
bool tensor_option(struct tensor_options *p, int c, const char *arg);

/*
 * The tensor that *p alone describes: a usage error without a type; scale 1 and
 * zero point 0 by default.  size is that of the shape, 0 without one.
 */
void tensor_from_options(const struct tensor_options *p, struct npu_tensor *t);

/* *f: the same elements as 32-bit floats. */
void tensor_as_floats(const struct npu_tensor *t, struct npu_tensor *f);

/* Whether two tensors agree in type and, if it is an integer, in scale and zero
 * point. */
bool tensor_same_encoding(const struct npu_tensor *a,
    const struct npu_tensor *b);

/* Splits MODEL:WHICH: arg becomes MODEL, the result is WHICH, or NULL if there
 * is none. */
char *tensor_split_name(char *arg);

/*
 * The inputs (or outputs) of the model named by MODEL or MODEL:WHICH, where
 * WHICH is in0, out1 or a tensor's name; *n of them, owned by the caller.
 * A scale of 0 has become 1.  *chosen: its number, -1 if there is no WHICH.
 */
struct npu_tensor *tensors_of_model(const char *arg, bool outputs, uint16_t *n,
    int *chosen);

#endif
