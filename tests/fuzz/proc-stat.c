// SPDX-License-Identifier: Apache-2.0
/* Any /proc/stat gives a share from 0 to 100, or no share. */
#include <math.h>
#include <stdlib.h>

#include "host/proc.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

/* The input is cut in the middle into two readings, one after the other. */
int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct host_cpu a = { .count = 0 }, b;
	double v;

	if (host_parse_stat((struct bytes){ p + n / 2, n - n / 2 }, &b,
	    NULL) < 0)
		return 0;
	host_parse_stat((struct bytes){ p, n / 2 }, &a, NULL);
	v = host_cpu_percent(&a, &b);
	if (b.count == 0 || !(isnan(v) || (v >= 0 && v <= 100)))
		abort();
	return 0;
}
