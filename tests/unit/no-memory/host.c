// SPDX-License-Identifier: Apache-2.0
/*
 * A machine whose files cannot be read, or without memory for them.  Also:
 * folders with more names than are read, and a kernel log that fails or has no
 * end.
 */
#include "boardtree.h"
#include "host/host.h"
#include "host/kernlog.h"
#include "host/machine.h"
#include "host/platform.h"
#include "host/process.h"
#include "host/redact.h"
#include "host/sys.h"
#include "nomem.h"

static struct npu_err trouble;

/* ---- A file ------------------------------------------------------------ */

/* Lets each call fail once with this error.  Returns how often the whole file
 * is read although a call failed. */
static unsigned
read_although(int error)
{
	char text[20];
	unsigned right = 0;

	nomem_errno = error;
	nomem_at = 0;
	do {
		nomem_count = 0;
		nomem_at++;
		right += host_read_file(board, "/text", text, sizeof(text),
		    NULL) == 8 && strcmp(text, "a text.\n") == 0 &&
		    nomem_count >= nomem_at;
	} while (nomem_count >= nomem_at);
	nomem_at = 0;
	return right;
}

static void
files(void)
{
	unsigned broken;

	board_put("/text", "a text.\n");
	nomem_files = true;
	broken = read_although(EIO);
	/* One read() returns the text, another the end. */
	ok(read_although(EINTR) == broken + 2,
	    "an interrupted read is repeated");
	nomem_files = false;
}

/* ---- A file of unknown length ------------------------------------------ */

enum { LONG = 40000 };
static char letters[LONG];

/*
 * Loads the file, up to size - 1 bytes.  Returns the number of bytes, or a
 * negative value, without any memory left, if the file cannot be read.  Wrong
 * contents end the test.
 */
static int
load(size_t size)
{
	char *text;
	int n = host_load_file(board, "/long", size, &text, NULL);

	if (n < 0 ? text != NULL : text[n] != '\0' ||
	    memcmp(text, letters, (size_t)n) != 0)
		exit(1);
	free(text);
	return n;
}

static void
long_file(void)
{
	size_t failed = 0, unknown = 0;
	int n;

	for (size_t i = 0; i < LONG; i++)
		letters[i] = (char)('a' + i % 26);
	board_bytes("/long", letters, LONG);
	ok(load(LONG + 1) == LONG,
	    "a file of just the maximum size is loaded whole");
	ok(load(LONG) == LONG - 1, "a file that is one byte larger is cut");
	ok(load(1) == 0, "a file is cut to 0 bytes if there is no space");
	nomem_files = true;
	nomem_errno = EIO;
	do {
		nomem_count = 0;
		nomem_at++;
		n = load(2 * LONG);
		failed += n < 0;
		if (n == LONG && nomem_count >= nomem_at)
			unknown = nomem_count;
	} while (nomem_count >= nomem_at);
	nomem_at = 0;
	nomem_files = false;
	/* Each call is needed except fstat().  Without fstat(), the buffer
	 * grows twice, and each time there is another read(). */
	ok(n == LONG && failed + 1 == nomem_count &&
	    unknown == nomem_count + 2 * 2,
	    "a file of unknown length is loaded without fstat(): %zu failures, "
	    "%zu calls", failed, unknown);
}

/* Checks that the readers of a file are given as a number where no name can be
 * found. */
static void
readers(const char *what, mode_t mode, unsigned long id)
{
	char full[PATH_MAX + 10], want[80], who[80];
	bool met = false;

	snprintf(full, sizeof(full), "%s/text", board);
	chmod(full, mode);
	snprintf(want, sizeof(want), "%s %lu", what, id);
	nomem_at = 0;
	do {
		nomem_count = 0;
		nomem_at++;
		host_read_readers(board, "/text", who, sizeof(who));
		met |= strcmp(who, want) == 0;
	} while (nomem_count >= nomem_at);
	nomem_at = 0;
	ok(met && who[0] != '\0', "without a name, the reader is given as %s; "
	    "with a name, as %s", want, who);
}

