// SPDX-License-Identifier: Apache-2.0
/* Lines of /proc; numbers worked out from proc(5). */
#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "host/mounts.h"
#include "host/proc.h"
#include "tap.h"

static struct bytes
text(const char *s)
{
	return (struct bytes){ (const uint8_t *)s, strlen(s) };
}

/* ---- Processors ------------------------------------------------------- */

static double
percent(const char *a, const char *b)
{
	struct host_cpu before = { .count = 0 }, after;

	if ((a != NULL && host_parse_stat(text(a), &before, NULL) < 0) ||
	    host_parse_stat(text(b), &after, NULL) < 0)
		return -1;
	return host_cpu_percent(&before, &after);
}

static void
processors(void)
{
	struct host_cpu c;

	/* user 10, nice 20, system 30, idle 100, iowait 40, irq 1, softirq 2,
	 * steal 3: 66 of 206 busy; guest and guest_nice are in user. */
	ok(fabs(percent(NULL, "cpu  10 20 30 100 40 1 2 3 9 9\n") -
	    100 * 66 / 206.0) < 1e-12, "all but idle and iowait is busy");
	ok(percent(NULL, "cpu  1 1 1 1\n") == 75, "four numbers are enough");
	ok(percent("cpu  100 0 0 900\n", "cpu  119 0 0 981\n") == 19,
	    "19 of 100 ticks since then");
	ok(percent("cpu  100 0 0 900 50\n", "cpu  110 0 0 930 40\n") == 25,
	    "a number that goes down is no time");
	ok(percent("cpu  30 0 0 70\n", "cpu  30 0 0 70\n") == 30,
	    "no time: since the start");
	ok(isnan(percent(NULL, "cpu  0 0 0 0\n")), "no time at all");
	/* Found by fuzzing: it was 100.00000000000001. */
	ok(percent(NULL, "cpu 184467440737095510 7 60 1\n") <= 100,
	    "a processor is never busier than it can be");
	ok(percent(NULL, "cpu\ncpu  1 1 1 1\n") == 75,
	    "a line without anything is not it");
	ok(host_parse_stat(text("cpu  1 1 1 1\ncpu0 1 0 1 0\ncpu1 0 1 0 1\n"
	    "intr 5\ncpufreq 7\n"), &c, NULL) == 0 && c.count == 2,
	    "two processors");
	ok(host_parse_stat(text("x\ncpu  1 1 1 1"), &c, NULL) == 0 &&
	    c.count == 1, "without their lines there is one");
}

static void
refused_stats(void)
{
	static const struct {
		const char *s, *says;
	} bad[] = {
		{ "", "has no line cpu" },
		{ "cpu0 1 2 3 4\n", "has no line cpu" },
		{ "cpu  1 2 3\n", "has 3 numbers, but 4" },
		{ "cpu  1 2 x 4\n", "number 3" },
		{ "cpu  1 2 3x 4\n", "number 3" },
		{ "cpu  1 2 3 -4\n", "number 4" },
		{ "cpu  18446744073709551616 2 3 4\n", "number 1" },
		{ "cpu  18446744073709551615 2 3 4\n", "number 2" },
	};
	struct host_cpu c = { .count = 77 };
	struct npu_err err;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		err.msg[0] = '\0';
		if (!ok(host_parse_stat(text(bad[i].s), &c, &err) ==
		    NPU_EFORMAT && c.count == 77 &&
		    strstr(err.msg, bad[i].says) != NULL,
		    "stat refused: %s", bad[i].says))
			diag("%s", err.msg);
	}
}

/* ---- Memory, load, numbers -------------------------------------------- */

