// SPDX-License-Identifier: Apache-2.0
/*
 * Reads /proc/meminfo, /proc/loadavg, /proc/interrupts and numbers from /sys.
 */
#include <stdlib.h>

#include "host/proc.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct bytes b = { p, n };
	struct host_memory m;
	double v;
	int64_t i;
	uint64_t count = 77;

	if (host_parse_meminfo(b, &m, NULL) == 0 &&
	    (m.total == 0 || m.available > m.total ||
	    !(host_memory_percent(&m) >= 0 && host_memory_percent(&m) <= 100)))
		abort();
	if (host_parse_loadavg(b, &v, NULL) == 0 && !(v >= 0 && v < 1e10))
		abort();
	if (host_parse_number(b, &i, NULL) == 0 && n > 0 && *p != '-' && i < 0)
		abort();
	if (host_parse_interrupts(b, "aipu", &count, NULL) < 0 && count != 77)
		abort();
	return 0;
}
