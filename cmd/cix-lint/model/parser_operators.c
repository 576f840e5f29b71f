// SPDX-License-Identifier: Apache-2.0
/*
 * The operators of ONNX for which the vendor's parser has a class, and the
 * newest version that it has attributes for.  Facts from Arm-China's
 * Compass_Unified_Parser (Apache-2.0), AIPUBuilder/Parser/ops/onnx_ops/, read
 * in 2026.  The parser takes the newest attributes that are not newer than the
 * model.
 */
#include "operators.h"
#include "suggest.h"

/* In the order of strcmp(). */
static const struct parser_operator table[] = {
	{ "Abs", 0 }, { "Acos", 0 }, { "Acosh", 0 }, { "Add", 0 },
	{ "AffineGrid", 0 }, { "And", 0 }, { "ArgMax", 0 }, { "ArgMin", 0 },
	{ "Asin", 0 }, { "Asinh", 0 }, { "Atan", 0 }, { "Atanh", 0 },
	{ "Attention", 23 }, { "AveragePool", 19 },
	{ "BatchNormalization", 0 }, { "BitShift", 0 }, { "BitwiseAnd", 0 },
	{ "BitwiseNot", 0 }, { "BitwiseOr", 0 }, { "BitwiseXor", 0 },
	{ "Cast", 19 }, { "Ceil", 0 }, { "Celu", 0 }, { "CenterCropPad", 0 },
	{ "Clip", 12 }, { "Col2Im", 0 }, { "Compress", 11 }, { "Concat", 11 },
	{ "ConcatFromSequence", 0 }, { "Constant", 13 },
	{ "ConstantOfShape", 0 }, { "Conv", 11 }, { "ConvInteger", 0 },
	{ "ConvTranspose", 11 }, { "Cos", 0 }, { "Cosh", 0 }, { "CumSum", 0 },
	{ "DeformConv", 0 }, { "DepthToSpace", 13 }, { "DequantizeLinear", 0 },
	{ "Div", 0 }, { "Dropout", 0 }, { "DynamicQuantizeLinear", 0 },
	{ "Einsum", 0 }, { "Elu", 0 }, { "Equal", 0 }, { "Erf", 0 },
	{ "Exp", 0 }, { "Expand", 0 }, { "EyeLike", 0 }, { "Flatten", 0 },
	{ "Floor", 0 }, { "GRU", 14 }, { "Gather", 0 },
	{ "GatherElements", 0 }, { "GatherND", 0 }, { "Gelu", 0 },
	{ "Gemm", 0 }, { "GlobalAveragePool", 0 }, { "GlobalLpPool", 0 },
	{ "GlobalMaxPool", 0 }, { "Greater", 0 }, { "GreaterOrEqual", 0 },
	{ "GridSample", 20 }, { "GroupNormalization", 0 },
	{ "HardSigmoid", 0 }, { "Hardmax", 0 }, { "Identity", 0 }, { "If", 0 },
	{ "InstanceNormalization", 0 }, { "IsInf", 0 }, { "IsNaN", 0 },
	{ "LRN", 0 }, { "LSTM", 14 }, { "LayerNormalization", 0 },
	{ "LeakyRelu", 0 }, { "Less", 0 }, { "LessOrEqual", 0 }, { "Log", 0 },
	{ "LogSoftmax", 0 }, { "Loop", 0 }, { "LpNormalization", 0 },
	{ "LpPool", 0 }, { "MatMul", 0 }, { "MatMulInteger", 0 }, { "Max", 0 },
	{ "MaxPool", 0 }, { "MaxRoiPool", 0 }, { "MaxUnpool", 0 },
	{ "Mean", 0 }, { "MeanVarianceNormalization", 0 }, { "Min", 0 },
	{ "Mish", 0 }, { "Mod", 0 }, { "Mul", 0 }, { "Neg", 0 },
	{ "NonMaxSuppression", 0 }, { "NonZero", 0 }, { "Not", 0 },
	{ "OneHot", 11 }, { "Or", 0 }, { "PRelu", 0 }, { "Pad", 19 },
	{ "Pow", 0 }, { "QLinearConv", 0 }, { "QLinearMatMul", 0 },
	{ "QuantizeLinear", 0 }, { "RMSNormalization", 23 }, { "Range", 0 },
	{ "Reciprocal", 0 }, { "ReduceL1", 0 }, { "ReduceL2", 0 },
	{ "ReduceLogSum", 0 }, { "ReduceLogSumExp", 0 }, { "ReduceMax", 0 },
	{ "ReduceMean", 0 }, { "ReduceMin", 0 }, { "ReduceProd", 0 },
	{ "ReduceSum", 0 }, { "ReduceSumSquare", 0 }, { "Relu", 0 },
	{ "Reshape", 14 }, { "Resize", 19 }, { "ReverseSequence", 0 },
	{ "RoiAlign", 0 }, { "RotaryEmbedding", 23 }, { "Round", 0 },
	{ "Scatter", 0 }, { "ScatterElements", 0 }, { "ScatterND", 0 },
	{ "Selu", 0 }, { "SequenceAt", 0 }, { "SequenceConstruct", 0 },
	{ "SequenceEmpty", 0 }, { "SequenceInsert", 0 }, { "Shape", 15 },
	{ "Shrink", 0 }, { "Sigmoid", 0 }, { "Sign", 0 },
	{ "SimplifiedLayerNormalization", 0 }, { "Sin", 0 }, { "Sinh", 0 },
	{ "Size", 0 }, { "Slice", 13 }, { "Softmax", 0 }, { "Softplus", 0 },
	{ "Softsign", 0 }, { "SpaceToDepth", 0 }, { "Split", 18 },
	{ "Sqrt", 0 }, { "Squeeze", 13 }, { "Sub", 0 }, { "Sum", 0 },
	{ "Tan", 0 }, { "Tanh", 0 }, { "ThresholdedRelu", 0 }, { "Tile", 13 },
	{ "TopK", 11 }, { "Transpose", 0 }, { "Trilu", 0 }, { "Unique", 0 },
	{ "Unsqueeze", 13 }, { "Upsample", 9 }, { "Where", 0 }, { "Xor", 0 },
	{ "com.microsoft:GroupQueryAttention", 0 },
	{ "com.microsoft:MatMulBnb4", 0 }, { "com.microsoft:MatMulNBits", 0 },
	{ "com.microsoft:MultiHeadAttention", 0 },
	{ "com.microsoft:QGemm", 0 }, { "com.microsoft:QLinearAdd", 0 },
	{ "com.microsoft:QLinearAveragePool", 0 },
	{ "com.microsoft:QLinearConcat", 0 },
	{ "com.microsoft:QLinearGlobalAveragePool", 0 },
	{ "com.microsoft:QLinearLeakyRelu", 0 },
	{ "com.microsoft:QLinearSigmoid", 0 },
	{ "com.microsoft:RotaryEmbedding", 0 },
	{ "com.microsoft:SkipSimplifiedLayerNormalization", 0 },
};

const struct parser_operator *
parser_operator_find(struct bytes domain, struct bytes type)
{
	return operator_find(table, sizeof(*table),
	    sizeof(table) / sizeof(*table), domain, type);
}

const char *
parser_operator_like(struct bytes type)
{
	struct suggestion s;

	suggest_begin(&s, (const char *)type.p, type.n);
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
		if (strchr(table[i].name, ':') == NULL)
			suggest_try(&s, table[i].name);
	return s.best;
}