static void
memory(void)
{
	struct host_memory m = { 7, 7 };

	ok(host_parse_meminfo(text("MemTotal:  1000 kB\nMemFree: 1 kB\n"
	    "MemAvailable:  745 kB\nCached: 9 kB\n"), &m, NULL) == 0 &&
	    m.total == 1000 && m.available == 745 &&
	    host_memory_percent(&m) == 25.5, "total less available");
	ok(host_parse_meminfo(text("MemTotal: 1000 kB\nMemFree: 100 kB\n"
	    "Buffers: 20 kB\nCached: 30 kB\nSwapCached: 500 kB\n"), &m,
	    NULL) == 0 && m.available == 150, "a kernel before 3.14");
	ok(host_parse_meminfo(text("MemTotal: 10\nMemAvailable: 11\n"), &m,
	    NULL) == 0 && host_memory_percent(&m) == 0,
	    "more than all is all");
	m.total = 7;
	ok(host_parse_meminfo(text("MemFree: 5 kB\n"), &m, NULL) ==
	    NPU_EFORMAT && host_parse_meminfo(text("MemTotal: 0 kB\n"
	    "MemFree: 0 kB\n"), &m, NULL) == NPU_EFORMAT &&
	    host_parse_meminfo(text("MemTotal: 5 kB\n"), &m, NULL) ==
	    NPU_EFORMAT && host_parse_meminfo(text("MemTotal: x\n"
	    "MemFree: 5\n"), &m, NULL) == NPU_EFORMAT &&
	    host_parse_meminfo(text("MemTotal: 18014398509481984\n"
	    "MemFree: 5\n"), &m, NULL) == NPU_EFORMAT && m.total == 7,
	    "refused: no total, 0, nothing free, no number, 2^54");
}

static void
numbers(void)
{
	static const char *const bad[] = { "", ".5", "x", "-1", "0.x", "0,46",
	    "1.0000000001", "4294967296", NULL };
	double load = 7;
	int64_t v = 7;

	ok(host_parse_loadavg(text("0.46 0.5 1.61 1/2 3\n"), &load, NULL) == 0
	    && load == 0.46, "a load");
	ok(host_parse_loadavg(text("5.69 5 5 1/2 3\n"), &load, NULL) == 0 &&
	    load == 5.69, "a load that two roundings miss");
	ok(host_parse_loadavg(text("12"), &load, NULL) == 0 && load == 12,
	    "a whole one");
	ok(host_parse_loadavg(text("3\n"), &load, NULL) == 0 && load == 3 &&
	    host_parse_loadavg(text("12"), &load, NULL) == 0, "on a line");
	for (int i = 0; bad[i] != NULL; i++)
		ok(host_parse_loadavg(text(bad[i]), &load, NULL) ==
		    NPU_EFORMAT && load == 12, "no load: '%s'", bad[i]);
	ok(host_parse_number(text("44250\n"), &v, NULL) == 0 && v == 44250 &&
	    host_parse_number(text("-5"), &v, NULL) == 0 && v == -5,
	    "numbers");
	ok(host_parse_number(text(""), &v, NULL) < 0 &&
	    host_parse_number(text("-"), &v, NULL) < 0 &&
	    host_parse_number(text("5 "), &v, NULL) < 0 &&
	    host_parse_number(text("184467440737095516160"), &v, NULL) < 0 &&
	    host_parse_number(text("99999999999999999999"), &v, NULL) < 0 &&
	    host_parse_number(text("9223372036854775808"), &v, NULL) < 0 &&
	    v == -5, "no numbers");
}

/* ---- Mounts ----------------------------------------------------------- */

/* The paths of the disks of a table, with ',' between. */
static const char *
disks(const char *table)
{
	static char s[256];
	struct host_mounts d = { 0 };

	s[0] = '\0';
	if (host_parse_mounts(text(table), &d, NULL) < 0)
		return "refused";
	for (size_t i = 0; i < d.n; i++) {
		strcat(s, i > 0 ? "," : "");
		strcat(s, d.mount[i].path);
	}
	host_mounts_free(&d);
	return s;
}

struct row {
	const char *table, *want, *name;
};

