/* SPDX-License-Identifier: Apache-2.0 */
/* How far apart two streams of tensors are, as real numbers. */
#ifndef DIFF_H
#define DIFF_H

#include "reals.h"

enum measure { DIFF_MAX, DIFF_RMS, DIFF_COS, DIFF_SQNR, DIFF_MEASURES };

/* What is still good enough; a measure that was not said has no limit. */
struct tolerance {
	bool said[DIFF_MEASURES];
	double limit[DIFF_MEASURES];
};

/* "max:0.01", "rms:0.001", "cos:0.999", "sqnr:40", joined by commas; a bare
 * number is a max. */
void tolerance_take(struct tolerance *t, const char *arg);

/*
 * Compares *a with the reference *b tensor by tensor, a line each, text or
 * JSON lines (schema "npu-diff/1").  False if one is not within *t; dies when
 * the streams differ in their tensors or sizes.
 */
bool diff(struct output *o, struct reals *a, struct reals *b,
    const struct tolerance *t, bool jsonl);

#endif
