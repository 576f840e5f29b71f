// SPDX-License-Identifier: Apache-2.0
/*
 * ir_type.c - operators of Compass's intermediate form.
 *
 * Source: Compass_Unified_Parser, AIPUBuilder/Parser/ops/release_ops.py and
 * front_end/onnx/passes/back_passes.py; Compass_Optimizer,
 * AIPUBuilder/Optimizer/framework/pycore/pytype.py (for the methods of
 * Activation, config/cfg_fields.py).  Facts restated.
 */
#include <string.h>
#include <strings.h>

#include "ir_type.h"
#include "suggest.h"

#define SAME(name) { name, " " name " ", "" }

static const struct ir_type {
	const char *name;
	const char *from;	/* with a blank before and after each */
	const char *perhaps;	/* "*": from any operator */
} types[] = {
	SAME("Abs"), SAME("Acos"), SAME("Acosh"), SAME("AffineGrid"),
	SAME("Asin"), SAME("Asinh"), SAME("Atan"), SAME("Atanh"),
	SAME("BitShift"), SAME("Cast"), SAME("Ceil"), SAME("Col2Im"),
	SAME("Compress"), SAME("ConstantOfShape"), SAME("ConvInteger"),
	SAME("ConvTranspose"), SAME("Cosh"), SAME("DepthToSpace"),
	SAME("Erf"), SAME("Exp"), SAME("Floor"), SAME("GatherElements"),
	SAME("GatherND"), SAME("GridSample"), SAME("If"), SAME("IsInf"),
	SAME("IsNaN"), SAME("Log"), SAME("LogSoftmax"), SAME("Loop"),
	SAME("LRN"), SAME("MatMulInteger"), SAME("MaxRoiPool"),
	SAME("MaxUnpool"), SAME("Mod"), SAME("NonZero"), SAME("OneHot"),
	SAME("Pow"), SAME("Reciprocal"), SAME("ReverseSequence"),
	SAME("RoiAlign"), SAME("RotaryEmbedding"), SAME("Round"),
	SAME("ScatterND"), SAME("Shape"), SAME("Sign"), SAME("Sinh"),
	SAME("SpaceToDepth"), SAME("Sqrt"), SAME("Tan"), SAME("TopK"),
	SAME("Trunc"), SAME("Unique"), SAME("Where"),
	{ "Activation", " Relu LeakyRelu Sigmoid Tanh Clip Elu Selu Celu Gelu "
	    "HardSigmoid HardSwish Mish PRelu Softplus Softsign Swish "
	    "ThresholdedRelu Shrink QLinearLeakyRelu QLinearSigmoid ", "*" },
	{ "Add", "", " Add Sum QLinearAdd " },
	{ "ArgMinMax", " ArgMax ArgMin ", "" },
	{ "BasicLSTM", " LSTM ", "" },
	{ "BatchNorm", " BatchNormalization ", "*" },
	{ "Bitwise", " BitwiseAnd BitwiseNot BitwiseOr BitwiseXor ", "" },
	{ "Concat", " Concat QLinearConcat ", "*" },
	{ "Convolution", " Conv QLinearConv ", " MatMul Gemm Einsum "
	    "BatchNormalization Resize Upsample AveragePool " },
	{ "Convolution3D", "", " Conv QLinearConv " },
	{ "ConvTranspose3D", "", " ConvTranspose " },
	{ "Cosine", " Cos ", "" },
	{ "Cumulate", " CumSum ", "" },
	{ "DepthwiseConv", "", " Conv QLinearConv BatchNormalization Mul " },
	{ "DeQuantize", " DequantizeLinear ", "*" },
	{ "Div", " Div ", "*" },
	{ "DivMod", "", " Div Mod " },
	{ "Eltwise", " Add Sub Mul Max Min Sum QLinearAdd ", "*" },
	{ "FullyConnected", " Gemm MatMul ", " Einsum MatMulNBits QGemm "
	    "QLinearMatMul MatMulBnb4 Conv " },
	{ "Gather", " Gather ", "" },
	{ "Gemm", "", " Gemm QGemm " },
	{ "GRUv1", "", " GRU " },
	{ "GRUv3", "", " GRU " },
	{ "GroupNorm", " GroupNormalization ", " InstanceNormalization "
	    "Reshape " },
	{ "InstanceNorm", " InstanceNormalization ", "*" },
	{ "LayerNorm", " LayerNormalization ", "*" },
	{ "Logical", " And Or Not Xor Equal Greater GreaterOrEqual Less "
	    "LessOrEqual ", "" },
	{ "MatMul", " MatMul QLinearMatMul ", "*" },
	{ "MaxPoolingWithArgMax", "", " MaxPool " },
	{ "Moments", "", " ReduceMean " },
	{ "Mul", "", " Mul " },
	{ "MVN", " MeanVarianceNormalization ", "*" },
	{ "Negative", " Neg ", "" },
	{ "NMS", " NonMaxSuppression ", "" },
	{ "Normalization", " LpNormalization ", "*" },
	{ "Pad", " Pad ", "*" },
	{ "Pooling", " MaxPool AveragePool GlobalAveragePool GlobalMaxPool "
	    "LpPool GlobalLpPool QLinearAveragePool "
	    "QLinearGlobalAveragePool ", " ReduceMean ReduceMax Resize "
	    "Upsample " },
	{ "Pooling3D", "", " MaxPool AveragePool GlobalAveragePool "
	    "GlobalMaxPool " },
	{ "Quantize", " QuantizeLinear DynamicQuantizeLinear ", "*" },
	{ "Reduce", " ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp "
	    "ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum "
	    "ReduceSumSquare ", "*" },
	{ "Reshape", " Reshape Flatten Squeeze Unsqueeze ", "*" },
	{ "Resize", " Resize Upsample ", "" },
	{ "RMSNorm", " RMSNormalization SimplifiedLayerNormalization "
	    "SkipSimplifiedLayerNormalization ", "*" },
	{ "Rsqrt", "", " Sqrt Reciprocal Div Pow " },
	{ "ScatterElements", " ScatterElements Scatter ", "" },
	{ "Sine", " Sin ", "" },
	{ "Slice", " Slice ", "*" },
	{ "Softmax", " Softmax ", " Attention MultiHeadAttention "
	    "GroupQueryAttention Exp " },
	{ "Split", " Split ", "*" },
	{ "Square", "", " Pow Mul " },
	{ "SquaredDifference", "", " Pow Mul Sub " },
	{ "Sub", "", " Sub " },
	{ "Tile", " Tile Expand ", "*" },
	{ "Transpose", " Transpose ", "*" },
	/* Methods of Activation, which stand beside the types. */
	{ "CELU", " Celu ", "" },
	{ "CLIP", " Clip ", "" },
	{ "ELU", " Elu ", "" },
	{ "GELU", " Gelu ", " Erf Tanh " },
	{ "HARDSIGMOID", " HardSigmoid ", " Clip " },
	{ "HARDSWISH", " HardSwish ", " HardSigmoid Clip " },
	{ "LEAKYRELU", " LeakyRelu QLinearLeakyRelu ", "" },
	{ "MISH", " Mish ", " Softplus Tanh " },
	{ "PRELU", " PRelu ", "" },
	{ "RELU", " Relu ", " Clip " },
	{ "RELU6", "", " Clip " },
	{ "SELU", " Selu ", "" },
	{ "SHRINK", " Shrink ", "" },
	{ "SIGMOID", " Sigmoid QLinearSigmoid ", "" },
	{ "SILU", "", " Sigmoid Swish " },
	{ "SOFTPLUS", " Softplus ", "" },
	{ "SOFTSIGN", " Softsign ", "" },
	{ "SWISH", " Swish ", " Sigmoid " },
	{ "TANH", " Tanh ", "" },
	{ "TANH_ABS", "", " Tanh " },
	{ "THRESHOLDEDRELU", " ThresholdedRelu ", "" },
#define OTHER(name) { name, "", "*" }
	OTHER("AccidentalHits"), OTHER("AdaptivePool"),
	OTHER("BatchToDepth"), OTHER("BatchToSpace"),
	OTHER("BatchToSpaceND"), OTHER("BiasAdd"), OTHER("BNLL"),
	OTHER("BoundingBox"), OTHER("CacheUpdate"), OTHER("ChannelShuffle"),
	OTHER("Constant"), OTHER("Count"), OTHER("CRELU"), OTHER("Crop"),
	OTHER("CropAndResize"), OTHER("CTCBeamDecoder"),
	OTHER("CTCGreedyDecoder"), OTHER("DataStride"), OTHER("DecodeBox"),
	OTHER("DetectionOutput"), OTHER("Dilation"), OTHER("Dummy"),
	OTHER("EmbeddingLookupSparse"), OTHER("Erosion"),
	OTHER("FakeQuantWithMinMaxVars"), OTHER("Filter"),
	OTHER("FilterBoxes"), OTHER("FractionalPool"),
	OTHER("GenerateProposals"), OTHER("GlobalPool"), OTHER("Hardmax"),
	OTHER("Input"), OTHER("Interp"), OTHER("InTopK"), OTHER("Logit"),
	OTHER("Meshgrid"), OTHER("NormalizedMoments"), OTHER("OverlapAdd"),
	OTHER("Permute"), OTHER("PostNMS1"), OTHER("PostNMS2"),
	OTHER("Preprocess"), OTHER("Proposal"), OTHER("PyramidROIAlign"),
	OTHER("QueryRebatch"), OTHER("RefineDetDetection"), OTHER("Region"),
	OTHER("RegionFuse"), OTHER("Repeat"), OTHER("RgbToYuv"),
	OTHER("RNN"), OTHER("ROIPooling"), OTHER("SegmentReduce"),
	OTHER("SlotUpdate"), OTHER("Sort"), OTHER("SpaceToBatch"),
	OTHER("Squeeze"), OTHER("StridedSlice"),
	OTHER("SufficientStatistics"), OTHER("UpsampleByIndex"),
	OTHER("YuvToRgb"), OTHER("ZeroFraction"),
};

