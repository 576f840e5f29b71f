/* SPDX-License-Identifier: Apache-2.0 */
/* Text in columns, for the reports that people read. */
#ifndef NPU_BENCH_REPORT_TABLE_H
#define NPU_BENCH_REPORT_TABLE_H

#include "base/buf.h"

#define TABLE_WIDTH 99		/* columns of a terminal, most */

/* Cells, row by row.  Zeroed but for columns. */
struct text_table {
	unsigned columns;
	unsigned left;		/* so many of them are names: aligned to the
				   left, and repeated where a table is too wide
				   and goes on below */
	struct buf text;
	unsigned cells;
};

void table_cell(struct text_table *t, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* A duration; "-" where it is not known, "<0.002" where it is below floor. */
void table_ms(struct text_table *t, double ms, double floor, int decimals);
/* Other numbers; "-" where one is not known. */
void table_number(struct text_table *t, double v, int decimals);

/* Prints t, and frees it. */
void table_print(struct buf *out, struct text_table *t);
/* The same, as a table of Markdown. */
void table_markdown(struct buf *out, struct text_table *t);

/* What table_ms() writes. */
void format_ms(char s[32], double ms, double floor, int decimals);
/* How many decimals show 4 or 5 digits of the largest duration, and 3 at
 * most of one that is a ms or more. */
int format_decimals(double largest_ms);
/* A name on one line, no wider than so many columns, 40 at most: all of it or
 * its end. */
void format_name(char s[200], const char *name, size_t widest);

#endif
