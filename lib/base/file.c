// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"

#define STEP ((size_t)1 << 16)

/* Returns the bytes left in a regular file, by its size; 0 if unknown. */
static uint64_t
bytes_left(int fd)
{
	struct stat st;
	off_t at;

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) ||
	    (at = lseek(fd, 0, SEEK_CUR)) < 0 || at >= st.st_size)
		return 0;
	return (uint64_t)(st.st_size - at);
}

int
file_read(int fd, size_t limit, struct buf *b, struct npu_err *err)
{
	size_t start = b->n;
	uint64_t hint = bytes_left(fd);
	ssize_t n;
	void *at;

	/* Only a hint: the file may grow or shrink while it is read. */
	if (hint <= limit)
		buf_reserve(b, (size_t)hint + STEP);
	while (hint <= limit && b->n - start <= limit) {
		if ((at = buf_reserve(b, STEP)) == NULL)
			return npu_fail(err, NPU_ESYSTEM, "out of memory after "
			    "%zu bytes", b->n - start);
		n = read(fd, at, b->cap - b->n);
		if (n == 0)
			return 0;
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return npu_fail_detail(err, NPU_ESYSTEM, errno, "%s",
			    strerror(errno));
		b->n += (size_t)n;
	}
	if (hint > limit)
		return npu_fail(err, NPU_EFORMAT, "%" PRIu64 " bytes, more "
		    "than %zu, which is the limit here", hint, limit);
	return npu_fail(err, NPU_EFORMAT, "more than %zu bytes, which is the "
	    "limit here", limit);
}

int
file_load(const char *path, size_t limit, struct buf *out,
    struct npu_err *err)
{
	int fd, rc;

	if ((fd = open(path, O_RDONLY | O_CLOEXEC)) < 0)
		return npu_fail_detail(err, NPU_ESYSTEM, errno,
		    "cannot be opened: %s", strerror(errno));
	if ((rc = file_read(fd, limit, out, err)) < 0) {
		npu_prefix(err, rc, "cannot be read");
		buf_free(out);
	}
	close(fd);
	return rc;
}

/* Returns the target of the link at path, whose text is the n bytes at link, as
 * a path from the working directory. */
static char *
resolve(const char *path, const char *link, size_t n)
{
	const char *slash = strrchr(path, '/');
	char *name;

	if (link[0] == '/' || slash == NULL)
		return strndup(link, n);
	if (asprintf(&name, "%.*s%.*s", (int)(slash - path) + 1, path, (int)n,
	    link) < 0)
		return NULL;
	return name;
}

/*
 * Returns the target of the link called name, which was reached through links
 * other links.  Returns NULL with errno if name is not a link, or on failure.
 */
static char *
next_name(const char *name, int links)
{
	enum { MOST = 40 };	/* the kernel's limit: path_resolution(7) */
	char link[PATH_MAX];
	ssize_t n = readlink(name, link, sizeof(link));

	if (n >= 0 && links == MOST)
		errno = ELOOP;
	else if (n == sizeof(link))
		errno = ENAMETOOLONG;
	else if (n >= 0)
		return resolve(name, link, (size_t)n);
	return NULL;
}

char *
file_target(const char *path)
{
	char *name = strdup(path), *next;

	for (int links = 0; name != NULL && strncmp(name, "/proc/", 6) != 0;
	    links++) {
		next = next_name(name, links);
		/* name is a file that is not a link, or does not exist. */
		if (next == NULL && (errno == EINVAL || errno == ENOENT))
			break;
		free(name);
		name = next;
	}
	return name;
}

int
file_map_flags(uint64_t size)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	return size / page < (uint64_t)sysconf(_SC_PHYS_PAGES) / 2 ?
	    MAP_POPULATE : 0;
}
