// SPDX-License-Identifier: Apache-2.0
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "host/host.h"
#include "host/process.h"
#include "host/scan.h"
#include "host/sys.h"

enum {
	STAT_SIZE = 2048,	/* 52 numbers, and a name of at most 64 bytes */
	STATUS_SIZE = 16384,
	LINKS = 1 << 18,	/* most descriptors read */
	UTIME = 14,		/* number of the field in stat, from 1; the next
				   field is stime */
};

/* ---- Files ------------------------------------------------------------ */

/* Skips the blanks and the word at the beginning of *b. */
static void
skip_word(struct bytes *b)
{
	scan_blanks(b);
	while (b->n > 0 && *b->p != ' ' && *b->p != '\n')
		bytes_sub(*b, 1, b->n - 1, b);
}

/* Parses "12 (a name) S 1 12 ...".  Counts fields from the last ')', because
 * the name may contain any characters, even ')' and blanks. */
int
host_parse_ticks(struct bytes b, uint64_t *ticks, struct npu_err *err)
{
	const uint8_t *end = b.n > 0 ? memrchr(b.p, ')', b.n) : NULL;
	uint64_t v[2], sum;

	if (end == NULL)
		return npu_fail(err, NPU_EFORMAT, "has no name in brackets");
	b = (struct bytes){ end + 1, b.n - (size_t)(end + 1 - b.p) };
	for (int field = 3; field < UTIME; field++)
		skip_word(&b);
	for (int i = 0; i < 2; i++) {
		scan_blanks(&b);
		if (!scan_uint(&b, &v[i]) ||
		    (b.n > 0 && *b.p != ' ' && *b.p != '\n'))
			return npu_fail(err, NPU_EFORMAT, "field %d is not a "
			    "number of 64 bits", UTIME + i);
	}
	if (__builtin_add_overflow(v[0], v[1], &sum))
		return npu_fail(err, NPU_EFORMAT, "fields %d and %d add up "
		    "to more than 64 bits", UTIME, UTIME + 1);
	*ticks = sum;
	return 0;
}

int
host_parse_peak(struct bytes b, uint64_t *kib, struct npu_err *err)
{
	struct bytes line;
	uint64_t v;

	while (scan_line(&b, &line)) {
		if (!bytes_start(line, "VmHWM:"))
			continue;
		bytes_sub(line, 6, line.n - 6, &line);
		scan_blanks(&line);
		if (!scan_uint(&line, &v) || !bytes_start(line, " kB"))
			return npu_fail(err, NPU_EFORMAT,
			    "VmHWM is not a number of kB");
		*kib = v;
		return 0;
	}
	return npu_fail(err, NPU_EFORMAT, "has no VmHWM");
}

/* Parses "Tgid: 120". */
int
host_parse_group(struct bytes b, uint64_t *pid, struct npu_err *err)
{
	struct bytes line;
	uint64_t v;

	while (scan_line(&b, &line)) {
		if (!bytes_start(line, "Tgid:"))
			continue;
		bytes_sub(line, 5, line.n - 5, &line);
		scan_blanks(&line);
		if (!scan_uint(&line, &v) || line.n > 0 || v == 0 ||
		    v > INT32_MAX)
			return npu_fail(err, NPU_EFORMAT,
			    "Tgid is not the number of a process");
		*pid = v;
		return 0;
	}
	return npu_fail(err, NPU_EFORMAT, "has no Tgid");
}

/* Reads and parses a file of a process. */
static int
read_parsed(const char *root, pid_t pid, const char *file, size_t size,
    int (*parse)(struct bytes, uint64_t *, struct npu_err *), uint64_t *v,
    struct npu_err *err)
{
	char path[SYS_PATH], text[STATUS_SIZE];
	int n, rc;

	if (pid == 0)
		snprintf(path, sizeof(path), "/proc/self/%s", file);
	else
		snprintf(path, sizeof(path), "/proc/%ld/%s", (long)pid, file);
	if ((n = host_read_file(root, path, text, size, err)) < 0)
		return n;
	rc = parse((struct bytes){ (uint8_t *)text, (size_t)n }, v, err);
	if (rc < 0)
		npu_prefix(err, rc, "%s%s", root, path);
	return rc;
}

int
host_read_ticks(const char *root, pid_t pid, uint64_t *ticks,
    struct npu_err *err)
{
	return read_parsed(root, pid, "stat", STAT_SIZE, host_parse_ticks,
	    ticks, err);
}

int
host_read_peak(const char *root, pid_t pid, uint64_t *kib,
    struct npu_err *err)
{
	return read_parsed(root, pid, "status", STATUS_SIZE, host_parse_peak,
	    kib, err);
}