static bool
same_name(const char *name, struct bytes word)
{
	return strlen(name) == word.n &&
	    strncasecmp(name, (const char *)word.p, word.n) == 0;
}

static const struct ir_type *
find_type(struct bytes word)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (same_name(types[i].name, word))
			return &types[i];
	return NULL;
}

/* Returns whether the word, in any case, is in a list with blanks. */
static bool
listed(const char *list, struct bytes word)
{
	const char *p = list, *end;

	if (word.n == 0)
		return false;
	while (*(p += strspn(p, " ")) != '\0') {
		end = p + strcspn(p, " ");
		if ((size_t)(end - p) == word.n &&
		    strncasecmp(p, (const char *)word.p, word.n) == 0)
			return true;
		p = end;
	}
	return false;
}

bool
ir_type_covers(struct bytes type, struct bytes onnx)
{
	const struct ir_type *t = find_type(type);

	return t != NULL && listed(t->from, onnx);
}

bool
ir_type_may_cover(struct bytes type, struct bytes onnx)
{
	const struct ir_type *t = find_type(type);

	return t == NULL || *t->perhaps == '*' || listed(t->from, onnx) ||
	    listed(t->perhaps, onnx);
}

bool
ir_type_known(struct bytes type, const char **instead)
{
	struct suggestion s;

	*instead = NULL;
	if (find_type(type) != NULL)
		return true;
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (listed(types[i].from, type)) {
			*instead = types[i].name;
			return false;
		}
	suggest_begin(&s, (const char *)type.p, type.n);
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		suggest_try(&s, types[i].name);
	*instead = s.best;
	return false;
}
