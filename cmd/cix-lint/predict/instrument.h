/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies of the model with one more output, a list of figures.  Nodes in the
 * copy calculate them, whatever the shapes of the values are.
 */
#ifndef CIX_LINT_PREDICT_INSTRUMENT_H
#define CIX_LINT_PREDICT_INSTRUMENT_H

#include "net.h"

/* A ModelProto in three parts, of which the second is its graph. */
struct instrumented {
	struct buf head, graph, tail;
	size_t figures;
};

/* Makes the model with floats.  The figures of each activation are its smallest
 * and its largest number. */
int instrument_floats(struct instrumented *m, struct net *net,
    struct npu_err *err);

/*
 * Makes the model with rounded weights and activations.  The figures of each
 * activation that is rounded are the sums of squares signal, noise and, if it
 * has a Concat, concat_noise (activations.h).
 */
int instrument_rounded(struct instrumented *m, struct net *net,
    struct npu_err *err);

/* Free a model, also after a failure. */
void instrumented_free(struct instrumented *m);

/* Take the figures of one run.  A number that is not finite is remembered. */
void take_extents(struct activations *a, const float *figure);
void take_noise(struct activations *a, const float *figure);

#endif
