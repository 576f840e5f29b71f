/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of cix-lint, by their stable names. */
#ifndef CIX_LINT_RULES_H
#define CIX_LINT_RULES_H

#include <stddef.h>

enum rule {
	RULE_BATCHNORM_ALONE, RULE_CALIBRATION, RULE_CLIPPED_OUTPUT,
	RULE_DATASET, RULE_DYNAMIC_SHAPE, RULE_EMBEDDING_COLLAPSE,
	RULE_EXTERNAL_DATA, RULE_INPUT_ORDER, RULE_INPUT_SHAPE,
	RULE_INT64_INPUT, RULE_KEY, RULE_LAYER_IDS, RULE_LFS_POINTER,
	RULE_MISSING, RULE_MIXED_OUTPUT, RULE_NOT_ONNX, RULE_OP_KERNEL,
	RULE_OP_PARSER, RULE_OP_PROVIDER, RULE_OPSET, RULE_RESHAPE_ZERO,
	RULE_SECTION, RULE_TARGET, RULE_VALUE, RULE_WEIGHTS_AS_INPUTS,
	RULE_N,
};

/* Returns the name, such as "dynamic-shape". */
const char *rule_name(enum rule r);
/* Returns what the rule finds, in one line for --list-rules. */
const char *rule_summary(enum rule r);
/* Returns the rule with this name of n bytes, or RULE_N. */
enum rule rule_by_name(const char *name, size_t n);

#endif
