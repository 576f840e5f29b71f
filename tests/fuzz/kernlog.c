// SPDX-License-Identifier: Apache-2.0
/*
 * A line of the kernel's log: an accepted line is printable and terminated
 * within its buffer; after a refused line the result is empty.
 */
#include <stdlib.h>
#include <string.h>

#include "host/kernlog.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	static const char *const any[] = { "", NULL };
	struct host_kernlog_line line = { .us = 77 };
	struct bytes b = { p, n };

	memset(line.text, '\n', sizeof(line.text));
	if (!host_parse_kernlog(b, any, &line)) {
		if (line.us != 77 || line.text[0] != '\n')
			abort();
	} else {
		if (memchr(line.text, '\0', sizeof(line.text)) == NULL ||
		    (!line.timed && line.us != 0))
			abort();
		for (const char *c = line.text; *c != '\0'; c++)
			if (*c < 0x20 || *c > 0x7e)
				abort();
	}
	if (host_log_has(b, "npu") && n < 3)
		abort();
	return 0;
}
