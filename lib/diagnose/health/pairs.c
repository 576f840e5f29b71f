// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "diagnose/health/impl.h"

#define WORKS "this pair is reported to work"
#define ASKS_NEW "the library asks for the capability of 200 bytes, which " \
	"this driver lacks: install cix-noe-umd 2.0.x, or a driver 6.x"
#define ASKS_OLD "the library asks for the capability of 424 bytes, which " \
	"this driver lacks (query capability [fail]): install cix-noe-umd " \
	"3.1.x with cix-npu-umd, or driver 5.11.0"

/*
 * Which library works with which driver; the first matching row applies.  The
 * capability's size decides, because the vendor's library asks only for a
 * capability of one size.  Sources: kernel-driver 7 and noe-abi 10.  All rows
 * except the first were published by others; we have not tested them.
 */
static const struct {
	uint64_t capability;
	const char *driver;	/* prefix of the version */
	uint64_t library;	/* generation */
	const char *verdict, *reason;
} pairs[] = {
	{ 424, "5.11.", 2, "fits", "release 25Q3: " WORKS },
	{ 424, "", 2, "fits", "the driver takes the old numbers: " WORKS },
	{ 424, "", 3, "mismatch", ASKS_NEW },
	{ 424, "", 4, "mismatch", ASKS_NEW },
	{ 200, "", 2, "mismatch", ASKS_OLD },
	{ 200, "6.0.", 3, "fits", "release 26Q1: " WORKS },
	{ 200, "6.0.", 4, "fits", "with cix-npu-umd " WORKS },
	{ 200, "6.1.", 3, "fits", "release 26Q1: " WORKS },
	{ 200, "6.1.", 4, "fits", "with cix-npu-umd " WORKS },
	{ 200, "6.2.", 3, "fits", "release 26Q2: " WORKS },
};

void
health_judge_pair(struct health *h)
{
	const struct health_fact *f = h->fact;

	if (f[HEALTH_CAPABILITY_BYTES].state != HEALTH_KNOWN ||
	    f[HEALTH_LIBRARY_GENERATION].state != HEALTH_KNOWN)
		return;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		if (pairs[i].capability !=
		    f[HEALTH_CAPABILITY_BYTES].number ||
		    pairs[i].library != f[HEALTH_LIBRARY_GENERATION].number ||
		    strncmp(f[HEALTH_DRIVER_VERSION].text, pairs[i].driver,
		    strlen(pairs[i].driver)) != 0)
			continue;
		health_set_text(h, HEALTH_PAIR, pairs[i].verdict);
		health_set_text(h, HEALTH_PAIR_REASON, pairs[i].reason);
		return;
	}
}
