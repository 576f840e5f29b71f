// SPDX-License-Identifier: Apache-2.0
/* What /proc says of a process; lines as proc(5) has them. */
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/process.h"
#include "tap.h"

static struct bytes
text(const char *s)
{
	return (struct bytes){ (const uint8_t *)s, strlen(s) };
}

/* Fields 3 to 13, then utime and stime. */
#define BEFORE " S 1 12 12 0 -1 4194560 100 0 2 0 "

struct row {
	const char *text, *says;	/* NULL: is taken */
	uint64_t want;
};

static const struct row stats[] = {
	{ "12 (sh)" BEFORE "50 7 1 2 20 0 1 0\n", NULL, 57 },
	{ "12 (sh)" BEFORE "50 7", NULL, 57 },
	{ "12 (sh)" BEFORE "50 7\n", NULL, 57 },
	{ "12 (a) R 9 (b) 8)" BEFORE "50 7 1\n", NULL, 57 },
	{ "12 (a\nb)" BEFORE "50 7 1\n", NULL, 57 },
	{ "12 ()" BEFORE "18446744073709551615 0 1\n", NULL, UINT64_MAX },
	{ "", "no name in brackets", 0 },
	{ "12 sh S 1 12", "no name in brackets", 0 },
	{ "12 (sh)", "field 14", 0 },
	{ "12 (sh)" BEFORE, "field 14", 0 },
	{ "12 (sh)" BEFORE "\n50 7", "field 14", 0 },
	{ "12 (sh)" BEFORE "50", "field 15", 0 },
	{ "12 (sh)" BEFORE "50\n7", "field 15", 0 },
	{ "12 (sh)" BEFORE "-50 7", "field 14", 0 },
	{ "12 (sh)" BEFORE "50 7x", "field 15", 0 },
	{ "12 (sh)" BEFORE "50x 7", "field 14", 0 },
	{ "12 (sh)" BEFORE "18446744073709551616 7", "field 14", 0 },
	{ "12 (sh)" BEFORE "18446744073709551615 1", "fields 14 and 15 add",
	    0 },
};

static const struct row peaks[] = {
	{ "Name:\tsh\nVmPeak:\t 9 kB\nVmHWM:\t    1234 kB\nVmRSS:\t 5 kB\n",
	    NULL, 1234 },
	{ "VmHWM: 7 kB", NULL, 7 },
	{ "Name:\tkthreadd\n", "has no VmHWM", 0 },
	{ "", "has no VmHWM", 0 },
	{ "xVmHWM: 7 kB\n", "has no VmHWM", 0 },
	{ "VmHWM: 7\n", "no number of kB", 0 },
	{ "VmHWM: 7 MB\n", "no number of kB", 0 },
	{ "VmHWM: -7 kB\n", "no number of kB", 0 },
	{ "VmHWM:", "no number of kB", 0 },
	{ "VmHWM: 18446744073709551616 kB\n", "no number of kB", 0 },
};

static void
check(const char *what, const struct row *row,
    int (*parse)(struct bytes, uint64_t *, struct npu_err *))
{
	struct npu_err err = { .msg = "" };
	uint64_t v = 77;
	int rc = parse(text(row->text), &v, &err);

	if (!ok(row->says == NULL ? rc == 0 && v == row->want :
	    rc == NPU_EFORMAT && v == 77 &&
	    strstr(err.msg, row->says) != NULL, "%s: %s", what,
	    row->says != NULL ? row->says : "taken"))
		diag("%d, %llu, %s of %s", rc, (unsigned long long)v, err.msg,
		    row->text);
}

/* A process that does nothing but take time; qemu-user makes up the numbers of
 * /proc/self/stat, not those of others. */
static pid_t
burn(void)
{
	pid_t pid = fork();

	if (pid == 0)
		for (volatile unsigned i = 0;; i++)
			;
	return pid;
}

static void
real(void)
{
	static char big[3 << 20];
	struct npu_err err = { .msg = "" };
	uint64_t v = 0, peak = 0;
	pid_t pid = burn();

	/* So long that it must show: 100 ticks a second. */
	for (int i = 0; i < 1000 && v < 3; i++) {
		usleep(10000);
		host_read_ticks("", pid, &v, &err);
	}
	ok(v >= 3, "a process that burns time");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	ok(host_read_ticks("", pid, &v, &err) == NPU_ESYSTEM &&
	    strstr(err.msg, "/stat: ") != NULL, "and is gone");
	ok(host_read_ticks("", 0, &v, &err) == 0, "self has ticks");
	memset(big, 1, sizeof(big));
	__asm__ volatile("" : : "r"(big) : "memory");	/* really */
	ok(host_read_peak("", 0, &peak, &err) == 0 &&
	    peak >= sizeof(big) / 1024, "at least what was touched");
}

int
main(void)
{
	for (size_t i = 0; i < sizeof(stats) / sizeof(*stats); i++)
		check("stat", &stats[i], host_parse_ticks);
	for (size_t i = 0; i < sizeof(peaks) / sizeof(*peaks); i++)
		check("status", &peaks[i], host_parse_peak);
	real();
	return done();
}
