// SPDX-License-Identifier: Apache-2.0
/*
 * A line with a message: any bytes have an explanation or not, always the same.
 * A message that has an explanation also has one with more text before and
 * after it.
 */
#include <stdlib.h>
#include <string.h>

#include "diagnose/xclbin/explain.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static const struct explain_row *
find_row(const struct explanation *e, const struct explain_row *row, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (e == &row[i].is)
			return &row[i];
	return NULL;
}

static const struct explain_row *
row_of(const struct explanation *e)
{
	const struct explain_row *r;

	if ((r = find_row(e, explain_file, explain_file_rows)) == NULL)
		r = find_row(e, explain_machine, explain_machine_rows);
	return r != NULL ? r : find_row(e, explain_run, explain_run_rows);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	static const char before[] = "prog: ", after[] = "\n(err=-0)";
	const struct explanation *e = explain((struct bytes){ p, n });
	size_t b = sizeof(before) - 1, a = sizeof(after) - 1;
	const struct explain_row *r = NULL;
	uint8_t *longer;

	if (e != explain((struct bytes){ p, n }))
		abort();
	if (e != NULL && (r = row_of(e)) == NULL)
		abort();
	/* A pattern for a whole line does not match a longer line. */
	if (n + b + a >= EXPLAIN_LINE || (r != NULL &&
	    strpbrk(r->pattern, "^$") != NULL))
		return 0;
	if ((longer = malloc(b + n + a)) == NULL)
		abort();
	memcpy(longer, before, b);
	if (n > 0)
		memcpy(longer + b, p, n);
	memcpy(longer + b + n, after, a);
	if (e != NULL && explain((struct bytes){ longer, b + n + a }) == NULL)
		abort();
	free(longer);
	return 0;
}
