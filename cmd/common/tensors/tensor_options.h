/* SPDX-License-Identifier: Apache-2.0 */
/* What a tensor is, as said on the command line or by a model. */
#ifndef CMD_TENSORS_TENSOR_OPTIONS_H
#define CMD_TENSORS_TENSOR_OPTIONS_H

#include "cmd.h"

/* -t, --shape, -s and -z; what was not said has its has_ false. */
struct tensor_options {
	bool has_type, has_shape, has_scale, has_zero;
	uint32_t dtype;
	uint32_t ndim, dim[NPU_MAX_DIMS];
	float scale;
	int32_t zero_point;
};

/* Rows of a program's options, with what it says of each. */
enum { TENSOR_OPTION_SHAPE = 300 };
#define TENSOR_OPTIONS(type, shape, scale, zero) \
	TAKES('t', "type", "=TYPE", COMPLETE_TYPE, type), \
	TAKES(TENSOR_OPTION_SHAPE, "shape", "=N,N,...", COMPLETE_NONE, shape), \
	TAKES('s', "scale", "=S", COMPLETE_NONE, scale), \
	TAKES('z', "zero", "=Z", COMPLETE_NONE, zero)

/* Takes option c with its argument; false if it is none of the four. */
bool tensor_option(struct tensor_options *p, int c, const char *arg);

/*
 * The tensor that *p alone describes, which needs its type; scale 1 and zero
 * point 0 unless said.  size is that of the shape, 0 without one.
 */
void tensor_from_options(const struct tensor_options *p, struct npu_tensor *t);

/* Whether two descriptions agree in type, scale and zero point; the latter two
 * only for integers. */
bool tensor_same_encoding(const struct npu_tensor *a,
    const struct npu_tensor *b);

/* WHICH of MODEL:WHICH, which is cut off arg; NULL: there is none. */
char *tensor_split_name(char *arg);

/*
 * The inputs (or outputs) of the model that MODEL or MODEL:WHICH means, where
 * WHICH is in0, out1 or a tensor's name; *n of them, owned by the caller.
 * Their scale is at least usable: 0 has become 1.  *chosen: WHICH was said.
 */
struct npu_tensor *tensors_of_model(const char *arg, bool outputs, uint16_t *n,
    bool *chosen);

#endif
