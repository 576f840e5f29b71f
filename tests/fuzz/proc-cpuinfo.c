// SPDX-License-Identifier: Apache-2.0
/* /proc/cpuinfo: the name is terminated, for any contents of the file. */
#include <stdlib.h>
#include <string.h>

#include "host/machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	char name[HOST_NAME];

	memset(name, 'x', sizeof(name));
	host_parse_cpuinfo((struct bytes){ p, n }, name);
	if (memchr(name, '\0', sizeof(name)) == NULL)
		abort();
	return 0;
}
