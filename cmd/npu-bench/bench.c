// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "stats/percentile.h"

const char *const bench_scenarios[SCENARIOS + 1] = {
	[SINGLE_STREAM] = "single-stream", [MULTI_STREAM] = "multi-stream",
	[OFFLINE] = "offline", [SERVER] = "server",
};

void
bench_percent(uint32_t p, char s[11])
{
	size_t n = (size_t)snprintf(s, 11, "%u.%06u", p / PERCENT % 1000,
	    p % PERCENT);

	while (s[n - 1] == '0')
		n--;
	s[s[n - 1] == '.' ? n - 1 : n] = '\0';
}

void
bench_percent_key(uint32_t p, char s[13])
{
	char percent[11], *point;

	bench_percent(p, percent);
	snprintf(s, 13, "p%s%s", p < 10 * PERCENT ? "0" : "", percent);
	if ((point = strchr(s, '.')) != NULL)
		memmove(point, point + 1, strlen(point));
}

bool
bench_stat_percentile(const char *stat, uint32_t *p, const char **rest)
{
	size_t n = strcspn(stat, "_");
	char percent[16];

	if (*stat != 'p' || n > sizeof(percent))
		return false;
	memcpy(percent, stat + 1, n - 1);
	percent[n - 1] = '\0';
	*rest = stat + n;
	return percent_parse(percent, p, NULL) == 0;
}