static const struct row rows[] = {
	{ "/dev/a / ext4 rw 0 0\nproc /proc proc rw 0 0\n", "/",
	    "ext4 is a disk, proc is not" },
	{ "/dev/b /z xfs rw 0 0\n/dev/a / ext4 rw 0 0\n", "/,/z",
	    "in the order of paths" },
	{ "rootfs / rootfs rw 0 0\n/dev/a / ext4 rw 0 0\n", "/",
	    "the last at a path" },
	{ "/dev/a / ext4 rw 0 0\n/dev/b /m xfs rw 0 0\n"
	  "tmpfs /m tmpfs rw 0 0\n", "/", "what is covered is none" },
	{ "/dev/a /long ext4 rw 0 0\n/dev/a /b ext4 rw 0 0\n", "/b",
	    "a source once, where its path is shortest" },
	{ "overlay / overlay rw 0 0\noverlay /v overlay rw 0 0\n", "/",
	    "an overlay only as the root" },
	{ "/dev/a / ext4 rw 0 0\nsrv:/x /n nfs4 rw 0 0\n"
	  "/dev/b /n/disk ext4 rw 0 0\n/dev/c /nn ext4 rw 0 0\n", "/,/nn",
	    "nothing below a network file system" },
	{ "/dev/a / ext4 rw 0 0\n/dev/b /n ext4 rw 0 0\n"
	  "srv:/x /n nfs4 rw 0 0\n", "/", "nor one that it covers" },
	{ "srv:/x /n nfs4 rw 0 0\n/dev/b /n ext4 rw 0 0\n", "",
	    "nor one that covers it" },
	{ "srv:/ / nfs rw 0 0\n/dev/b /d ext4 rw 0 0\n", "",
	    "nor anything when it is the root" },
	{ "/dev/sdc1 /ntfs fuseblk rw 0 0\n/dev/d /ntfs/d ext4 rw 0 0\n", "",
	    "nor what a program serves, nor below it" },
	{ "tmpfs /t tmpfs rw 0 0\n/dev/b /t/d ext4 rw 0 0\n", "/t/d",
	    "but below a tmpfs" },
	{ "/dev/a / ext4 rw 0 0\n/dev/b /m xfs rw 0 0\n /m tmpfs rw 0 0\n",
	    "/", "what one without a source covers is none" },
	{ " /n fuse.x rw 0 0\n/dev/b /n ext4 rw 0 0\n"
	  "/dev/c /n/c ext4 rw 0 0\n", "",
	    "nor what is at or below such a one that a program serves" },
	{ "/dev/b /my\\040disk\\134\\04 ext4 rw 0 0\n", "/my disk\\\\04",
	    "octal is undone, what is none stays" },
	{ "/dev/b /\\098\\000\\777 ext4 rw 0 0\n", "/\\098\\000\\777",
	    "not a digit above 7, 0 or more than a byte" },
	{ "/dev/a /c ext4 rw 0 0\n/dev/a /b ext4 rw 0 0\n"
	  "/dev/a /bb ext4 rw 0 0\n/dev/a /a ext4 rw 0 0\n", "/a",
	    "of paths as short, the first by name" },
	{ "/dev/a / ext4 rw 0 0\n/dev/b\n/dev/c /c\nx relative ext4\n\n"
	  "/dev/d /d ext4", "/,/d", "lines that are no mounts" },
	{ "", "", "an empty table" },
};

/* The number of disks of a table with so many lines, a disk each, and then the
 * line last; -1 if it is refused. */
static long
many(size_t lines, const char *last)
{
	struct host_mounts d = { 0 };
	struct npu_err err = { .msg = "" };
	struct buf b = { 0 };
	long n = -1;

	for (size_t i = 1; i < lines; i++)
		buf_printf(&b, "/dev/%zu /m/%zu ext4 rw 0 0\n", i, i);
	buf_puts(&b, last);
	if (host_parse_mounts((struct bytes){ (uint8_t *)b.p, b.n }, &d,
	    &err) == 0)
		n = (long)d.n;
	else
		diag("%s", err.msg);
	host_mounts_free(&d);
	buf_free(&b);
	return n;
}

static void
long_tables(void)
{
	const size_t most = HOST_MOUNTS;

	ok(many(5000, "tmpfs /t tmpfs rw 0 0") == 4999, "5000 lines");
	ok(many(5000, "srv:/x /m nfs4 rw 0 0") == 0, "the last covers all");
	ok(many(5000, "tmpfs /m/7 tmpfs rw 0 0") == 4998, "or one");
	ok(many(most, "srv:/x /m/7 nfs4 rw 0 0") == (long)most - 2,
	    "as many lines as may be");
	ok(many(most + 1, "srv:/x /m nfs4 rw 0 0") == -1,
	    "one more is refused: it may be the one that matters");
}

static void
mounts(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *got = disks(rows[i].table);

		if (!ok(strcmp(got, rows[i].want) == 0, "%s", rows[i].name))
			diag("%s", got);
	}
	/* 1000 blocks, 300 unused, 250 of them for any user: 700 of 950. */
	ok(fabs(host_disk_percent(1000, 300, 250) - 100 * 700 / 950.0) <
	    1e-12, "how full, as df has it");
	ok(host_disk_percent(0, 0, 0) == 0 &&
	    host_disk_percent(5, 9, 0) == 0, "no blocks");
}

int
main(void)
{
	processors();
	refused_stats();
	memory();
	numbers();
	mounts();
	long_tables();
	return done();
}
