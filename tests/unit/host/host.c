// SPDX-License-Identifier: Apache-2.0
/* Parses files of /proc.  The expected numbers are calculated from proc(5). */
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
	 * steal 3: 66 of 206 are busy.  user includes guest and guest_nice. */
	ok(fabs(percent(NULL, "cpu  10 20 30 100 40 1 2 3 9 9\n") -
	    100 * 66 / 206.0) < 1e-12,
	    "all time except idle and iowait counts as busy");
	ok(percent(NULL, "cpu  1 1 1 1\n") == 75, "a line cpu with four "
	    "numbers is accepted");
	ok(percent("cpu  100 0 0 900\n", "cpu  119 0 0 981\n") == 19,
	    "between two readings, 19 of 100 ticks are busy");
	ok(percent("cpu  100 0 0 900 50\n", "cpu  110 0 0 930 40\n") == 25,
	    "a counter that decreases counts as 0");
	ok(percent("cpu  30 0 0 70\n", "cpu  30 0 0 70\n") == 30,
	    "if no time has passed, the share since the start counts");
	ok(isnan(percent(NULL, "cpu  0 0 0 0\n")), "without any time, the "
	    "share is unknown");
	/* Fuzzing found a result of 100.00000000000001. */
	ok(percent(NULL, "cpu 184467440737095510 7 60 1\n") <= 100,
	    "the share is never above 100 %%");
	ok(percent(NULL, "cpu\ncpu  1 1 1 1\n") == 75,
	    "a line cpu without numbers is skipped");
	ok(host_parse_stat(text("cpu  1 1 1 1\ncpu0 1 0 1 0\ncpu1 0 1 0 1\n"
	    "intr 5\ncpufreq 7\n"), &c, NULL) == 0 && c.count == 2,
	    "cpu0 and cpu1 are two processors");
	ok(host_parse_stat(text("x\ncpu  1 1 1 1"), &c, NULL) == 0 &&
	    c.count == 1,
	    "without lines cpu0 and so on, there is one processor");
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
		    "a wrong /proc/stat is refused: %s", bad[i].says))
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
	    host_memory_percent(&m) == 25.5,
	    "used memory is the total minus the available memory");
	ok(host_parse_meminfo(text("MemTotal: 1000 kB\nMemFree: 100 kB\n"
	    "Buffers: 20 kB\nCached: 30 kB\nSwapCached: 500 kB\n"), &m,
	    NULL) == 0 && m.available == 150, "without MemAvailable (Linux "
	    "before 3.14), free memory, buffers and cache are available");
	ok(host_parse_meminfo(text("MemTotal: 10\nMemAvailable: 11\n"), &m,
	    NULL) == 0 && host_memory_percent(&m) == 0,
	    "more available memory than the total counts as the total");
	ok(host_parse_meminfo(text("MemTotal: 13674068640633541 kB\n"
	    "MemFree: 0 kB\n"), &m, NULL) == 0 && host_memory_percent(&m) ==
	    100, "a large memory in full use is rounded to 100 percent");
	m.total = 7;
	ok(host_parse_meminfo(text("MemFree: 5 kB\n"), &m, NULL) ==
	    NPU_EFORMAT && host_parse_meminfo(text("MemTotal: 0 kB\n"
	    "MemFree: 0 kB\n"), &m, NULL) == NPU_EFORMAT &&
	    host_parse_meminfo(text("MemTotal: 5 kB\n"), &m, NULL) ==
	    NPU_EFORMAT && host_parse_meminfo(text("MemTotal: x\n"
	    "MemFree: 5\n"), &m, NULL) == NPU_EFORMAT &&
	    host_parse_meminfo(text("MemTotal: 18014398509481984\n"
	    "MemFree: 5\n"), &m, NULL) == NPU_EFORMAT && m.total == 7,
	    "meminfo is refused without a total, with total 0, without free "
	    "memory, with a wrong number, and from 2^54 kB on");
}

static void
numbers(void)
{
	static const char *const bad[] = { "", ".5", "x", "-1", "0.x", "0,46",
	    "1.0000000001", "4294967296", NULL };
	double load = 7;
	int64_t v = 7;

	ok(host_parse_loadavg(text("0.46 0.5 1.61 1/2 3\n"), &load, NULL) == 0
	    && load == 0.46, "the first number of /proc/loadavg is the load");
	ok(host_parse_loadavg(text("5.69 5 5 1/2 3\n"), &load, NULL) == 0 &&
	    load == 5.69, "a load is rounded only once");
	ok(host_parse_loadavg(text("12"), &load, NULL) == 0 && load == 12,
	    "a load without a fraction is read");
	ok(host_parse_loadavg(text("3\n"), &load, NULL) == 0 && load == 3 &&
	    host_parse_loadavg(text("12"), &load, NULL) == 0, "a load with or "
	    "without a line end is read");
	for (int i = 0; bad[i] != NULL; i++)
		ok(host_parse_loadavg(text(bad[i]), &load, NULL) ==
		    NPU_EFORMAT && load == 12, "'%s' is refused as a load",
		    bad[i]);
	ok(host_parse_uptime(text("1000.50 9.00\n"), &load, NULL) == 0 &&
	    load == 1000.5 && host_parse_uptime(text("x"), &load, NULL) ==
	    NPU_EFORMAT && load == 1000.5,
	    "the first number of /proc/uptime is the duration");
	ok(host_parse_number(text("44250\n"), &v, NULL) == 0 && v == 44250 &&
	    host_parse_number(text("-5"), &v, NULL) == 0 && v == -5,
	    "numbers with or without a line end are read, also below 0");
	ok(host_parse_number(text(""), &v, NULL) < 0 &&
	    host_parse_number(text("-"), &v, NULL) < 0 &&
	    host_parse_number(text("5 "), &v, NULL) < 0 &&
	    host_parse_number(text("184467440737095516160"), &v, NULL) < 0 &&
	    host_parse_number(text("99999999999999999999"), &v, NULL) < 0 &&
	    host_parse_number(text("9223372036854775808"), &v, NULL) < 0 &&
	    v == -5, "empty, incomplete and too large numbers are refused");
}

