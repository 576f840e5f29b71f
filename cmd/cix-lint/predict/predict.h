/* SPDX-License-Identifier: Apache-2.0 */
/* What --predict has found. */
#ifndef CIX_LINT_PREDICT_PREDICT_H
#define CIX_LINT_PREDICT_PREDICT_H

#include "cix-lint/actions.h"
#include "net.h"
#include "outputs_lost.h"

#define PREDICT_SCHEMA "cix-lint-predict/1"

struct prediction {
	const struct net *net;
	const struct predict_options *options;
	uint64_t runs, evaluated;	/* of the calibration, and after it */
	struct output_lost *output;	/* float outputs */
	uint32_t n_outputs;
	size_t *worst;		/* the activations that lose most */
	size_t n_worst;
	bool written;		/* or being written */
};

/* Returns the configuration line that lifts the activation, and with shared its
 * Concat, to 16 bits or, if these are not enough, to floats.  The caller owns
 * it. */
char *lifting_line(const struct net *net, const struct activation *a,
    bool shared);

void write_prediction(const struct prediction *p);

#endif
