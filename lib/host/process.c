// SPDX-License-Identifier: Apache-2.0
#include <dirent.h>
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
	STAT_SIZE = 2048,	/* 52 numbers and a name of at most 64 bytes */
	STATUS_SIZE = 16384,
	LINKS = 1 << 18,	/* descriptors that are looked at */
	UTIME = 14,		/* field of stat, from 1; stime follows */
};

/* ---- Files ------------------------------------------------------------ */

/* Past the blanks and the word that *b begins with. */
static void
skip_word(struct bytes *b)
{
	skip_blanks(b);
	while (b->n > 0 && *b->p != ' ' && *b->p != '\n')
		bytes_sub(*b, 1, b->n - 1, b);
}

/* "12 (a name) S 1 12 ...": the name may hold anything, ')' and blanks too,
 * so the fields are counted from the last ')'. */
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
		skip_blanks(&b);
		if (!take_uint(&b, &v[i]) ||
		    (b.n > 0 && *b.p != ' ' && *b.p != '\n'))
			return npu_fail(err, NPU_EFORMAT, "field %d is no "
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

	while (next_line(&b, &line)) {
		if (!bytes_start(line, "VmHWM:"))
			continue;
		bytes_sub(line, 6, line.n - 6, &line);
		skip_blanks(&line);
		if (!take_uint(&line, &v) || !bytes_start(line, " kB"))
			return npu_fail(err, NPU_EFORMAT,
			    "VmHWM is no number of kB");
		*kib = v;
		return 0;
	}
	return npu_fail(err, NPU_EFORMAT, "has no VmHWM");
}

/* A file of a process, parsed. */
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

/* ---- Who has a file open ---------------------------------------------- */

/* Whether a descriptor of the folder fds is of the file path. */
static bool
has_open(const char *fds, const char *path, unsigned *links)
{
	char target[PATH_MAX];
	const struct dirent *e;
	DIR *d = opendir(fds);
	bool found = false;
	ssize_t n;

	while (d != NULL && !found && *links > 0 && (e = readdir(d)) != NULL) {
		if (e->d_name[0] == '.')
			continue;
		(*links)--;
		n = readlinkat(dirfd(d), e->d_name, target, sizeof(target));
		found = n == (ssize_t)strlen(path) &&
		    memcmp(target, path, (size_t)n) == 0;
	}
	if (d != NULL)
		closedir(d);
	return found;
}

/* "name (pid)" */
static void
name_process(const char *root, long pid, char *who, size_t size)
{
	char path[SYS_PATH], name[SYS_WORD];

	snprintf(path, sizeof(path), "/proc/%ld/comm", pid);
	if (!sys_word(root, path, name))
		strcpy(name, "?");
	snprintf(who, size, "%s (%ld)", name, pid);
}

static bool
is_one_of(long pid, const pid_t *pids, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (pids[i] == pid)
			return true;
	return false;
}

void
host_find_holder(const char *root, const char *path, const pid_t *pids,
    size_t n, char *who, size_t size)
{
	unsigned links = LINKS;
	const struct dirent *e;
	char *proc, *fds;
	DIR *d;

	who[0] = '\0';
	if (asprintf(&proc, "%s/proc", root) < 0)
		return;
	d = opendir(proc);
	while (d != NULL && who[0] == '\0' && (e = readdir(d)) != NULL) {
		long pid = strtol(e->d_name, NULL, 10);

		if (pid <= 0 || pid == (long)getpid() ||
		    is_one_of(pid, pids, n) ||
		    asprintf(&fds, "%s/%ld/fd", proc, pid) < 0)
			continue;
		if (has_open(fds, path, &links))
			name_process(root, pid, who, size);
		free(fds);
	}
	if (d != NULL)
		closedir(d);
	free(proc);
}