/* ---- Mounts ----------------------------------------------------------- */

/* Returns the paths of the disks in a table, separated by ','. */
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
	    "disks are sorted by path" },
	{ "rootfs / rootfs rw 0 0\n/dev/a / ext4 rw 0 0\n", "/",
	    "of two mounts at a path, the last counts" },
	{ "/dev/a / ext4 rw 0 0\n/dev/b /m xfs rw 0 0\n"
	  "tmpfs /m tmpfs rw 0 0\n", "/", "a disk that is covered by another "
	    "mount is left out" },
	{ "/dev/a /long ext4 rw 0 0\n/dev/a /b ext4 rw 0 0\n", "/b",
	    "a source is listed once, at its shortest path" },
	{ "overlay / overlay rw 0 0\noverlay /v overlay rw 0 0\n", "/",
	    "an overlay is listed only as the root" },
	{ "/dev/a / ext4 rw 0 0\nsrv:/x /n nfs4 rw 0 0\n"
	  "/dev/b /n/disk ext4 rw 0 0\n/dev/c /nn ext4 rw 0 0\n", "/,/nn",
	    "a disk below a network file system is left out" },
	{ "/dev/a / ext4 rw 0 0\n/dev/b /n ext4 rw 0 0\n"
	  "srv:/x /n nfs4 rw 0 0\n", "/", "a disk that a network file system "
	    "covers is left out" },
	{ "srv:/x /n nfs4 rw 0 0\n/dev/b /n ext4 rw 0 0\n", "",
	    "a disk that covers a network file system is left out" },
	{ "srv:/ / nfs rw 0 0\n/dev/b /d ext4 rw 0 0\n", "",
	    "a disk is left out if the root is a network file system" },
	{ "/dev/sdc1 /ntfs fuseblk rw 0 0\n/dev/d /ntfs/d ext4 rw 0 0\n", "",
	    "a FUSE file system and a disk below it are left out" },
	{ "tmpfs /t tmpfs rw 0 0\n/dev/b /t/d ext4 rw 0 0\n", "/t/d",
	    "a disk below a tmpfs is listed" },
	{ "/dev/a / ext4 rw 0 0\n/dev/b /m xfs rw 0 0\n /m tmpfs rw 0 0\n",
	    "/", "a disk that is covered by a mount without a source is left "
	    "out" },
	{ " /n fuse.x rw 0 0\n/dev/b /n ext4 rw 0 0\n"
	  "/dev/c /n/c ext4 rw 0 0\n", "",
	    "a disk at or below a FUSE mount without a source is left out" },
	{ "/dev/b /my\\040disk\\134\\04 ext4 rw 0 0\n", "/my disk\\\\04",
	    "octal escapes are decoded, incomplete escapes are kept" },
	{ "/dev/b /\\098\\000\\777 ext4 rw 0 0\n", "/\\098\\000\\777",
	    "escapes with a digit above 7, of 0, or above a byte are kept" },
	{ "/dev/a /c ext4 rw 0 0\n/dev/a /b ext4 rw 0 0\n"
	  "/dev/a /bb ext4 rw 0 0\n/dev/a /a ext4 rw 0 0\n", "/a",
	    "of equally short paths, the first by name counts" },
	{ "/dev/a / ext4 rw 0 0\n/dev/b\n/dev/c /c\nx relative ext4\n\n"
	  "/dev/d /d ext4", "/,/d", "incomplete lines and relative paths are "
	    "skipped" },
	{ "", "", "an empty table has no disks" },
};

/* Returns the number of disks of a table, or -1 if it is refused.  The table
 * has 'lines' lines: a disk on each, and 'last' as the last line. */
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

	ok(many(5000, "tmpfs /t tmpfs rw 0 0") == 4999, "a table of 5000 lines "
	    "is read");
	ok(many(5000, "srv:/x /m nfs4 rw 0 0") == 0, "a last line can cover "
	    "all 4999 disks");
	ok(many(5000, "tmpfs /m/7 tmpfs rw 0 0") == 4998, "a last line can "
	    "cover one disk");
	ok(many(most, "srv:/x /m/7 nfs4 rw 0 0") == (long)most - 2,
	    "a table with the maximum number of lines is read");
	ok(many(most + 1, "srv:/x /m nfs4 rw 0 0") == -1,
	    "a table with one more line is refused: the last line may matter");
}

static void
mounts(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *got = disks(rows[i].table);

		if (!ok(strcmp(got, rows[i].want) == 0, "%s", rows[i].name))
			diag("%s", got);
	}
	/* 1000 blocks, 300 of which are unused, and 250 available to any user:
	 * 700 of 950 are in use. */
	ok(fabs(host_disk_percent(1000, 300, 250) - 100 * 700 / 950.0) <
	    1e-12, "the share in use is calculated as df does");
	ok(host_disk_percent(0, 0, 0) == 0 &&
	    host_disk_percent(5, 9, 0) == 0,
	    "a disk without blocks, or with more unused blocks, is 0 %% full");
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
