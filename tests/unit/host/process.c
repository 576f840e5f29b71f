// SPDX-License-Identifier: Apache-2.0
/* Reads a process from /proc.  The lines have the form of proc(5). */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
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
	const char *text, *says;	/* NULL: accepted */
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
	{ "12 (sh) S 1\n50 7", "field 14", 0 },
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
	{ "VmHWM: 7\n", "not a number of kB", 0 },
	{ "VmHWM: 7 MB\n", "not a number of kB", 0 },
	{ "VmHWM: -7 kB\n", "not a number of kB", 0 },
	{ "VmHWM:", "not a number of kB", 0 },
	{ "VmHWM: 18446744073709551616 kB\n", "not a number of kB", 0 },
};

static const struct row groups[] = {
	{ "Name:\tsh\nUmask:\t0022\nTgid:\t120\nPid:\t123\n", NULL, 120 },
	{ "Tgid:\t2147483647", NULL, INT32_MAX },
	{ "Name:\tTgid: 7\n", "has no Tgid", 0 },
	{ "", "has no Tgid", 0 },
	{ "Tgid:", "not the number of a process", 0 },
	{ "Tgid:\t0\n", "not the number of a process", 0 },
	{ "Tgid:\t-1\n", "not the number of a process", 0 },
	{ "Tgid:\t12 3\n", "not the number of a process", 0 },
	{ "Tgid:\t2147483648\n", "not the number of a process", 0 },
	{ "Tgid:\t18446744073709551616\n", "not the number of a process", 0 },
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
	    strstr(err.msg, row->says) != NULL, "reading %s gives: %s",
	    what, row->says != NULL ? row->says : "accepted"))
		diag("%d, %llu, %s of %s", rc, (unsigned long long)v, err.msg,
		    row->text);
}

/* Starts a process that only uses processor time.  qemu-user invents the
 * numbers of /proc/self/stat, but not the numbers of other processes. */
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

	/* Wait until the time can be seen: there are 100 ticks per second. */
	for (int i = 0; i < 30000 && v < 3; i++) {
		usleep(10000);
		host_read_ticks("", pid, &v, &err);
	}
	ok(v >= 3, "the ticks of a busy process increase");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	ok(host_read_ticks("", pid, &v, &err) == NPU_ESYSTEM &&
	    strstr(err.msg, "/stat: ") != NULL, "a process that has ended has "
	    "no ticks");
	ok(host_read_ticks("", 0, &v, &err) == 0, "process number 0 means this "
	    "process");
	memset(big, 1, sizeof(big));
	__asm__ volatile("" : : "r"(big) : "memory");	/* keeps memset() */
	ok(host_read_peak("", 0, &peak, &err) == 0 &&
	    peak >= sizeof(big) / 1024,
	    "the peak memory includes at least the memory that was written");
}

/* ---- Holders of a file ------------------------------------------------ */

/* Returns true if /proc belongs to this machine; qemu-user may show another
 * /proc (tests/run). */
static bool
has_proc(void)
{
	DIR *d = opendir("/proc");
	const struct dirent *e;
	bool found = false;

	while (d != NULL && (e = readdir(d)) != NULL)
		found |= atol(e->d_name) == (long)getpid();
	if (d != NULL)
		closedir(d);
	return found;
}

/* Starts a process that opens the file and waits. */
static pid_t
hold(const char *path)
{
	int ends[2];
	pid_t pid;
	char c;

	if (pipe(ends) < 0 || (pid = fork()) < 0)
		exit(1);
	if (pid == 0) {
		if (open(path, O_RDONLY) < 0 || write(ends[1], "", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	if (read(ends[0], &c, 1) != 1)
		exit(1);
	close(ends[0]);
	close(ends[1]);
	return pid;
}

/* Returns true if pid is listed with this command. */
static bool
lists(const struct host_holders *h, pid_t pid, const char *name)
{
	for (size_t i = 0; i < h->n; i++)
		if (h->holder[i].pid == pid)
			return strcmp(h->holder[i].name, name) == 0;
	return false;
}

static void
holders(void)
{
	static struct host_holders h;
	char path[] = "/tmp/holdersXXXXXX", name[HOST_NAME] = "", *real;
	int fd = mkstemp(path);
	pid_t pid[2];
	uint64_t group = 0;

	if (fd < 0 || (real = realpath(path, NULL)) == NULL)
		exit(1);
	close(fd);
	ok(host_read_command("", getpid(), name, NULL) && name[0] != '\0' &&
	    host_read_group("", getpid(), &group, NULL) == 0 &&
	    group == (uint64_t)getpid(),
	    "our own command and thread group are found");
	host_list_holders("", real, &h, NULL);
	ok(h.n == 0 && h.more == 0,
	    "a file that nobody has open has no holders");
	pid[0] = hold(path);
	pid[1] = hold(path);
	host_list_holders("", real, &h, NULL);
	if (!ok(h.n == 2 && h.holder[0].pid < h.holder[1].pid &&
	    lists(&h, pid[0], name) && lists(&h, pid[1], name),
	    "two holders are listed, in the order of their process numbers"))
		diag("%zu: %s", h.n, h.holder[0].name);
	for (int i = 0; i < 2; i++) {
		kill(pid[i], SIGKILL);
		waitpid(pid[i], NULL, 0);
	}
	host_list_holders("", real, &h, NULL);
	ok(h.n == 0, "after both holders have ended, the file has none");
	unlink(path);
	free(real);
}

/* The open files of root's processes are hidden from other users. */
static void
hidden(void)
{
	static struct host_holders h;
	int status = -1;
	pid_t pid;

	if (geteuid() != 0)
		return;
	fflush(stdout);
	if ((pid = fork()) == 0) {
		if (setuid(65534) < 0)
			_exit(2);
		host_list_holders("", "/nowhere", &h, NULL);
		_exit(h.n == 0 && h.hidden > 0 ? 0 : 1);
	}
	waitpid(pid, &status, 0);
	ok(status == 0, "processes that may not be examined are counted");
}

int
main(void)
{
	for (size_t i = 0; i < sizeof(stats) / sizeof(*stats); i++)
		check("stat", &stats[i], host_parse_ticks);
	for (size_t i = 0; i < sizeof(peaks) / sizeof(*peaks); i++)
		check("status", &peaks[i], host_parse_peak);
	for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++)
		check("group", &groups[i], host_parse_group);
	real();
	if (has_proc()) {
		holders();
		hidden();
	}
	return done();
}
