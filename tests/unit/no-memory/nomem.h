/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests what happens when memory runs out: each allocation of a piece of work
 * fails in turn, alone and together with all later allocations.  The linker
 * redirects allocations of the library and of the test to this file in tests
 * called nomem_* (tests.mk).  AddressSanitizer finds leaks.  If nomem_files is
 * set, each call that accesses a file fails in turn as well.
 */
#ifndef TESTS_UNIT_NO_MEMORY_NOMEM_H
#define TESTS_UNIT_NO_MEMORY_NOMEM_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pthread.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "npu.h"
#include "tap.h"

static size_t nomem_count;	/* allocations so far */
static size_t nomem_at;		/* the call that fails, from 1; 0: no call */
static bool nomem_after;	/* all later calls fail as well */
static bool nomem_files;	/* calls for files are counted */
static int nomem_errno = EIO;	/* the errno of calls for files */
static size_t nomem_more;	/* names that are added to each folder */
static const char *nomem_name = ".";	/* the added name */
static const char *nomem_device;	/* opened in place of /dev/kmsg */
static bool nomem_taken;	/* every name for a new file exists */

static bool
nomem_fails(void)
{
	nomem_count++;
	if (nomem_at == 0 || nomem_count < nomem_at ||
	    (nomem_count > nomem_at && !nomem_after))
		return false;
	errno = ENOMEM;
	return true;
}

#define NOMEM(type, f, params, args, failed) \
	type __real_##f params; \
	type __wrap_##f params; \
	type __wrap_##f params \
	{ \
		return nomem_fails() ? failed : __real_##f args; \
	}

NOMEM(void *, malloc, (size_t n), (n), NULL)
NOMEM(void *, calloc, (size_t n, size_t size), (n, size), NULL)
NOMEM(void *, realloc, (void *p, size_t n), (p, n), NULL)
NOMEM(void *, aligned_alloc, (size_t align, size_t n), (align, n), NULL)
NOMEM(char *, strdup, (const char *s), (s), NULL)
NOMEM(char *, strndup, (const char *s, size_t n), (s, n), NULL)
NOMEM(void *, mmap, (void *p, size_t n, int prot, int flags, int fd,
    off_t at), (p, n, prot, flags, fd, at), MAP_FAILED)
NOMEM(void *, mremap, (void *p, size_t n, size_t size, int flags),
    (p, n, size, flags), MAP_FAILED)
NOMEM(int, pthread_create, (pthread_t *t, const pthread_attr_t *a,
    void *(*f)(void *), void *arg), (t, a, f, arg), EAGAIN)
NOMEM(int, getgrgid_r, (gid_t id, struct group *g, char *p, size_t n,
    struct group **found), (id, g, p, n, found), ENOMEM)
NOMEM(int, getpwuid_r, (uid_t id, struct passwd *u, char *p, size_t n,
    struct passwd **found), (id, u, p, n, found), ENOMEM)
/*
 * The functions behind inflateInit() and inflateInit2(), because zlib allocates
 * its own memory.  The linker also redirects libpng's calls to them, and warns
 * unless these functions are visible.
 */
#define SHOWN __attribute__((visibility("default")))
NOMEM(SHOWN int, inflateInit_, (z_streamp z, const char *version, int size),
    (z, version, size), Z_MEM_ERROR)
NOMEM(SHOWN int, inflateInit2_, (z_streamp z, int bits, const char *version,
    int size), (z, bits, version, size), Z_MEM_ERROR)

__attribute__((format(printf, 2, 3)))
int __wrap_asprintf(char **p, const char *fmt, ...);

int
__wrap_asprintf(char **p, const char *fmt, ...)
{
	va_list ap;
	int n;

	if (nomem_fails())
		return -1;
	va_start(ap, fmt);
	n = vasprintf(p, fmt, ap);
	va_end(ap);
	return n;
}

static inline bool
nomem_file_fails(void)
{
	if (!nomem_files || !nomem_fails())
		return false;
	errno = nomem_errno;
	return true;
}

