/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the range of an element type, and statistics of values: --stats. */
#ifndef CMD_TENSORS_VALUE_STATS_H
#define CMD_TENSORS_VALUE_STATS_H

#include "cmd.h"
#include "npu.h"

/* Sets the least and the largest value of an integer type, both as stored, side
 * by side in q.  Returns false for floating point. */
bool type_range_stored(const struct npu_tensor *t, uint8_t q[16]);
/* Sets the real numbers that these two represent, by the scale and zero point
 * of *t. */
bool type_range_reals(const struct npu_tensor *t, float x[2]);

struct value_stats {
	uint64_t tensors;
	uint64_t n, nan;	/* elements: numbers, and NaN */
	double min, max, sum, squares;
	uint64_t at_ends;	/* stored as the least or largest value of
				   the type */
	/* Distinct stored values, for types of 8 and 16 bits. */
	bool has_levels;
	uint8_t *seen;		/* one flag for each of 65536 values */
};

void value_stats_add(struct value_stats *s, const float *x, size_t n);
/* Adds the same elements, as stored. */
void value_stats_add_stored(struct value_stats *s, uint32_t dtype,
    const void *q, size_t n);
/* Prints one line on stderr, even with -q, because the user asked for it. */
void value_stats_report(const struct value_stats *s, const char *what);

#endif
