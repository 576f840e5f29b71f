/* SPDX-License-Identifier: Apache-2.0 */
/* Compares two streams of tensors as real numbers. */
#ifndef CMD_TENSORS_DIFF_H
#define CMD_TENSORS_DIFF_H

#include "real_reader.h"

enum measure { DIFF_MAX, DIFF_RMS, DIFF_COS, DIFF_SQNR, DIFF_MEASURES };

/* The limits of a comparison; a measure without one always passes. */
struct tolerance {
	bool has[DIFF_MEASURES];
	double limit[DIFF_MEASURES];
};

/* Parses --tol: "max:0.01", "rms:0.001", "cos:0.999", "sqnr:40", joined by
 * commas; a bare number is a max. */
void tolerance_parse(struct tolerance *t, const char *arg);

/* Sums over a tensor and its reference r. */
struct diff_sums {
	uint64_t n, max_at;
	double max, error, a, r, ar;
};

/* Zeroed at first. */
void diff_add(struct diff_sums *s, const float *a, const float *r, size_t n);
void diff_measure(const struct diff_sums *s, double m[DIFF_MEASURES]);
bool tolerance_met(const struct tolerance *t, const double m[DIFF_MEASURES]);

/*
 * Compares *a with the reference *b and writes a line for each tensor, text or
 * JSON (schema "npu-diff/1").  False if one is not within *t; dies when the
 * streams differ in their tensors or sizes.
 */
bool diff(struct output *o, struct real_reader *a, struct real_reader *b,
    const struct tolerance *t, bool jsonl);

#endif