int
host_read_group(const char *root, pid_t tid, uint64_t *pid,
    struct npu_err *err)
{
	return read_parsed(root, tid, "status", STATUS_SIZE, host_parse_group,
	    pid, err);
}

bool
host_read_command(const char *root, pid_t pid, char name[HOST_NAME],
    struct npu_err *trouble)
{
	char path[SYS_PATH], word[SYS_WORD];

	snprintf(path, sizeof(path), "/proc/%ld/comm", (long)pid);
	if (!sys_word(root, path, word, trouble))
		return false;
	snprintf(name, HOST_NAME, "%s", word);
	return true;
}

/* ---- Holders of a file ------------------------------------------------ */

/* A search through the processes that have a file open. */
struct walk {
	const char *root, *path;
	unsigned links;		/* descriptors that may still be read */
	unsigned hidden;	/* processes whose descriptors we may not
				   read */
	long own;		/* this process; 0: on another machine */
	struct npu_err *trouble;
	DIR *proc;
};

static bool
begin_walk(struct walk *w, const char *root, const char *path,
    struct npu_err *trouble)
{
	*w = (struct walk){ .root = root, .path = path, .links = LINKS,
	    .own = root[0] == '\0' ? (long)getpid() : 0, .trouble = trouble,
	    .proc = sys_open_folder(root, "/proc", trouble) };
	return w->proc != NULL;
}

/* Returns whether the process has the file open. */
static bool
has_open(struct walk *w, long pid)
{
	char fds[SYS_PATH], target[PATH_MAX];
	const char *fd;
	bool found = false;
	ssize_t n;
	DIR *d;

	snprintf(fds, sizeof(fds), "/proc/%ld/fd", pid);
	d = sys_open_folder(w->root, fds, w->trouble);
	if (d == NULL) {
		w->hidden += errno == EACCES || errno == EPERM;
		return false;
	}
	while (!found && w->links > 0 && (fd = sys_next_name(d, w->root, fds,
	    w->trouble)) != NULL) {
		if (fd[0] == '.')
			continue;
		w->links--;
		n = readlinkat(dirfd(d), fd, target, sizeof(target));
		if (n < 0)
			host_note_error(w->trouble, w->root, fds, errno);
		found = n == (ssize_t)strlen(w->path) &&
		    memcmp(target, w->path, (size_t)n) == 0;
	}
	closedir(d);
	return found;
}

static bool
is_one_of(long pid, const pid_t *pids, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (pids[i] == pid)
			return true;
	return false;
}

/* Returns the next process that has the file open, except this process and the
 * n pids; 0 at the end. */
static long
next_holder(struct walk *w, const pid_t *pids, size_t n)
{
	const char *name;

	while ((name = sys_next_name(w->proc, w->root, "/proc",
	    w->trouble)) != NULL) {
		long pid = strtol(name, NULL, 10);

		if (pid > 0 && pid <= INT32_MAX && pid != w->own &&
		    !is_one_of(pid, pids, n) && has_open(w, pid))
			return pid;
	}
	closedir(w->proc);
	w->proc = NULL;
	return 0;
}

static int
by_pid(const void *a, const void *b)
{
	pid_t x = ((const struct host_holder *)a)->pid;
	pid_t y = ((const struct host_holder *)b)->pid;

	return (x > y) - (x < y);
}

void
host_list_holders(const char *root, const char *path, struct host_holders *h,
    struct npu_err *trouble)
{
	struct host_holder *o;
	struct walk w;
	long pid;

	h->n = h->more = h->hidden = 0;
	if (!begin_walk(&w, root, path, trouble))
		return;
	while ((pid = next_holder(&w, NULL, 0)) != 0) {
		if (h->n == HOST_ITEMS) {
			h->more++;
			continue;
		}
		o = &h->holder[h->n++];
		o->pid = (pid_t)pid;
		if (!host_read_command(root, o->pid, o->name, trouble))
			strcpy(o->name, "?");
	}
	h->hidden = w.hidden;
	qsort(h->holder, h->n, sizeof(*h->holder), by_pid);
}

void
host_describe_hidden(const struct host_holders *h, char *text, size_t size)
{
	text[0] = '\0';
	if (h->hidden > 0)
		snprintf(text, size, "%u processes of others: user root may "
		    "look at what they have open", h->hidden);
}

void
host_find_holder(const char *root, const char *path, const pid_t *pids,
    size_t n, char *who, size_t size)
{
	char name[HOST_NAME];
	struct walk w;
	long pid;

	who[0] = '\0';
	if (!begin_walk(&w, root, path, NULL) ||
	    (pid = next_holder(&w, pids, n)) == 0)
		return;
	closedir(w.proc);
	if (!host_read_command(root, (pid_t)pid, name, NULL))
		strcpy(name, "?");
	snprintf(who, size, "%s (%ld)", name, pid);
}
