/* SPDX-License-Identifier: Apache-2.0 */
/* What cix-lint does besides checking.  Each function writes its result to
 * output, or to stdout if that is NULL, and returns the exit status. */
#ifndef CIX_LINT_ACTIONS_H
#define CIX_LINT_ACTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "npu.h"

struct predict_options {
	const char *data;	/* calibration data, .npy or .npz */
	const char *evaluate;	/* other data to compare on; NULL: the same */
	int64_t runs;		/* samples at most; 0: all */
	int32_t timeout_ms;	/* of one run, as in npu_options */
	bool json;
	const char *output;
};

/* Predicts what quantising loses.  file is a configuration or a model. */
int predict(const struct predict_options *o, const char *file);

/* Prints a configuration to start from. */
int write_cfg(const char *model, const char *output);

/* Writes the model with fixed sizes. */
int fix_shapes(const char *model, const struct npu_dim *dims, size_t n,
    const char *output);

/* Explains the messages of a compiler's log; "-" is stdin. */
int diagnose(const char *log, bool json, const char *output);

#endif
