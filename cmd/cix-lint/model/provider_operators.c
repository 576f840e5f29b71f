// SPDX-License-Identifier: Apache-2.0
/*
 * The operators that the execution provider Zhouyi of ONNX Runtime takes for
 * the target X2, and their types.  Facts from Compass_Onnxruntime 6831023d, a
 * fork of ONNX Runtime (MIT): zhouyi/docs/Support_Ops_Model_X2.md, release
 * 1.22.0, MiniPkg 4.1.0.
 */
#include "operators.h"

enum {
	I8 = TYPE_I8, I16 = TYPE_I16, I32 = TYPE_I32, BOOL = TYPE_BOOL,
	QDQ = TYPE_QDQ,
	F = TYPE_FLOAT | TYPE_QDQ,	/* what takes float takes both */
};

/* In the order of strcmp(). */
static const struct provider_operator table[] = {
	{ "Abs", I8 | I16, NULL },
	{ "Add", I8 | I16 | F, NULL },
	{ "And", BOOL, NULL },
	{ "AveragePool", F, NULL },
	{ "BatchNormalization", I8 | I16 | F, NULL },
	{ "BitwiseAnd", I8 | I16, NULL },
	{ "BitwiseNot", I8 | I16, NULL },
	{ "BitwiseOr", I8 | I16, NULL },
	{ "BitwiseXor", I8 | I16, NULL },
	{ "Cast", I8 | I16 | I32 | F, NULL },
	{ "Clip", I8 | I16, NULL },
	{ "Concat", I8 | I16 | F, NULL },
	{ "Conv", F, NULL },
	{ "CumSum", I32, NULL },
	{ "DepthToSpace", I8 | I16 | F, NULL },
	{ "DequantizeLinear", I8 | I16, "to f" },
	{ "Div", I8 | F, NULL },
	{ "Equal", I8 | I16 | I32 | F, NULL },
	{ "Erf", I8 | I16 | F, NULL },
	{ "Expand", I8 | I16 | F, NULL },
	{ "Flatten", I8 | I16 | F, NULL },
	{ "Gather", I8 | I16 | F, "int32 indices, none negative" },
	{ "GatherElements", I8 | I16 | F, NULL },
	{ "GatherND", I8 | I16 | F, "constant indices" },
	{ "Gemm", QDQ,
	    "with C: B and C constant, alpha 1, beta 1, transA 0, transB 1" },
	{ "GlobalAveragePool", F, NULL },
	{ "GlobalMaxPool", F, NULL },
	{ "Greater", I8 | I16 | I32 | F, NULL },
	{ "GreaterOrEqual", I8 | I16 | I32 | F, NULL },
	{ "GroupNormalization", F, NULL },
	{ "HardSwish", QDQ, NULL },
	{ "LRN", F, NULL },
	{ "Less", I8 | I16 | I32 | F, NULL },
	{ "LessOrEqual", I8 | I16 | I32 | F, NULL },
	{ "LogSoftmax", F, NULL },
	{ "MatMul", QDQ, NULL },
	{ "Max", I8 | I16 | F, NULL },
	{ "MaxPool", I8 | F, "no dilation" },
	{ "Min", I8 | I16 | F, NULL },
	{ "Mul", I8 | I16 | F, NULL },
	{ "Not", BOOL, NULL },
	{ "Or", BOOL, NULL },
	{ "PRelu", QDQ, NULL },
	{ "Pad", I8 | I16 | F, NULL },
	{ "Pow", F, NULL },
	{ "QLinearConv", I8, NULL },
	{ "QLinearMatMul", I8, NULL },
	{ "QuantizeLinear", F, "to i8 i16" },
	{ "ReduceMax", I8 | F, NULL },
	{ "ReduceMean", F, NULL },
	{ "ReduceMin", I8 | F, NULL },
	{ "ReduceProd", F, NULL },
	{ "ReduceSum", F, NULL },
	{ "Relu", I8 | I16, "signed only" },
	{ "Reshape", I8 | I16 | F, NULL },
	{ "Resize", I8 | I16, "f in mode nearest only" },
	{ "Sigmoid", QDQ, NULL },
	{ "Slice", I8 | I16 | F, NULL },
	{ "Softmax", F, NULL },
	{ "SpaceToDepth", I8 | I16 | F, NULL },
	{ "Split", I8 | I16 | F, NULL },
	{ "Sqrt", F, NULL },
	{ "Squeeze", I8 | I16 | F, NULL },
	{ "Sub", I8 | I16 | F, NULL },
	{ "Tanh", QDQ, NULL },
	{ "Tile", I8 | I16 | F, NULL },
	{ "Transpose", I8 | I16 | F, NULL },
	{ "Unsqueeze", I8 | I16 | F, NULL },
	{ "com.microsoft:QGemm", I8, NULL },
	{ "com.microsoft:QLinearAdd", I8, NULL },
	{ "com.microsoft:QLinearAveragePool", I8, NULL },
	{ "com.microsoft:QLinearConcat", I8 | QDQ, NULL },
	{ "com.microsoft:QLinearConv", I8, NULL },
	{ "com.microsoft:QLinearGlobalAveragePool", I8, NULL },
	{ "com.microsoft:QLinearLeakyRelu", I8, NULL },
	{ "com.microsoft:QLinearMul", I8, NULL },
	{ "com.microsoft:QLinearSigmoid", I8, NULL },
};

const struct provider_operator *
provider_operator_find(struct bytes domain, struct bytes type)
{
	return operator_find(table, sizeof(*table),
	    sizeof(table) / sizeof(*table), domain, type);
}
