/* SPDX-License-Identifier: Apache-2.0 */
/* One node whose outputs' shapes follow from its inputs. */
#ifndef MODEL_SHAPES_STEP_H
#define MODEL_SHAPES_STEP_H

#include "model/shapes/node.h"
#include "model/shapes/values.h"

struct step {
	struct node node;
	struct values *values;
	unsigned weights;	/* the input with the weights of a convolution,
				   or with the second matrix */
	struct buf in, out;	/* of struct graph_value *; NULL: absent */
};

/* Takes the next node.  Returns false if it is damaged, or if memory ran out,
 * which sets failed in a buffer. */
bool step_begin(struct step *s, struct bytes node);
bool step_out_of_memory(const struct step *s);
void step_free(struct step *s);

/* Return the numbers of inputs and outputs, with absent ones. */
unsigned step_inputs(const struct step *s);
unsigned step_outputs(const struct step *s);

/* Returns whether the node has this input. */
bool step_has(const struct step *s, unsigned i);

/* Returns the shape of an input; without a rank if the input is absent. */
const struct shape *step_shape(const struct step *s, unsigned i);
/* Returns the shape of output 0. */
const struct shape *step_result(const struct step *s);

/* Stores the numbers of an input; NAN for each if only their count is known.
 * Returns false if the input is absent, or has too many. */
bool step_numbers(const struct step *s, unsigned i, struct numbers *v);
/* Stores the numbers of an attribute, as in old opsets, or else of an input. */
bool step_list(const struct step *s, const char *name, unsigned i,
    struct numbers *v);
/* Returns the number of an attribute, or else of an input, or else absent. */
double step_number(const struct step *s, const char *name, unsigned i,
    double absent);

/* Set the shape, and then the numbers, of an output.  What the shape does not
 * know is completed from the shape that the file states.  Numbers that do not
 * fit the shape are dropped. */
void step_set_shape(struct step *s, unsigned i, const struct shape *shape);
void step_set_numbers(struct step *s, unsigned i, const struct numbers *v);

#endif
