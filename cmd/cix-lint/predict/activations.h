/* SPDX-License-Identifier: Apache-2.0 */
/* The float values that the nodes of the model make. */
#ifndef CIX_LINT_PREDICT_ACTIVATIONS_H
#define CIX_LINT_PREDICT_ACTIVATIONS_H

#include "model/onnx_graph.h"
#include "rounding.h"
#include "settings.h"
#include "cix-lint/model/value_types.h"

#define NO_ACTIVATION SIZE_MAX

struct activation {
	struct bytes name;	/* of the value; points into the file */
	const struct onnx_node *node;
	uint32_t port;
	struct extent seen;	/* over the calibration data */
	bool finite;		/* and all numbers were */
	unsigned bits;		/* 0: stays float */
	struct rounding own;
	/* The Concat with the widest range that takes the value, perhaps after
	 * a Reshape, and whose inputs all get its scale; or NO_ACTIVATION. */
	size_t concat;
	/* Sums of squares over the samples: of the value, of what its own
	 * rounding changes, and of what the rounding of concat changes. */
	double signal, noise, concat_noise;
};

struct activations {
	struct activation *list;	/* by node, then by port */
	size_t n;
};

/* Lists the values, without constants.  Free with activations_free(). */
void activations_find(struct activations *a, const struct onnx_graph *g,
    const struct value_types *t);
void activations_free(struct activations *a);

/* Returns the first value of the node, or NO_ACTIVATION. */
size_t activations_of(const struct activations *a, const struct onnx_node *n);

/* Sets own and concat of all values, after the extents are known. */
void activations_set_roundings(struct activations *a,
    const struct onnx_graph *g, const struct settings *s);

/* Returns the signal-to-noise ratio in dB under the value's own rounding, or,
 * if that is worse, under the rounding of the Concat, which sets *shared; NAN
 * if the value is not quantised. */
double activation_ratio(const struct activation *a, bool *shared);

#endif
