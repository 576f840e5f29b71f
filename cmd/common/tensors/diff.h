/* SPDX-License-Identifier: Apache-2.0 */
/* Compares two streams of tensors as real numbers. */
#ifndef CMD_TENSORS_DIFF_H
#define CMD_TENSORS_DIFF_H

#include "real_reader.h"

struct json;

enum measure { DIFF_MAX, DIFF_RMS, DIFF_COS, DIFF_SQNR, DIFF_CORR, DIFF_MAE,
	DIFF_MEASURES };
enum { DIFF_TEXT = 256 };	/* room for diff_text() */

/* The limits of a comparison; a measure without one always passes. */
struct tolerance {
	bool has[DIFF_MEASURES];
	double limit[DIFF_MEASURES];
};

/* Parses --tol: "max:0.01", "rms:0.001", "cos:0.999", "sqnr:40", "corr:0.999",
 * "mae:0.5", joined by commas; a bare number is a max. */
void tolerance_parse(struct tolerance *t, const char *arg);

/* Sums over a tensor a and its reference r; zero them at first. */
struct diff_sums {
	uint64_t n, max_at;
	double max, absolute, error;	/* differences: largest, sum of
					   magnitudes, sum of squares */
	double a, r, ar;		/* squares, and products of a and r */
	double mean_a, mean_r;
	double dev_a, dev_r, dev_ar;	/* squares and products of deviations
					   from these means */
};

void diff_add(struct diff_sums *s, const float *a, const float *r, size_t n);
/* Computes all measures.  m[DIFF_CORR] is NAN if a side is constant; if a side
 * has NaN or infinity, m[DIFF_CORR] and m[DIFF_COS] are NAN. */
void diff_measure(const struct diff_sums *s, double m[DIFF_MEASURES]);
/* Writes "max 1 at 2, rms 0.5, ...": all measures, in the order of the enum. */
void diff_text(const struct diff_sums *s, char text[DIFF_TEXT]);
/* Adds members: the number of elements, all measures, and whether the tensors
 * are equal. */
void diff_json(struct json *j, const struct diff_sums *s, uint64_t max_at);
/* True if all limits are met.  A measure with a limit must not be NAN, except
 * for the correlation of equal constants. */
bool tolerance_met(const struct tolerance *t, const struct diff_sums *s);

/*
 * Compares *a with the reference *b and writes a line for each tensor, text or
 * JSON (schema "npu-diff/1").  Returns false if a tensor is not within *t.
 * Dies if the streams differ in their tensors or sizes.
 */
bool diff(struct output *o, struct real_reader *a, struct real_reader *b,
    const struct tolerance *t, bool jsonl);

#endif
