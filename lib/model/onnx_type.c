// SPDX-License-Identifier: Apache-2.0
#include <stddef.h>

#include "model/onnx_type.h"
#include "npu.h"

/* From onnx.proto of ONNX 1.18. */
static const struct {
	const char *name;	/* NULL: ours */
	uint8_t dtype;
	uint8_t bits;
} types[] = {
	[1] = { NULL, NPU_F32, 32 },
	[2] = { NULL, NPU_U8, 8 },
	[3] = { NULL, NPU_S8, 8 },
	[4] = { NULL, NPU_U16, 16 },
	[5] = { NULL, NPU_S16, 16 },
	[6] = { NULL, NPU_S32, 32 },
	[7] = { NULL, NPU_S64, 64 },
	[ONNX_STRING] = { "string", NPU_NONE, 0 },
	[9] = { NULL, NPU_BOOL, 8 },
	[10] = { NULL, NPU_F16, 16 },
	[11] = { NULL, NPU_F64, 64 },
	[12] = { NULL, NPU_U32, 32 },
	[13] = { NULL, NPU_U64, 64 },
	[14] = { "complex64", NPU_NONE, 64 },
	[15] = { "complex128", NPU_NONE, 128 },
	[16] = { NULL, NPU_BF16, 16 },
	[17] = { "float8e4m3fn", NPU_NONE, 8 },
	[18] = { "float8e4m3fnuz", NPU_NONE, 8 },
	[19] = { "float8e5m2", NPU_NONE, 8 },
	[20] = { "float8e5m2fnuz", NPU_NONE, 8 },
	[21] = { "uint4", NPU_NONE, 4 },
	[22] = { "int4", NPU_NONE, 4 },
	[23] = { "float4e2m1", NPU_NONE, 4 },
	[24] = { "float8e8m0", NPU_NONE, 8 },
};

#define NTYPES (sizeof(types) / sizeof(*types))

uint32_t
onnx_type_dtype(uint64_t type)
{
	return type < NTYPES ? types[type].dtype : NPU_NONE;
}

unsigned
onnx_type_bits(uint64_t type)
{
	return type < NTYPES ? types[type].bits : 0;
}

const char *
onnx_type_name(uint64_t type)
{
	if (onnx_type_dtype(type) != NPU_NONE)
		return npu_dtype_name(onnx_type_dtype(type));
	return type < NTYPES ? types[type].name : NULL;
}
