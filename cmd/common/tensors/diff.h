/* SPDX-License-Identifier: Apache-2.0 */
/* How far apart two streams of tensors are, as real numbers. */
#ifndef CMD_TENSORS_DIFF_H
#define CMD_TENSORS_DIFF_H

#include "real_reader.h"

enum measure { DIFF_MAX, DIFF_RMS, DIFF_COS, DIFF_SQNR, DIFF_MEASURES };

/* What is still good enough; a measure that was not said has no limit. */
struct tolerance {
	bool said[DIFF_MEASURES];
	double limit[DIFF_MEASURES];
};

/* "max:0.01", "rms:0.001", "cos:0.999", "sqnr:40", joined by commas; a bare
 * number is a max. */
void tolerance_parse(struct tolerance *t, const char *arg);

/* Sums over a tensor, r being the reference. */
struct diff_sums {
	uint64_t n, max_at;
	double max, error, a, r, ar;
};

/* Zeroed at first. */
void diff_add(struct diff_sums *s, const float *a, const float *r, size_t n);
void diff_measure(const struct diff_sums *s, double m[DIFF_MEASURES]);
bool tolerance_met(const struct tolerance *t, const double m[DIFF_MEASURES]);

/*
 * Compares *a with the reference *b tensor by tensor, a line each, text or
 * JSON lines (schema "npu-diff/1").  False if one is not within *t; dies when
 * the streams differ in their tensors or sizes.
 */
bool diff(struct output *o, struct real_reader *a, struct real_reader *b,
    const struct tolerance *t, bool jsonl);

#endif
