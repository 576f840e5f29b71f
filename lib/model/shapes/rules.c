// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "model/shapes/infer.h"
#include "model/shapes/rules.h"

#define TYPES(...) (const char *const[]){ __VA_ARGS__, NULL }

/* An operator that multiplies in a way that is not calculated. */
static bool
count_nothing(const struct step *s, uint64_t *macs)
{
	(void)s;
	(void)macs;
	return false;
}

/* Of ONNX, up to opset 21. */
static const struct shape_rule onnx_rules[] = {
	{ infer_same, NULL, 0, TYPES("Abs", "Acos", "Acosh", "Asin", "Asinh",
	    "Atan", "Atanh", "BatchNormalization", "Bernoulli", "BitwiseNot",
	    "Cast", "CastLike", "Ceil", "Celu", "Clip", "Cos", "Cosh",
	    "CumSum", "DequantizeLinear", "Elu", "Erf", "Exp", "EyeLike",
	    "Floor", "Gelu", "GroupNormalization", "HardSigmoid", "HardSwish",
	    "Hardmax", "Identity", "InstanceNormalization", "IsInf", "IsNaN",
	    "LRN", "LayerNormalization", "LeakyRelu", "Log", "LogSoftmax",
	    "LpNormalization", "MeanVarianceNormalization", "Mish", "Neg",
	    "Not", "PRelu", "QuantizeLinear", "RMSNormalization",
	    "RandomNormalLike", "RandomUniformLike", "Reciprocal", "Relu",
	    "ReverseSequence", "Round", "Scatter", "ScatterElements",
	    "ScatterND", "Selu", "Shrink", "Sigmoid", "Sign", "Sin", "Sinh",
	    "Softmax", "Softplus", "Softsign", "Sqrt", "Swish", "Tan", "Tanh",
	    "ThresholdedRelu", "Trilu") },
	{ infer_same_pair, NULL, 0, TYPES("Dropout") },
	{ infer_quantised, NULL, 0, TYPES("DynamicQuantizeLinear") },
	{ infer_broadcast, NULL, 0, TYPES("Add", "And", "BitShift",
	    "BitwiseAnd", "BitwiseOr", "BitwiseXor", "Div", "Equal", "Greater",
	    "GreaterOrEqual", "Less", "LessOrEqual", "Max", "Mean", "Min",
	    "Mod", "Mul", "Or", "Pow", "Sub", "Sum", "Xor") },
	{ infer_where, NULL, 0, TYPES("Where") },
	{ infer_conv, count_conv, 1, TYPES("Conv", "ConvInteger",
	    "DeformConv") },
	{ infer_conv, count_conv, 3, TYPES("QLinearConv") },
	{ infer_conv_transpose, count_conv_transpose, 1,
	    TYPES("ConvTranspose") },
	{ infer_matmul, count_matmul, 1, TYPES("MatMul", "MatMulInteger") },
	{ infer_matmul, count_matmul, 3, TYPES("QLinearMatMul") },
	{ infer_gemm, count_matmul, 1, TYPES("Gemm") },
	{ infer_recurrent, count_recurrent, 0, TYPES("GRU", "LSTM", "RNN") },
	{ NULL, count_nothing, 0, TYPES("Attention", "DFT", "Det", "Einsum",
	    "MelWeightMatrix", "STFT") },
	{ infer_pool, NULL, 0, TYPES("AveragePool", "LpPool", "MaxPool") },
	{ infer_global_pool, NULL, 0, TYPES("GlobalAveragePool",
	    "GlobalLpPool", "GlobalMaxPool") },
	{ infer_roi_align, NULL, 0, TYPES("RoiAlign") },
	{ infer_grid_sample, NULL, 0, TYPES("GridSample") },
	{ infer_constant, NULL, 0, TYPES("Constant") },
	{ infer_constant_of_shape, NULL, 0, TYPES("ConstantOfShape") },
	{ infer_range, NULL, 0, TYPES("Range") },
	{ infer_shape, NULL, 0, TYPES("Shape") },
	{ infer_size, NULL, 0, TYPES("Size") },
	{ infer_stated, NULL, 0, TYPES("RandomNormal", "RandomUniform") },
	{ infer_reshape, NULL, 0, TYPES("Reshape") },
	{ infer_flatten, NULL, 0, TYPES("Flatten") },
	{ infer_squeeze, NULL, 0, TYPES("Squeeze") },
	{ infer_unsqueeze, NULL, 0, TYPES("Unsqueeze") },
	{ infer_transpose, NULL, 0, TYPES("Transpose") },
	{ infer_depth_to_space, NULL, 0, TYPES("DepthToSpace") },
	{ infer_space_to_depth, NULL, 0, TYPES("SpaceToDepth") },
	{ infer_expand, NULL, 0, TYPES("Expand") },
	{ infer_tile, NULL, 0, TYPES("Tile") },
	{ infer_pad, NULL, 0, TYPES("Pad") },
	{ infer_resize, NULL, 0, TYPES("Resize") },
	{ infer_upsample, NULL, 0, TYPES("Upsample") },
	{ infer_concat, NULL, 0, TYPES("Concat") },
	{ infer_split, NULL, 0, TYPES("Split") },
	{ infer_slice, NULL, 0, TYPES("Slice") },
	{ infer_gather, NULL, 0, TYPES("Gather") },
	{ infer_gather_elements, NULL, 0, TYPES("GatherElements") },
	{ infer_gather_nd, NULL, 0, TYPES("GatherND") },
	{ infer_reduce, NULL, 0, TYPES("ReduceL1", "ReduceL2", "ReduceLogSum",
	    "ReduceLogSumExp", "ReduceMax", "ReduceMean", "ReduceMin",
	    "ReduceProd", "ReduceSum", "ReduceSumSquare") },
	{ infer_arg, NULL, 0, TYPES("ArgMax", "ArgMin") },
	{ infer_topk, NULL, 0, TYPES("TopK") },
	{ infer_one_hot, NULL, 0, TYPES("OneHot") },
	{ infer_non_zero, NULL, 0, TYPES("NonZero") },
	{ infer_non_max_suppression, NULL, 0, TYPES("NonMaxSuppression") },
	{ NULL, NULL, 0, TYPES("BlackmanWindow", "Compress",
	    "ConcatFromSequence", "HammingWindow", "HannWindow", "If",
	    "ImageDecoder", "Loop", "MaxRoiPool", "MaxUnpool", "Multinomial",
	    "Optional", "OptionalGetElement", "OptionalHasElement", "Scan",
	    "SequenceAt", "SequenceConstruct", "SequenceEmpty",
	    "SequenceErase", "SequenceInsert", "SequenceLength",
	    "SplitToSequence", "StringNormalizer", "TfIdfVectorizer",
	    "Unique") },
};

