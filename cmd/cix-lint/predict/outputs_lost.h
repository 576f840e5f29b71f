/* SPDX-License-Identifier: Apache-2.0 */
/* How an output of the quantised model differs from the float model's. */
#ifndef CIX_LINT_PREDICT_OUTPUTS_LOST_H
#define CIX_LINT_PREDICT_OUTPUTS_LOST_H

#include "net.h"

struct output_lost {
	char name[NPU_MAX_NAME];
	const struct activation *activation;	/* NULL: not rounded */
	uint64_t runs, elements;	/* elements of all runs */
	double cosine;		/* sum over the runs; NAN: an output has NaN */
	double least;		/* the smallest of a run */
	double signal, noise;	/* sums of squares */
	struct buf cosines;	/* of double: of each run */
	/* Elements on the first or last step, without zeros. */
	uint64_t saturated;
	bool *level;		/* of each step, whether a number is on it */
	float *exact, *rounded;	/* the output of one run */
};

/* Prepares for an output that has this activation (NULL: none). */
void output_lost_begin(struct output_lost *o, const struct npu_tensor *t,
    const struct activation *a);
/* Compares the outputs of a run. */
void output_lost_add(struct output_lost *o, const struct npu_tensor *t,
    const void *exact, const void *rounded);
void output_lost_free(struct output_lost *o);

/* Returns the number of different values in the output, and stores how many
 * there could be: elements or steps.  0: not rounded. */
uint64_t output_lost_distinct(const struct output_lost *o, uint64_t *most);

#endif