static void
who_may_read(void)
{
	char full[PATH_MAX + 10];
	gid_t group = getegid();

	snprintf(full, sizeof(full), "%s/text", board);
	if (group == 0 && chown(full, (uid_t)-1, group = 1) < 0)
		group = 0;
	if (group != 0)
		readers("group", 0640, group);
	readers("user", 0600, geteuid());
}

/* ---- The machine ------------------------------------------------------- */

static int
cpu_name(struct npu_err *err)
{
	char name[HOST_NAME];

	*err = (struct npu_err){ .msg = "" };
	host_read_cpu_name(board, name, err);
	return strcmp(name, err->code == 0 ? "A processor" : "") == 0 ?
	    err->code : NOMEM_WRONG;
}

static int
disks(struct npu_err *err)
{
	static struct host_items d;

	return host_read_disks("", &d, &trouble, err);
}

/* Replaces private parts of a text, or reports that some may remain. */
static int
people(struct npu_err *err)
{
	static const char text[] = "ada at box.lab";
	struct redact p = { 0 };
	struct buf out = { 0 };
	int rc = 0;

	redact_read_machine(&p, board);
	redact_text(&p, text, sizeof(text) - 1, &out);
	buf_add(&out, "", 1);
	if (p.failed || out.failed || p.trouble.code != 0) {
		strcpy(err->msg, "no memory");
		rc = NPU_ESYSTEM;
	} else if (strcmp(out.p, "(user) at (host)") != 0) {
		rc = NOMEM_WRONG;
	}
	buf_free(&out);
	redact_free(&p);
	return rc;
}

/* ---- Folders ----------------------------------------------------------- */

static unsigned
hidden(int error)
{
	static struct host_holders h;
	unsigned most = 0;

	nomem_files = true;
	nomem_errno = error;
	nomem_at = 0;
	do {
		nomem_count = 0;
		nomem_at++;
		host_list_holders(board, "/dev/aipu", &h, NULL);
		most = h.hidden > most ? h.hidden : most;
	} while (nomem_count >= nomem_at);
	nomem_at = 0;
	nomem_files = false;
	return most;
}

/* Returns which of two processes is read last. */
static long
last_process(void)
{
	char full[PATH_MAX + 10];
	const struct dirent *e;
	long pid = 0, last = 0;
	DIR *d;

	snprintf(full, sizeof(full), "%s/proc", board);
	if ((d = opendir(full)) == NULL)
		return 0;
	while ((e = readdir(d)) != NULL)
		if ((pid = atol(e->d_name)) > 0)
			last = pid;
	closedir(d);
	return last;
}

static void
holders(void)
{
	static struct host_holders h;
	long last;

	board_link("/proc/7/fd/3", "/dev/null");
	ok(hidden(EACCES) == 1 && hidden(EPERM) == 1,
	    "without permission, the open files of a process count as hidden");
	ok(hidden(EIO) == 0, "if the folder of a process cannot be read, its "
	    "files do not count as hidden");
	board_link("/proc/8/fd/3", "/dev/null");
	last = last_process();
	board_link(last == 7 ? "/proc/7/fd/3" : "/proc/8/fd/3", "/dev/aipu");
	host_list_holders(board, "/dev/aipu", &h, NULL);
	ok(h.n == 1 && h.holder[0].pid == last,
	    "of two processes, the holder of the file is found");
	nomem_name = "3";
	nomem_more = (1 << 18) + 100;
	host_list_holders(board, "/dev/aipu", &h, NULL);
	ok(h.n == 0, "after too many descriptors, no more are examined");
	nomem_more = 0;
}

#define DEVICES "/sys/bus/platform/devices"

