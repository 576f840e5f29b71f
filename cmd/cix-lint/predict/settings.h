/* SPDX-License-Identifier: Apache-2.0 */
/* What the configuration says about quantising each node. */
#ifndef CIX_LINT_PREDICT_SETTINGS_H
#define CIX_LINT_PREDICT_SETTINGS_H

#include "cix-lint/config/layered.h"
#include "cix-lint/ini.h"
#include "cix-lint/quantising/precision.h"
#include "rounding.h"

struct settings {
	struct precision precision;
	struct layered activation_method, weight_method;
	size_t block;		/* weights that have a scale in per_block */
};

/* Reads [Optimizer].  Without a configuration (NULL), activations are
 * per_tensor_asymmetric, weights per_channel_symmetric_restricted_range, and
 * both have 8 bits; with one, missing keys have Compass's defaults. */
void settings_read(struct settings *s, const struct ini *ini);
void settings_free(struct settings *s);

/* Return the bits, from 2 to ROUNDING_MOST_BITS; 0: floats. */
unsigned settings_activation_bits(const struct settings *s,
    const struct onnx_node *n);
unsigned settings_weight_bits(const struct settings *s,
    const struct onnx_node *n);
struct method settings_activation_method(const struct settings *s,
    const struct onnx_node *n);
struct method settings_weight_method(const struct settings *s,
    const struct onnx_node *n);

#endif
