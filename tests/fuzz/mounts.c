// SPDX-License-Identifier: Apache-2.0
/*
 * The disks in a table of mounts have whole paths, are in order, and no source
 * occurs twice.
 */
#include <stdlib.h>
#include <string.h>

#include "host/mounts.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct host_mounts d = { 0 };

	if (host_parse_mounts((struct bytes){ p, n }, &d, NULL) < 0)
		abort();
	for (size_t i = 0; i < d.n; i++) {
		const struct host_mount *m = &d.mount[i];

		if (m->path[0] != '/' || m->kind != HOST_MOUNT_DISK)
			abort();
		if (i > 0 && strcmp(m[-1].path, m->path) >= 0)
			abort();
		for (size_t k = 0; k < i; k++)
			if (strcmp(d.mount[k].source, m->source) == 0)
				abort();
	}
	host_mounts_free(&d);
	return 0;
}
