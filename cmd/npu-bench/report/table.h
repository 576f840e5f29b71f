/* SPDX-License-Identifier: Apache-2.0 */
/* Formats text in columns, for the text report. */
#ifndef NPU_BENCH_REPORT_TABLE_H
#define NPU_BENCH_REPORT_TABLE_H

#include "base/buf.h"

#define TABLE_WIDTH 99		/* most columns of a terminal */

/* Cells, row by row.  Set columns and left first, and zero the rest. */
struct text_table {
	unsigned columns;
	unsigned left;		/* the first `left` columns are names:
				   aligned to the left, and repeated where a
				   table is too wide and continues below */
	struct buf text;
	unsigned cells;
};

void table_cell(struct text_table *t, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* Adds a duration: "-" if it is not finite, "<0.002" if it is below floor. */
void table_ms(struct text_table *t, double ms, double floor, int decimals);
/* Adds another number: "-" if it is not finite. */
void table_number(struct text_table *t, double v, int decimals);

/* Writes the table to *out and frees it. */
void table_print(struct buf *out, struct text_table *t);

/* Formats the text of table_ms(). */
void format_ms(char s[32], double ms, double floor, int decimals);
/* Returns the decimals for the largest duration: 5 below 1 ms, 4 below 10, 3
 * below 1000, 2 below 10000, else 1. */
int format_decimals(double largest_ms);
/* Formats a name on one line, of at most widest columns: the whole name, or its
 * end. */
void format_name(char s[200], const char *name, size_t widest);

#endif
