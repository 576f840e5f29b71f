// SPDX-License-Identifier: Apache-2.0
/* Interrupts of a device, and who may read a file. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host/platform.h"
#include "host/proc.h"
#include "tap.h"

#define HEAD "           CPU0       CPU1\n"

static const struct {
	const char *what, *text;
	uint64_t want;		/* 77: none */
} rows[] = {
	{ "the sum of all processors", HEAD
	    " 77:  40  2  GICv3 391 Level  aipu\n", 42 },
	{ "no end of the last line", " 77: 40 aipu", 40 },
	{ "one that is shared", HEAD " 77:  1  2  GICv3 391 Level  x, aipu\n",
	    3 },
	{ "shared the other way", " 77:  1  2  GICv3 391 Level  aipu, x\n",
	    3 },
	{ "after a TAB", " 77:\t40\t2 GIC\taipu\n", 42 },
	{ "a number that is no count", " 77: 40,aipu\n", 0 },
	{ "an empty line before it", "\n 77: 40 aipu\n", 40 },
	{ "two lines", " 7: 1 2 GIC 1 Edge aipu\n 8: 3 4 GIC 2 Edge aipu\n",
	    10 },
	{ "none of it", HEAD " 11: 1000 2000 GICv3 27 Level arch_timer\n", 77 },
	{ "a longer name", " 77: 1 2 GICv3 391 Level aipu2\n", 77 },
	{ "a name before the colon", "aipu: 1 2\n", 77 },
	{ "no colon", " 77 1 2 aipu\n", 77 },
	{ "nothing", "", 77 },
	{ "the greatest count", " 1: 18446744073709551615 aipu\n",
	    UINT64_MAX },
	{ "more than 64 bits together", " 1: 18446744073709551615 1 aipu\n",
	    77 },
	{ "so on two lines, and one more", " 1: 18446744073709551615 aipu\n"
	    " 2: 1 aipu\n 3: 5 aipu\n", 77 },
	{ "a count of more than 64 bits", " 1: 18446744073709551616 aipu\n",
	    0 },
};

static void
interrupts(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		uint64_t v = 77;
		int rc = host_parse_interrupts((struct bytes){
		    (const uint8_t *)rows[i].text, strlen(rows[i].text) },
		    "aipu", &v, NULL);

		if (!ok(v == rows[i].want && (rc == 0) == (v != 77), "%s",
		    rows[i].what))
			diag("%d, %llu", rc, (unsigned long long)v);
	}
}

/* Nothing follows the last word, which is the device's name, not a count. */
static void
name_of_digits(void)
{
	static const char line[] = " 77: 40 7 ";
	uint64_t v = 0;

	ok(host_parse_interrupts((struct bytes){ (const uint8_t *)line,
	    sizeof(line) - 2 }, "7", &v, NULL) == 0 && v == 40,
	    "a device that is called 7");
}

/* A file in memory, by its path below /proc. */
static void
readers(void)
{
	int fd = memfd_create("file", MFD_CLOEXEC);
	char path[20], who[80] = "?", name[SYS_NAME];

	if (fd < 0)
		exit(1);
	snprintf(path, sizeof(path), "/%d", fd);
	fchmod(fd, 0600);
	host_read_readers("/proc/self/fd", path, who, sizeof(who));
	ok(strncmp(who, "user ", 5) == 0 && who[5] != '\0',
	    "its owner alone: %s", who);
	fchmod(fd, 0644);
	host_read_readers("/proc/self/fd", path, who, sizeof(who));
	ok(who[0] == '\0', "all");
	if (geteuid() == 0 && fchown(fd, 0, 54321) == 0) {
		fchmod(fd, 0640);
		host_read_readers("/proc/self/fd", path, who, sizeof(who));
		ok(strcmp(who, "group 54321") == 0, "a group without a name");
	}
	host_read_readers("/proc/self/fd", "/none", who, sizeof(who));
	ok(who[0] == '\0', "no such file");
	ok(host_link_name("/proc", "/self/exe", name, NULL) &&
	    strcmp(name, "platform") == 0, "the last part of a link");
	ok(!host_link_name("/proc", "/version", name, NULL),
	    "a file is no link");
	close(fd);
}

int
main(void)
{
	interrupts();
	name_of_digits();
	readers();
	return done();
}
