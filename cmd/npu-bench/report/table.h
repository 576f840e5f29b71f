/* SPDX-License-Identifier: Apache-2.0 */
/* Text in columns, for the text report. */
#ifndef NPU_BENCH_REPORT_TABLE_H
#define NPU_BENCH_REPORT_TABLE_H

#include "base/buf.h"

#define TABLE_WIDTH 99		/* columns of a terminal, at most */

/* Cells, row by row.  Starts with columns and left set, the rest zero. */
struct text_table {
	unsigned columns;
	unsigned left;		/* so many of these are names: aligned to the
				   left, and repeated where a table is too wide
				   and goes on below */
	struct buf text;
	unsigned cells;
};

void table_cell(struct text_table *t, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* A duration: "-" if it is not finite, "<0.002" if it is below floor. */
void table_ms(struct text_table *t, double ms, double floor, int decimals);
/* Another number: "-" if it is not finite. */
void table_number(struct text_table *t, double v, int decimals);

/* Writes the table to *out and frees it. */
void table_print(struct buf *out, struct text_table *t);

/* The text of table_ms(). */
void format_ms(char s[32], double ms, double floor, int decimals);
/* Decimals for the largest duration: 5 below 1 ms, 4 below 10, 3 below 1000, 2
 * below 10000, else 1. */
int format_decimals(double largest_ms);
/* A name on one line, of at most widest columns: all of it, or its end. */
void format_name(char s[200], const char *name, size_t widest);

#endif
