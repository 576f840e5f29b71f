// SPDX-License-Identifier: Apache-2.0
#include "report.h"

unsigned
bench_warnings(const struct bench *b, const struct bench_stats *s)
{
	unsigned all = 0;

	for (unsigned i = 0; i < b->runs; i++)
		all |= s[i].warnings;
	return all;
}

void
bench_warn(const struct bench *b, const struct bench_stats *s)
{
	for (int k = 0; k < WARNINGS; k++) {
		unsigned n = 0;

		for (unsigned i = 0; i < b->runs; i++)
			n += (s[i].warnings & 1u << k) != 0;
		if (n > 0 && b->runs > 1)
			cmd_note("%s: %s (%u of %u)", warning_texts[k].code,
			    warning_texts[k].text, n, b->runs);
		else if (n > 0)
			cmd_note("%s: %s", warning_texts[k].code,
			    warning_texts[k].text);
	}
}
