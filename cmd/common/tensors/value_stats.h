/* SPDX-License-Identifier: Apache-2.0 */
/* The range of a type of elements, and statistics of values: --stats. */
#ifndef CMD_TENSORS_VALUE_STATS_H
#define CMD_TENSORS_VALUE_STATS_H

#include "cmd.h"
#include "npu.h"

/* The least and the largest value of an integer type of elements, both as
 * stored, side by side in q; false for floating point. */
bool type_range_stored(const struct npu_tensor *t, uint8_t q[16]);
/* The real numbers that they stand for, by the scale and zero point of *t. */
bool type_range_reals(const struct npu_tensor *t, float x[2]);

struct value_stats {
	uint64_t tensors;
	uint64_t n, nan;	/* elements: numbers, and NaN */
	double min, max, sum, squares;
	uint64_t at_ends;	/* stored as the least or largest of the type */
	/* Distinct stored values, of types of 8 and 16 bits. */
	bool has_levels;
	uint8_t *seen;		/* one flag each, 65536 */
};

void value_stats_add(struct value_stats *s, const float *x, size_t n);
/* The same elements as stored. */
void value_stats_add_stored(struct value_stats *s, uint32_t dtype,
    const void *q, size_t n);
/* One line on stderr, even with -q: it was asked for. */
void value_stats_report(const struct value_stats *s, const char *what);

#endif
