// SPDX-License-Identifier: Apache-2.0
/*
 * inject_stdio.c - writes through stdio, and the names that _FORTIFY_SOURCE
 * gives to calls that can fail: inject_call.h.
 *
 * A stream keeps its error flag after a failed write until it is closed.  A
 * stream on which we make a write fail therefore gets the flag as well.  Writes
 * to stderr never fail: the program could not report it.
 */
/* Without this, <stdio.h> defines some of the functions inline. */
#ifndef __NO_INLINE__
#define __NO_INLINE__ 1
#endif
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "inject_call.h"

#ifndef _IO_ERR_SEEN
#error "how does this C library mark a stream of which a write failed?"
#endif

/* Returns whether this write to f fails, and then sets the error flag of f. */
static bool
stream_fails(FILE *f, const char *name, const void *caller)
{
	if (f == stderr || !inject_fails(K_WRITE, name, caller))
		return false;
	f->_flags |= _IO_ERR_SEEN;
	errno = ENOSPC;
	return true;
}

#define WRITES(type, f, stream, params, args, value) \
	type f params \
	{ \
		if (stream_fails(stream, #f, CALLER)) \
			return value; \
		TAIL return REAL(f) args; \
	}

WRITES(size_t, fwrite, f, (const void *p, size_t size, size_t n, FILE *f),
    (p, size, n, f), 0)
WRITES(int, fputs, f, (const char *s, FILE *f), (s, f), EOF)
WRITES(int, fputc, f, (int c, FILE *f), (c, f), EOF)
WRITES(int, puts, stdout, (const char *s), (s), EOF)
WRITES(int, putchar, stdout, (int c), (c), EOF)
WRITES(int, vfprintf, f, (FILE *f, const char *fmt, va_list ap), (f, fmt, ap),
    -1)
WRITES(int, vprintf, stdout, (const char *fmt, va_list ap), (fmt, ap), -1)

int
fprintf(FILE *f, const char *fmt, ...)
{
	va_list ap;
	int n;

	if (stream_fails(f, "fprintf", CALLER))
		return -1;
	va_start(ap, fmt);
	n = REAL(vfprintf)(f, fmt, ap);
	va_end(ap);
	return n;
}

int
printf(const char *fmt, ...)
{
	va_list ap;
	int n;

	if (stream_fails(stdout, "printf", CALLER))
		return -1;
	va_start(ap, fmt);
	n = REAL(vfprintf)(stdout, fmt, ap);
	va_end(ap);
	return n;
}

/* ---- _FORTIFY_SOURCE ---------------------------------------------------- */

/* No header declares these unless _FORTIFY_SOURCE is set. */
#define CHECKED(type, f, params, args, kind, error, value) \
	type f params; \
	CALL(type, f, params, args, kind, error, value)

CHECKED(ssize_t, __recv_chk,
    (int fd, void *p, size_t n, size_t size, int flags),
    (fd, p, n, size, flags), K_READ, EIO, -1)
CHECKED(ssize_t, __read_chk, (int fd, void *p, size_t n, size_t size),
    (fd, p, n, size), K_READ, EIO, -1)
CHECKED(ssize_t, __pread_chk,
    (int fd, void *p, size_t n, off_t at, size_t size), (fd, p, n, at, size),
    K_READ, EIO, -1)
CHECKED(ssize_t, __readlink_chk,
    (const char *path, char *to, size_t n, size_t size), (path, to, n, size),
    K_LOOK, EIO, -1)
CHECKED(ssize_t, __readlinkat_chk,
    (int dir, const char *path, char *to, size_t n, size_t size),
    (dir, path, to, n, size), K_LOOK, EIO, -1)
CHECKED(char *, __realpath_chk, (const char *path, char *to, size_t size),
    (path, to, size), K_MEMORY, ENOMEM, NULL)
CHECKED(char *, __getcwd_chk, (char *to, size_t n, size_t size), (to, n, size),
    K_MEMORY, ENOMEM, NULL)
CHECKED(int, __poll_chk, (struct pollfd *p, nfds_t n, int ms, size_t size),
    (p, n, ms, size), K_LOOK, ENOMEM, -1)
CHECKED(int, __open_2, (const char *path, int flags), (path, flags), K_OPEN,
    EMFILE, -1)
CHECKED(int, __openat_2, (int dir, const char *path, int flags),
    (dir, path, flags), K_OPEN, EMFILE, -1)
CHECKED(int, __vasprintf_chk,
    (char **p, int flag, const char *fmt, va_list ap), (p, flag, fmt, ap),
    K_MEMORY, ENOMEM, -1)

int __asprintf_chk(char **p, int flag, const char *fmt, ...);
int
__asprintf_chk(char **p, int flag, const char *fmt, ...)
{
	va_list ap;
	int n;

	FAILS(K_MEMORY, __asprintf_chk, ENOMEM, -1);
	va_start(ap, fmt);
	n = REAL(__vasprintf_chk)(p, flag, fmt, ap);
	va_end(ap);
	return n;
}

#define CHECKED_WRITES(type, f, stream, params, args, value) \
	type f params; \
	WRITES(type, f, stream, params, args, value)

CHECKED_WRITES(int, __vfprintf_chk, f,
    (FILE *f, int flag, const char *fmt, va_list ap), (f, flag, fmt, ap), -1)
CHECKED_WRITES(int, __vprintf_chk, stdout,
    (int flag, const char *fmt, va_list ap), (flag, fmt, ap), -1)

int __fprintf_chk(FILE *f, int flag, const char *fmt, ...);
int
__fprintf_chk(FILE *f, int flag, const char *fmt, ...)
{
	va_list ap;
	int n;

	if (stream_fails(f, "__fprintf_chk", CALLER))
		return -1;
	va_start(ap, fmt);
	n = REAL(__vfprintf_chk)(f, flag, fmt, ap);
	va_end(ap);
	return n;
}

int __printf_chk(int flag, const char *fmt, ...);
int
__printf_chk(int flag, const char *fmt, ...)
{
	va_list ap;
	int n;

	if (stream_fails(stdout, "__printf_chk", CALLER))
		return -1;
	va_start(ap, fmt);
	n = REAL(__vfprintf_chk)(stdout, flag, fmt, ap);
	va_end(ap);
	return n;
}
