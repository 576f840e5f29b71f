/* SPDX-License-Identifier: Apache-2.0 */
/* With how many bits the configuration lets a node compute. */
#ifndef CIX_LINT_PRECISION_H
#define CIX_LINT_PRECISION_H

#include "cix-lint/config/layered.h"
#include "cix-lint/ini.h"
#include "model/onnx_graph.h"

struct precision {
	struct layered activation_bits, weight_bits, float_op;
};

/* Reads the keys of [Optimizer]; without a configuration (NULL), and where a
 * value is not valid, the defaults hold: 8 bits, no float. */
void precision_read(struct precision *p, const struct ini *ini);
void precision_free(struct precision *p);

/* Returns the bits of the node's activations or weights, from 1 to 32; 0: the
 * node computes with floats. */
unsigned precision_activation_bits(const struct precision *p,
    const struct onnx_node *n);
unsigned precision_weight_bits(const struct precision *p,
    const struct onnx_node *n);
/* Returns a regular expression, for <{...}:value>, that only this name matches.
 * The caller frees it. */
char *precision_pattern(struct bytes name);
/* Returns whether a selector by ids, which cannot be followed here, may give
 * the node more bits. */
bool precision_has_ids(const struct precision *p);

#endif
