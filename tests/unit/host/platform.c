// SPDX-License-Identifier: Apache-2.0
/* Counts the interrupts of a device, and finds out who may read a file. */
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
	uint64_t want;		/* 77: the device is not found */
} rows[] = {
	{ "the counts of all processors are added", HEAD
	    " 77:  40  2  GICv3 391 Level  aipu\n", 42 },
	{ "a last line without a line end is read", " 77: 40 aipu", 40 },
	{ "a shared interrupt counts if the device is the last",
	    HEAD " 77:  1  2  GICv3 391 Level  x, aipu\n", 3 },
	{ "a shared interrupt counts if the device is the first",
	    " 77:  1  2  GICv3 391 Level  aipu, x\n",
	    3 },
	{ "TABs separate fields", " 77:\t40\t2 GIC\taipu\n", 42 },
	{ "a number that is followed by ',' is not a count",
	    " 77: 40,aipu\n", 0 },
	{ "an empty line is skipped", "\n 77: 40 aipu\n", 40 },
	{ "the counts of two lines are added",
	    " 7: 1 2 GIC 1 Edge aipu\n 8: 3 4 GIC 2 Edge aipu\n",
	    10 },
	{ "without a line of the device, it is not found",
	    HEAD " 11: 1000 2000 GICv3 27 Level arch_timer\n", 77 },
	{ "a longer name is not the device",
	    " 77: 1 2 GICv3 391 Level aipu2\n", 77 },
	{ "a name before the colon is not the device", "aipu: 1 2\n", 77 },
	{ "a line without a colon is skipped", " 77 1 2 aipu\n", 77 },
	{ "in an empty file, the device is not found", "", 77 },
	{ "the largest 64-bit count is read", " 1: 18446744073709551615 aipu\n",
	    UINT64_MAX },
	{ "if the sum of a line exceeds 64 bits, the file is refused",
	    " 1: 18446744073709551615 1 aipu\n",
	    77 },
	{ "if the sum of several lines exceeds 64 bits, the file is refused",
	    " 1: 18446744073709551615 aipu\n"
	    " 2: 1 aipu\n 3: 5 aipu\n", 77 },
	{ "a count above 64 bits is not a count",
	    " 1: 18446744073709551616 aipu\n",
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

/* The last word of a line is the device's name, even if it is a number. */
static void
name_of_digits(void)
{
	static const char line[] = " 77: 40 7 ";
	uint64_t v = 0;

	ok(host_parse_interrupts((struct bytes){ (const uint8_t *)line,
	    sizeof(line) - 2 }, "7", &v, NULL) == 0 && v == 40,
	    "a device with the name 7 is found");
}

/* Uses a file in memory, by its path below /proc. */
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
	    "a file of mode 600 can be read by its owner: %s", who);
	fchmod(fd, 0644);
	host_read_readers("/proc/self/fd", path, who, sizeof(who));
	ok(who[0] == '\0', "a file of mode 644 can be read by all users");
	if (geteuid() == 0 && fchown(fd, 0, 54321) == 0) {
		fchmod(fd, 0640);
		host_read_readers("/proc/self/fd", path, who, sizeof(who));
		ok(strcmp(who, "group 54321") == 0, "a file of mode 640 can be "
		    "read by its group, given as a number");
	}
	host_read_readers("/proc/self/fd", "/none", who, sizeof(who));
	ok(who[0] == '\0', "a missing file has no readers");
	ok(host_link_name("/proc", "/self/exe", name, NULL) &&
	    strcmp(name, "platform") == 0, "host_link_name() returns the last "
	    "part of a link's target");
	ok(!host_link_name("/proc", "/version", name, NULL),
	    "host_link_name() fails for a file that is not a link");
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
