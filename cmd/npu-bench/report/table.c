// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "cmd.h"
#include "table.h"

/* ---- Cells ------------------------------------------------------------ */

void
table_cell(struct text_table *t, const char *fmt, ...)
{
	char s[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(s, sizeof(s), fmt, ap);
	va_end(ap);
	buf_add(&t->text, s, strlen(s) + 1);
	t->cells++;
}

void
format_ms(char s[32], double ms, double floor, int decimals)
{
	double unit = pow(10, decimals);

	if (!isfinite(ms))
		snprintf(s, 32, "-");
	else if (ms < floor)
		snprintf(s, 32, "<%.*f", decimals, ceil(floor * unit) / unit);
	else
		snprintf(s, 32, "%.*f", decimals, ms);
}

void
table_ms(struct text_table *t, double ms, double floor, int decimals)
{
	char s[32];

	format_ms(s, ms, floor, decimals);
	table_cell(t, "%s", s);
}

void
table_number(struct text_table *t, double v, int decimals)
{
	if (isfinite(v))
		table_cell(t, "%.*f", decimals, v);
	else
		table_cell(t, "-");
}

int
format_decimals(double largest_ms)
{
	return !(largest_ms < 10000) ? 1 : largest_ms >= 1000 ? 2 :
	    largest_ms >= 10 ? 3 : largest_ms >= 1 ? 4 : 5;
}

/* Returns the width in code points; a byte that does not begin one counts as
 * one. */
static size_t
width(const char *s)
{
	size_t n = strlen(s), columns = 0, len;
	uint32_t c;

	for (size_t i = 0; i < n; i += len > 0 ? len : 1, columns++)
		len = utf8_decode(s + i, n - i, &c);
	return columns;
}

void
format_name(char s[200], const char *name, size_t widest)
{
	size_t n = strlen(name), from = 0, len, over = width(name);
	uint32_t c;

	/* Cuts off the excess, and three more columns for the dots. */
	for (over = over > widest ? over - widest + 3 : 0; over > 0; over--) {
		len = utf8_decode(name + from, n - from, &c);
		from += len > 0 ? len : 1;
	}
	snprintf(s, 200, "%s%s", from > 0 ? "..." : "", name + from);
	cmd_printable(s, strlen(s));
}

/* ---- Rows ------------------------------------------------------------- */

struct table_layout {
	const char **cell;
	size_t *width;		/* width of each column */
	unsigned rows;
};

static bool
lay_out(const struct text_table *t, struct table_layout *l)
{
	const char *p = t->text.p;

	if (t->text.failed)
		return false;
	l->rows = t->cells / t->columns;
	l->cell = cmd_alloc(t->cells * sizeof(*l->cell));
	l->width = cmd_alloc(t->columns * sizeof(*l->width));
	for (unsigned i = 0; i < t->cells; i++) {
		size_t w = width(p), *most = &l->width[i % t->columns];

		l->cell[i] = p;
		*most = w > *most ? w : *most;
		p += strlen(p) + 1;
	}
	return true;
}

static void
put_cell(struct buf *out, const char *s, size_t columns, bool left)
{
	int gap = (int)(columns - width(s));

	if (left)
		buf_printf(out, "%s%*s", s, gap, "");
	else
		buf_printf(out, "%*s%s", gap, "", s);
}

/* Writes the names, and the columns from first up to end. */
static void
put_block(struct buf *out, const struct text_table *t,
    const struct table_layout *l, unsigned first, unsigned end)
{
	for (unsigned r = 0; r < l->rows; r++) {
		for (unsigned c = 0; c < end; c++) {
			if (c >= t->left && c < first)
				continue;
			buf_puts(out, c > 0 ? "  " : "");
			put_cell(out, l->cell[r * t->columns + c],
			    l->width[c], c < t->left);
		}
		buf_puts(out, "\n");
	}
}

static void
put_blocks(struct buf *out, const struct text_table *t,
    const struct table_layout *l)
{
	unsigned first = t->left, end;
	size_t names = 0, wide;

	for (unsigned c = 0; c < t->left; c++)
		names += l->width[c] + (c > 0 ? 2 : 0);
	for (; first < t->columns; first = end) {
		buf_puts(out, first > t->left ? "\n" : "");
		wide = names + 2 + l->width[first];
		for (end = first + 1; end < t->columns && wide + 2 +
		    l->width[end] <= TABLE_WIDTH; end++)
			wide += 2 + l->width[end];
		put_block(out, t, l, first, end);
	}
}

void
table_print(struct buf *out, struct text_table *t)
{
	struct table_layout l = { 0 };

	if (lay_out(t, &l))
		put_blocks(out, t, &l);
	out->failed |= t->text.failed;
	free(l.cell);
	free(l.width);
	buf_free(&t->text);
	t->cells = 0;
}
