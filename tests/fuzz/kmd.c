// SPDX-License-Identifier: Apache-2.0
/*
 * A table for a fake device node, and a driver that answers from it: a refused
 * table leaves nothing, and accepted answers are within bounds.
 */
#include <stdlib.h>
#include <string.h>

#include "diagnose/kmd_table.h"
#include "large.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static void
ask_all(struct kmd *k)
{
	uint32_t answer[KMD_ROOM / 4];
	struct kmd_cap c = { .partitions = 77 };
	char version[17];

	if (kmd_query(k, &c, NULL) < 0) {
		if (c.partitions != 77)
			abort();
	} else if (c.partitions < 1 || c.partitions > KMD_PARTS ||
	    c.clusters > KMD_PARTS * KMD_PARTS ||
	    kmd_cap_bytes(k->generation) == 0) {
		abort();
	}
	for (int q = KMD_CAP; q <= KMD_JOB_THREADS; q++) {
		memset(answer, 0, sizeof(answer));
		kmd_ask(k, (enum kmd_question)q, answer, sizeof(answer), NULL);
	}
	if (kmd_version(k, version, sizeof(version), NULL) == 0 &&
	    strlen(version) >= sizeof(version))
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct kmd k = { .fd = -1, .ioctl = kmd_table_ioctl };

	if (kmd_parse_table(p, n, &k.table, NULL) < 0) {
		if (k.table != NULL)
			abort();
		return 0;
	}
	k.arg = k.table;
	ask_all(&k);
	kmd_close(&k);
	return 0;
}