static void
folders(void)
{
	static const char *const words[] = { "acpi:CIXH4000:", NULL };
	char name[SYS_NAME] = "", alias[SYS_WORD];

	board_put(DEVICES "/a/modalias", "acpi:CIXH4000:\n");
	nomem_name = "x";
	nomem_more = 1 << 20;
	/* Except for ".", ".." and a. */
	ok(host_count_names(board, DEVICES, "x", NULL) == 65536 - 3,
	    "only the first names of a large folder are counted");
	nomem_name = ".";
	nomem_more = 1 << 20;
	ok(host_find_platform(board, words, name, alias, NULL) &&
	    strcmp(name, "a") == 0 && nomem_more == (1 << 20) - 65536 + 3,
	    "only the first names of a large folder of devices are read");
	nomem_more = 0;
}

/* ---- The kernel's log -------------------------------------------------- */

static int
kernlog(struct npu_err *err)
{
	static const char *const words[] = { "npu", NULL };
	static struct host_kernlog log;
	int rc = host_read_kernlog("", words, &log, err);

	return rc == 0 && log.n != 0 ? NOMEM_WRONG : rc;
}

/* Lets each of three calls fail once with this error.  Returns how often the
 * log is read nevertheless. */
static unsigned
log_although(int error)
{
	unsigned right = 0;

	nomem_errno = error;
	nomem_after = false;
	for (nomem_at = 1; nomem_at <= 3; nomem_at++) {
		struct npu_err err = { .msg = "" };
		int rc;

		nomem_count = 0;
		rc = kernlog(&err);
		right += rc == 0 && nomem_count >= 3;
		if (rc != 0 && (rc != NPU_ESYSTEM || err.msg[0] == '\0'))
			right += 100;
	}
	nomem_at = 0;
	return right;
}

/* Reads devices in place of the log: /dev/null, which ends at once, and
 * /dev/zero, which never ends.  Then reads a text file, which is not a log. */
static void
kernlogs(void)
{
	struct npu_err err = { .msg = "" };
	char path[PATH_MAX + 10];

	nomem_files = true;
	nomem_device = "/dev/null";
	ok(log_although(EIO) == 0,
	    "if the log's device fails, an error is reported");
	ok(log_although(EINTR) == 1,
	    "an interrupted read of the log is repeated");
	ok(log_although(EPIPE) == 1,
	    "records that were overwritten are skipped");
	ok(log_although(EAGAIN) == 1, "EAGAIN ends the log");
	nomem_errno = EPIPE;
	nomem_count = 0;
	nomem_at = 3;
	nomem_after = true;
	ok(kernlog(&err) == 0 && nomem_count > 1000000,
	    "reading ends even if records are overwritten again and again");
	nomem_at = 0;
	nomem_errno = EIO;
	nomem_device = "/dev/zero";
	nomem_count = 0;
	ok(kernlog(&err) == 0 && nomem_count > 2000 && nomem_count < 3000,
	    "of a log without an end, 16 MiB are read, 8 KiB at a time");
	nomem_files = false;
	snprintf(path, sizeof(path), "%s/text", board);
	nomem_device = path;
	ok(kernlog(&err) == NPU_ESYSTEM && err.detail == ENODEV,
	    "a file in place of the log's device is refused");
	nomem_device = NULL;
}

int
main(void)
{
	if (!board_open())
		return 1;
	files();
	long_file();
	who_may_read();
	board_put("/proc/cpuinfo", "model name : A processor\n");
	board_put("/etc/passwd", "ada:x:1000:1::/home/ada:/bin/sh\n");
	board_put("/etc/hostname", "box.lab\n");
	unsetenv("HOME");
	nomem("reading the name of the processor", cpu_name);
	nomem("reading the disks", disks);
	nomem("replacing private parts", people);
	nomem_files = true;
	nomem("reading disks with errors", disks);
	nomem_files = false;
	holders();
	folders();
	kernlogs();
	board_remove();
	return done();
}
