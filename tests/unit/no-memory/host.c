// SPDX-License-Identifier: Apache-2.0
/* A machine whose files may not be read, or without memory for them; folders of
 * more names than are read; a log that fails or has no end. */
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

/* ---- One file ---------------------------------------------------------- */

/* How often a file of text is read whole although a call for it failed. */
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
	/* One read has the text, another its end. */
	ok(read_although(EINTR) == broken + 2, "a read that is interrupted");
	nomem_files = false;
}

/* ---- One of unknown length --------------------------------------------- */

enum { LONG = 40000 };
static char letters[LONG];

/* The bytes of it that are loaded, less than size; negative: it could not be
 * read, and nothing is left of it.  What is loaded wrong ends the test. */
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
	ok(load(LONG + 1) == LONG, "a file that just fits");
	ok(load(LONG) == LONG - 1, "one that is cut");
	ok(load(1) == 0, "one of which nothing fits");
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
	/* Each call is needed except for fstat(): without it the buffer grows
	 * twice, and is read each time. */
	ok(n == LONG && failed + 1 == nomem_count &&
	    unknown == nomem_count + 2 * 2,
	    "of unknown length: %zu failures, %zu calls", failed, unknown);
}

/* The readers of a file, as a number where no name can be found. */
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
	ok(met && who[0] != '\0', "%s: %s", want, who);
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

/* Private parts are removed, or an error says that some may remain. */
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

/* Finds which of two processes is read last. */
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
	    "what a process has open is hidden");
	ok(hidden(EIO) == 0, "unless its folder cannot be read");
	board_link("/proc/8/fd/3", "/dev/null");
	last = last_process();
	board_link(last == 7 ? "/proc/7/fd/3" : "/proc/8/fd/3", "/dev/aipu");
	host_list_holders(board, "/dev/aipu", &h, NULL);
	ok(h.n == 1 && h.holder[0].pid == last, "one of two has it open");
	nomem_name = "3";
	nomem_more = (1 << 18) + 100;
	host_list_holders(board, "/dev/aipu", &h, NULL);
	ok(h.n == 0, "or is behind more descriptors than are looked at");
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
	/* Except for the folder itself, the one above, and a. */
	ok(host_count_names(board, DEVICES, "x", NULL) == 65536 - 3,
	    "more names than are counted");
	nomem_name = ".";
	nomem_more = 1 << 20;
	ok(host_find_platform(board, words, name, alias, NULL) &&
	    strcmp(name, "a") == 0 && nomem_more == (1 << 20) - 65536 + 3,
	    "more devices than are looked at");
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

/* How often it is read although one of its three calls failed. */
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

/* Devices in its place, of which one ends at once and one never; as a file of
 * text it is none. */
static void
kernlogs(void)
{
	struct npu_err err = { .msg = "" };
	char path[PATH_MAX + 10];

	nomem_files = true;
	nomem_device = "/dev/null";
	ok(log_although(EIO) == 0, "a log whose device fails");
	ok(log_although(EINTR) == 1, "a read of it that is interrupted");
	ok(log_although(EPIPE) == 1, "records that were written over");
	ok(log_although(EAGAIN) == 1, "no more records");
	nomem_errno = EPIPE;
	nomem_count = 0;
	nomem_at = 3;
	nomem_after = true;
	ok(kernlog(&err) == 0 && nomem_count > 1000000,
	    "records that are written over again and again");
	nomem_at = 0;
	nomem_errno = EIO;
	nomem_device = "/dev/zero";
	nomem_count = 0;
	ok(kernlog(&err) == 0 && nomem_count > 2000 && nomem_count < 3000,
	    "16 MiB of a log without end, 8 KiB at a time");
	nomem_files = false;
	snprintf(path, sizeof(path), "%s/text", board);
	nomem_device = path;
	ok(kernlog(&err) == NPU_ESYSTEM && err.detail == ENODEV, "no device");
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
	nomem("the name of a processor", cpu_name);
	nomem("disks", disks);
	nomem("people", people);
	nomem_files = true;
	nomem("disks that cannot be read", disks);
	nomem_files = false;
	holders();
	folders();
	kernlogs();
	board_remove();
	return done();
}
