/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics of the values of tensors: --stats. */
#ifndef CMD_TENSORS_VALUE_STATS_H
#define CMD_TENSORS_VALUE_STATS_H

#include "cmd.h"

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
