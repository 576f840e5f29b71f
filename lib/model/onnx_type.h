/* SPDX-License-Identifier: Apache-2.0 */
/* The element types of ONNX, as TensorProto.DataType of onnx.proto numbers
 * them. */
#ifndef MODEL_ONNX_TYPE_H
#define MODEL_ONNX_TYPE_H

#include <stdint.h>

enum { ONNX_STRING = 8 };

/* Returns our code, enum npu_dtype; NPU_NONE: the type is not one of ours. */
uint32_t onnx_type_dtype(uint64_t type);
/* Returns the bits of an element; 0: unknown, or a string. */
unsigned onnx_type_bits(uint64_t type);
/* Returns our name, or ONNX's if the type is not one of ours; NULL: unknown. */
const char *onnx_type_name(uint64_t type);

#endif