#define NOFILE(type, f, params, args) \
	type __real_##f params; \
	type __wrap_##f params; \
	type __wrap_##f params \
	{ \
		return nomem_file_fails() ? -1 : __real_##f args; \
	}

NOFILE(int, fstat, (int fd, struct stat *st), (fd, st))
NOFILE(int, flock, (int fd, int how), (fd, how))
NOFILE(int, ftruncate, (int fd, off_t n), (fd, n))
NOFILE(ssize_t, read, (int fd, void *p, size_t n), (fd, p, n))
NOFILE(ssize_t, write, (int fd, const void *p, size_t n), (fd, p, n))
NOFILE(ssize_t, pwrite, (int fd, const void *p, size_t n, off_t at),
    (fd, p, n, at))
NOFILE(int, fsync, (int fd), (fd))
NOFILE(int, renameat2, (int from, const char *a, int to, const char *b,
    unsigned flags), (from, a, to, b, flags))
NOFILE(int, link, (const char *from, const char *to), (from, to))
NOFILE(ssize_t, getrandom, (void *p, size_t n, unsigned flags),
    (p, n, flags))

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);

int
__wrap_open(const char *path, int flags, ...)
{
	va_list ap;
	mode_t mode;

	va_start(ap, flags);
	mode = va_arg(ap, mode_t);
	va_end(ap);
	if (nomem_device != NULL && strcmp(path, "/dev/kmsg") == 0)
		path = nomem_device;
	if (nomem_taken && (flags & O_EXCL) != 0) {
		errno = EEXIST;
		return -1;
	}
	return nomem_file_fails() ? -1 : __real_open(path, flags, mode);
}

DIR *__real_opendir(const char *path);
DIR *__wrap_opendir(const char *path);

DIR *
__wrap_opendir(const char *path)
{
	return nomem_file_fails() ? NULL : __real_opendir(path);
}

struct dirent *__real_readdir(DIR *d);
struct dirent *__wrap_readdir(DIR *d);

struct dirent *
__wrap_readdir(DIR *d)
{
	static struct dirent more;
	struct dirent *e = __real_readdir(d);

	if (e != NULL || nomem_more == 0)
		return e;
	nomem_more--;
	snprintf(more.d_name, sizeof(more.d_name), "%s", nomem_name);
	return &more;
}

/* The result of work() if all calls succeeded but a result was wrong. */
enum { NOMEM_WRONG = 1 };

/* Lets each call, or each fourth call, fail once.  Returns the number of calls,
 * or 0 if a test failed. */
static size_t
nomem_each(const char *what, int (*work)(struct npu_err *err))
{
	for (size_t at = 1;; at += brief() ? 4 : 1) {
		struct npu_err err = { 0 };
		bool met;
		int rc;

		nomem_count = 0;
		nomem_at = at;
		rc = work(&err);
		met = nomem_count >= at;
		nomem_at = 0;
		if (!met)
			return rc == 0 ? nomem_count : 0;
		/* Work that uses memory only to be faster may succeed without
		 * it. */
		if (rc == 0 || (rc == NPU_ESYSTEM &&
		    strstr(err.msg, "emory") != NULL))
			continue;
		if (nomem_files && rc < 0 && err.msg[0] != '\0')
			continue;
		diag("%s, call %zu%s: %d %s", what, at,
		    nomem_after ? " and those after it" : "", rc, err.msg);
		return 0;
	}
}

/* Checks that work() returns 0 with correct results, or fails with a message
 * about memory and frees everything. */
static void
nomem(const char *what, int (*work)(struct npu_err *err))
{
	size_t n;

	nomem_after = false;
	n = nomem_each(what, work);
	ok(n > 0, "%s: each%s of %zu %s fails once, and the failure is "
	    "reported or does no harm", what,
	    brief() ? " fourth" : "", n, nomem_files ? "calls" : "allocations");
	if (nomem_files && nomem_errno == EINTR)
		return;		/* interrupted calls are repeated */
	nomem_after = true;
	n = nomem_each(what, work);
	ok(n > 0, "%s: if all later calls fail as well, the failure is "
	    "reported", what);
}

#endif
