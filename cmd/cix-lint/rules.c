// SPDX-License-Identifier: Apache-2.0
/* rules.c - the names of the rules, and what they find. */
#include <string.h>

#include "rules.h"

static const struct {
	const char *name, *summary;
} rules[RULE_N] = {
	[RULE_BATCHNORM_ALONE] = { "batchnorm-alone",
	    "a BatchNormalization that no Conv or Gemm can take in" },
	[RULE_CALIBRATION] = { "calibration",
	    "calibration data that does not fit the inputs, or looks wrong" },
	[RULE_CLIPPED_OUTPUT] = { "clipped-output",
	    "an output whose quantiser cannot represent its large values" },
	[RULE_DATASET] = { "dataset",
	    "a dataset class that is unknown, or for another number of "
	    "inputs" },
	[RULE_DYNAMIC_SHAPE] = { "dynamic-shape",
	    "an input with a dimension that is not fixed" },
	[RULE_EMBEDDING_COLLAPSE] = { "embedding-collapse",
	    "a table whose rows become equal when it is quantised" },
	[RULE_EXTERNAL_DATA] = { "external-data",
	    "a file with weights that is absent, or too short" },
	[RULE_INPUT_ORDER] = { "input-order",
	    "several inputs whose order the compiler may change" },
	[RULE_INPUT_SHAPE] = { "input-shape",
	    "input and input_shape that differ from the model" },
	[RULE_INT64_INPUT] = { "int64-input",
	    "an input of 64-bit integers" },
	[RULE_KEY] = { "key",
	    "a key that its section does not have, or has twice" },
	[RULE_LAYER_IDS] = { "layer-ids",
	    "layers named by numbers, which change with the exporter" },
	[RULE_LFS_POINTER] = { "lfs-pointer",
	    "a Git LFS pointer in place of the file" },
	[RULE_MISSING] = { "missing",
	    "a section or a key that is required" },
	[RULE_MIXED_OUTPUT] = { "mixed-output",
	    "large and small numbers in one quantised output" },
	[RULE_NOT_ONNX] = { "not-onnx",
	    "a model file that is absent, damaged or not an ONNX file" },
	[RULE_OP_KERNEL] = { "op-kernel",
	    "an operator that the builder's kernel library may lack" },
	[RULE_OP_PARSER] = { "op-parser",
	    "an operator that the compiler's parser does not know" },
	[RULE_OP_PROVIDER] = { "op-provider",
	    "an operator that ONNX Runtime's provider does not take" },
	[RULE_OPSET] = { "opset",
	    "a version of the operators that the parser has no table for" },
	[RULE_RESHAPE_ZERO] = { "reshape-zero",
	    "a 0 in the shape of a Reshape" },
	[RULE_SECTION] = { "section",
	    "a section that the compiler does not know" },
	[RULE_TARGET] = { "target",
	    "a target that is not this NPU" },
	[RULE_VALUE] = { "value",
	    "a value that the key cannot have" },
	[RULE_WEIGHTS_AS_INPUTS] = { "weights-as-inputs",
	    "weights that the model lists among its inputs" },
};

const char *
rule_name(enum rule r)
{
	return rules[r].name;
}

const char *
rule_summary(enum rule r)
{
	return rules[r].summary;
}

enum rule
rule_by_name(const char *name, size_t n)
{
	for (enum rule r = 0; r < RULE_N; r++)
		if (strlen(rules[r].name) == n &&
		    memcmp(rules[r].name, name, n) == 0)
			return r;
	return RULE_N;
}
