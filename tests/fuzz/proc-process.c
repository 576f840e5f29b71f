// SPDX-License-Identifier: Apache-2.0
/*
 * /proc/PID/stat and /proc/PID/status: a file that is refused sets no number.
 */
#include <stdlib.h>

#include "host/process.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	uint64_t v = 77;

	if (host_parse_ticks((struct bytes){ p, n }, &v, NULL) < 0 && v != 77)
		abort();
	v = 77;
	if (host_parse_peak((struct bytes){ p, n }, &v, NULL) < 0 && v != 77)
		abort();
	v = 77;
	if (host_parse_group((struct bytes){ p, n }, &v, NULL) < 0 ?
	    v != 77 : v == 0 || v > INT32_MAX)
		abort();
	return 0;
}
