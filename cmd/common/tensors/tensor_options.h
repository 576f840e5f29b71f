/* SPDX-License-Identifier: Apache-2.0 */
/* Describes tensors from the command line or a model. */
#ifndef CMD_TENSORS_TENSOR_OPTIONS_H
#define CMD_TENSORS_TENSOR_OPTIONS_H

#include "cmd.h"

/* The values of -t, --shape, -s and -z; has_ is false if the option was not
 * used. */
struct tensor_options {
	const char *from;	/* the option that contains all four, for
				   messages; NULL: each is an option itself */
	bool has_type, has_shape, has_scale, has_zero;
	uint32_t dtype;
	uint32_t ndim, dim[NPU_MAX_DIMS];
	float scale;
	int32_t zero_point;
};

/* Rows for a program's options; the program supplies the help texts. */
enum { TENSOR_OPTION_SHAPE = 300 };
#define TENSOR_OPTIONS(type, shape, scale, zero) \
	TAKES('t', "type", "=TYPE", COMPLETE_TYPE, type), \
	TAKES(TENSOR_OPTION_SHAPE, "shape", "=N,N,...", COMPLETE_NONE, shape), \
	TAKES('s', "scale", "=S", COMPLETE_NONE, scale), \
	TAKES('z', "zero", "=Z", COMPLETE_NONE, zero)

/* Reads option c with its argument.  Returns false for an option other than
 * these four. */
bool tensor_option(struct tensor_options *p, int c, const char *arg);

/*
 * Sets the tensor that *p alone describes.  A missing type is a usage error;
 * the default scale is 1 and zero point 0.  size is computed from the shape,
 * and is 0 without a shape.
 */
void tensor_from_options(const struct tensor_options *p, struct npu_tensor *t);

/* Sets *f to the same tensor with 32-bit floats as elements. */
void tensor_as_floats(const struct npu_tensor *t, struct npu_tensor *f);

/* True if two tensors have the same type and, for an integer type, the same
 * scale and zero point. */
bool tensor_same_encoding(const struct npu_tensor *a,
    const struct npu_tensor *b);

/* Splits MODEL:WHICH: shortens arg to MODEL and returns WHICH, or NULL if arg
 * is only a model. */
char *tensor_split_name(char *arg);

/*
 * Returns the inputs (or outputs) of the model that arg names as MODEL or
 * MODEL:WHICH, where WHICH is in0, out1 or a tensor's name.  Sets *n to their
 * number; the caller owns them.  A scale of 0 is replaced by 1.  Sets *chosen
 * to the number of WHICH, or to -1 without WHICH.
 */
struct npu_tensor *tensors_of_model(const char *arg, bool outputs, uint16_t *n,
    int *chosen);

#endif
