/* SPDX-License-Identifier: Apache-2.0 */
/* The inputs of the model, alone and against the configuration. */
#ifndef CIX_LINT_INPUTS_H
#define CIX_LINT_INPUTS_H

#include "cix-lint/config/shape_list.h"
#include "cix-lint/lint.h"
#include "model/onnx_graph.h"

/* Findings of one rule about inputs: the others are not reported. */
#define MOST_INPUTS 16

/* What the configuration says about the inputs. */
struct input_keys {
	const struct ini_key *input, *shape, *output;	/* NULL: absent */
	struct bytes *name;	/* of input: names in the key's value */
	size_t n;
	struct shape_list shapes;
	bool shaped;		/* shapes has a shape for each name */
};

/* Reads the keys, and reports those that cannot be read.  Free with
 * input_keys_free(). */
void input_keys_read(struct input_keys *k, struct lint *l);
void input_keys_free(struct input_keys *k);
/* Returns the shape that the configuration gives the input, or NULL. */
const struct listed_shape *input_keys_shape(const struct input_keys *k,
    struct bytes input);
/* Compares the keys with the model. */
void check_input_keys(struct lint *l, const struct input_keys *k,
    const struct onnx_graph *g);

#endif