/* Of ONNX Runtime, which replaces several nodes by one. */
static const struct shape_rule runtime_rules[] = {
	{ infer_same, NULL, 0, TYPES("BiasGelu", "DequantizeLinear",
	    "FastGelu", "Gelu", "QLinearLeakyRelu", "QLinearSigmoid",
	    "QLinearSoftmax", "QuantizeLinear", "QuickGelu",
	    "SimplifiedLayerNormalization", "SkipLayerNormalization",
	    "SkipSimplifiedLayerNormalization") },
	{ infer_broadcast_quantised, NULL, 0, TYPES("QLinearAdd",
	    "QLinearMul") },
	{ infer_concat_quantised, NULL, 0, TYPES("QLinearConcat") },
	{ infer_conv, count_conv, 1, TYPES("FusedConv") },
	{ infer_matmul, count_matmul, 1, TYPES("DynamicQuantizeMatMul",
	    "FusedMatMul", "MatMulIntegerToFloat") },
	{ infer_gemm, count_matmul, 1, TYPES("FusedGemm") },
	{ infer_gemm, count_matmul, 3, TYPES("QGemm") },
};

static const struct shape_rule *
find(const struct shape_rule *rules, size_t n, struct bytes type)
{
	for (size_t i = 0; i < n; i++)
		for (const char *const *t = rules[i].types; *t != NULL; t++)
			if (bytes_is(type, *t))
				return &rules[i];
	return NULL;
}

const struct shape_rule *
rules_find(struct bytes domain, struct bytes type)
{
	if (domain.n == 0 || bytes_is(domain, "ai.onnx"))
		return find(onnx_rules, sizeof(onnx_rules) /
		    sizeof(*onnx_rules), type);
	if (bytes_is(domain, "com.microsoft"))
		return find(runtime_rules, sizeof(runtime_rules) /
		    sizeof(*runtime_rules), type);
	return NULL;
}
