// SPDX-License-Identifier: Apache-2.0
/*
 * inject_calls.c - the calls that can be made to fail, each with its usual
 * error: inject_call.h.  A function that closes or renames does nothing when it
 * fails, except close(), which still closes on Linux.
 */
#define _REGEX_NELTS(n)		/* regmatch_t *, not an array of n */
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <fts.h>
#include <grp.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <regex.h>
#include <sched.h>
#include <search.h>
#include <sha2.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "inject_call.h"

/* ---- Memory ------------------------------------------------------------- */

CALL(void *, malloc, (size_t n), (n), K_MEMORY, ENOMEM, NULL)
CALL(void *, calloc, (size_t n, size_t size), (n, size), K_MEMORY, ENOMEM,
    NULL)
CALL(void *, realloc, (void *p, size_t n), (p, n), K_MEMORY, ENOMEM, NULL)
CALL(void *, reallocarray, (void *p, size_t n, size_t size), (p, n, size),
    K_MEMORY, ENOMEM, NULL)
CALL(void *, aligned_alloc, (size_t align, size_t n), (align, n), K_MEMORY,
    ENOMEM, NULL)
CALL(int, posix_memalign, (void **p, size_t align, size_t n), (p, align, n),
    K_MEMORY, ENOMEM, ENOMEM)
CALL(char *, strdup, (const char *s), (s), K_MEMORY, ENOMEM, NULL)
CALL(char *, strndup, (const char *s, size_t n), (s, n), K_MEMORY, ENOMEM,
    NULL)
CALL(int, vasprintf, (char **p, const char *fmt, va_list ap), (p, fmt, ap),
    K_MEMORY, ENOMEM, -1)
CALL(void *, tsearch, (const void *key, void **root, __compar_fn_t compare),
    (key, root, compare), K_MEMORY, ENOMEM, NULL)
CALL(char *, realpath, (const char *path, char *to), (path, to), K_MEMORY,
    ENOMEM, NULL)
CALL(int, setenv, (const char *name, const char *value, int over),
    (name, value, over), K_MEMORY, ENOMEM, -1)
CALL(char *, getcwd, (char *to, size_t n), (to, n), K_MEMORY, ENOMEM, NULL)
CALL(int, getpwuid_r, (uid_t id, struct passwd *p, char *text, size_t n,
    struct passwd **to), (id, p, text, n, to), K_MEMORY, ENOMEM, ENOMEM)
CALL(int, getgrgid_r, (gid_t id, struct group *g, char *text, size_t n,
    struct group **to), (id, g, text, n, to), K_MEMORY, ENOMEM, ENOMEM)
CALL(int, regcomp, (regex_t *r, const char *form, int flags),
    (r, form, flags), K_MEMORY, ENOMEM, REG_ESPACE)
CALL(int, regexec, (const regex_t *r, const char *text, size_t n,
    regmatch_t *match, int flags), (r, text, n, match, flags), K_MEMORY,
    ENOMEM, REG_ESPACE)
CALL(int, putenv, (char *s), (s), K_MEMORY, ENOMEM, -1)
CALL(FILE *, open_memstream, (char **p, size_t *n), (p, n), K_MEMORY, ENOMEM,
    NULL)
CALL(ssize_t, getdelim, (char **p, size_t *n, int c, FILE *f), (p, n, c, f),
    K_MEMORY, ENOMEM, -1)
CALL(ssize_t, getline, (char **p, size_t *n, FILE *f), (p, n, f), K_MEMORY,
    ENOMEM, -1)

int
asprintf(char **p, const char *fmt, ...)
{
	va_list ap;
	int n;

	FAILS(K_MEMORY, asprintf, ENOMEM, -1);
	va_start(ap, fmt);
	n = REAL(vasprintf)(p, fmt, ap);
	va_end(ap);
	return n;
}

/* ---- Descriptors -------------------------------------------------------- */

int
open(const char *path, int flags, ...)
{
	va_list ap;
	mode_t mode;

	va_start(ap, flags);
	mode = va_arg(ap, mode_t);
	va_end(ap);
	FAILS(K_OPEN, open, EMFILE, -1);
	return REAL(open)(path, flags, mode);
}

int
openat(int dir, const char *path, int flags, ...)
{
	va_list ap;
	mode_t mode;

	va_start(ap, flags);
	mode = va_arg(ap, mode_t);
	va_end(ap);
	FAILS(K_OPEN, openat, EMFILE, -1);
	return REAL(openat)(dir, path, flags, mode);
}

int
fcntl(int fd, int what, ...)
{
	va_list ap;
	void *arg;

	va_start(ap, what);
	arg = va_arg(ap, void *);
	va_end(ap);
	if (what == F_DUPFD || what == F_DUPFD_CLOEXEC)
		FAILS(K_OPEN, fcntl, EMFILE, -1);
	return REAL(fcntl)(fd, what, arg);
}

CALL(FILE *, fopen, (const char *path, const char *mode), (path, mode), K_OPEN,
    EMFILE, NULL)
CALL(FILE *, fdopen, (int fd, const char *mode), (fd, mode), K_OPEN, ENOMEM,
    NULL)
CALL(DIR *, opendir, (const char *path), (path), K_OPEN, EMFILE, NULL)
CALL(DIR *, fdopendir, (int fd), (fd), K_OPEN, ENOMEM, NULL)
CALL(int, memfd_create, (const char *name, unsigned flags), (name, flags),
    K_OPEN, EMFILE, -1)
CALL(int, dup, (int fd), (fd), K_OPEN, EMFILE, -1)
CALL(int, dup2, (int fd, int to), (fd, to), K_OPEN, EIO, -1)
CALL(int, pipe, (int fd[2]), (fd), K_OPEN, EMFILE, -1)
CALL(int, pipe2, (int fd[2], int flags), (fd, flags), K_OPEN, EMFILE, -1)
CALL(int, socket, (int domain, int type, int protocol), (domain, type,
    protocol), K_OPEN, EMFILE, -1)
CALL(FTS *, fts_open, (char *const *paths, int options,
    int (*compare)(const FTSENT **, const FTSENT **)),
    (paths, options, compare), K_OPEN, EMFILE, NULL)
CALL(int, scandir, (const char *dir, struct dirent ***list,
    int (*select)(const struct dirent *),
    int (*compare)(const struct dirent **, const struct dirent **)),
    (dir, list, select, compare), K_MEMORY, ENOMEM, -1)

/* ---- Data --------------------------------------------------------------- */

CALL(ssize_t, read, (int fd, void *p, size_t n), (fd, p, n), K_READ, EIO, -1)
CALL(ssize_t, pread, (int fd, void *p, size_t n, off_t at), (fd, p, n, at),
    K_READ, EIO, -1)
CALL(struct dirent *, readdir, (DIR *d), (d), K_READ, EIO, NULL)

/* The entries are still read, because fts_close() frees them. */
FTSENT *
fts_read(FTS *f)
{
	FTSENT *e = REAL(fts_read)(f);

	FAILS(K_READ, fts_read, EIO, NULL);
	return e;
}

/* Part of libmd: it opens and reads the file itself. */
CALL(char *, SHA256File, (const char *path, char *to), (path, to), K_READ, EIO,
    NULL)
CALL(ssize_t, write, (int fd, const void *p, size_t n), (fd, p, n), K_WRITE,
    ENOSPC, -1)
CALL(ssize_t, pwrite, (int fd, const void *p, size_t n, off_t at),
    (fd, p, n, at), K_WRITE, ENOSPC, -1)
CALL(int, fflush, (FILE *f), (f), K_WRITE, ENOSPC, EOF)
CALL(int, ftruncate, (int fd, off_t size), (fd, size), K_WRITE, ENOSPC, -1)

int
close(int fd)
{
	if (inject_fails(K_CLOSE, "close", CALLER)) {
		REAL(close)(fd);
		errno = EIO;
		return -1;
	}
	return REAL(close)(fd);
}

int
fclose(FILE *f)
{
	if (inject_fails(K_CLOSE, "fclose", CALLER)) {
		REAL(fclose)(f);
		errno = ENOSPC;
		return EOF;
	}
	return REAL(fclose)(f);
}

/* ---- Maps, names, disks ------------------------------------------------- */

CALL(void *, mmap, (void *p, size_t n, int prot, int flags, int fd, off_t at),
    (p, n, prot, flags, fd, at), K_MAP, ENOMEM, MAP_FAILED)

void *
mremap(void *p, size_t n, size_t size, int flags, ...)
{
	va_list ap;
	void *to;

	va_start(ap, flags);
	to = va_arg(ap, void *);
	va_end(ap);
	FAILS(K_MAP, mremap, ENOMEM, MAP_FAILED);
	return REAL(mremap)(p, n, size, flags, to);
}

CALL(int, rename, (const char *from, const char *to), (from, to), K_NAME,
    EIO, -1)
CALL(int, renameat2, (int from_dir, const char *from, int dir, const char *to,
    unsigned flags), (from_dir, from, dir, to, flags), K_NAME, EIO, -1)
CALL(int, link, (const char *from, const char *to), (from, to), K_NAME, EIO,
    -1)
CALL(int, mkdir, (const char *path, mode_t mode), (path, mode), K_NAME,
    ENOSPC, -1)
CALL(char *, mkdtemp, (char *path), (path), K_NAME, ENOSPC, NULL)
CALL(int, bind, (int fd, __CONST_SOCKADDR_ARG a, socklen_t n), (fd, a, n),
    K_NAME, EACCES, -1)
CALL(int, fchmod, (int fd, mode_t mode), (fd, mode), K_NAME, EPERM, -1)
CALL(int, flock, (int fd, int how), (fd, how), K_NAME, ENOLCK, -1)
CALL(int, mlock, (const void *p, size_t n), (p, n), K_MAP, ENOMEM, -1)
CALL(int, madvise, (void *p, size_t n, int advice), (p, n, advice), K_MAP,
    ENOMEM, -1)
CALL(int, fsync, (int fd), (fd), K_SYNC, EIO, -1)
CALL(int, fdatasync, (int fd), (fd), K_SYNC, EIO, -1)
CALL(int, stat, (const char *path, struct stat *st), (path, st), K_LOOK, EIO,
    -1)
CALL(int, fstat, (int fd, struct stat *st), (fd, st), K_LOOK, EIO, -1)
CALL(int, lstat, (const char *path, struct stat *st), (path, st), K_LOOK, EIO,
    -1)
CALL(int, fstatfs, (int fd, struct statfs *st), (fd, st), K_LOOK, EIO, -1)
CALL(int, fstatvfs, (int fd, struct statvfs *st), (fd, st), K_LOOK, EIO, -1)
CALL(ssize_t, readlink, (const char *path, char *to, size_t n), (path, to, n),
    K_LOOK, EIO, -1)
CALL(ssize_t, readlinkat, (int dir, const char *path, char *to, size_t n),
    (dir, path, to, n), K_LOOK, EIO, -1)
CALL(ssize_t, getrandom, (void *p, size_t n, unsigned flags), (p, n, flags),
    K_LOOK, ENOSYS, -1)

CALL(int, access, (const char *path, int mode), (path, mode), K_LOOK, ENOMEM,
    -1)
/* For a file that turns out to be the end of a pipe. */
CALL(off_t, lseek, (int fd, off_t at, int whence), (fd, at, whence), K_LOOK,
    ESPIPE, -1)
CALL(int, poll, (struct pollfd *p, nfds_t n, int ms), (p, n, ms), K_LOOK,
    ENOMEM, -1)
CALL(int, ppoll, (struct pollfd *p, nfds_t n, const struct timespec *t,
    const sigset_t *mask), (p, n, t, mask), K_LOOK, ENOMEM, -1)
CALL(pid_t, tcgetpgrp, (int fd), (fd), K_LOOK, ENOTTY, -1)
CALL(int, listen, (int fd, int n), (fd, n), K_LOOK, EADDRINUSE, -1)
CALL(ssize_t, recv, (int fd, void *p, size_t n, int flags), (fd, p, n, flags),
    K_READ, EIO, -1)
CALL(ssize_t, send, (int fd, const void *p, size_t n, int flags),
    (fd, p, n, flags), K_WRITE, ENOSPC, -1)
CALL(ssize_t, sendto, (int fd, const void *p, size_t n, int flags,
    __CONST_SOCKADDR_ARG to, socklen_t size), (fd, p, n, flags, to, size),
    K_WRITE, ENOSPC, -1)
CALL(int, connect, (int fd, __CONST_SOCKADDR_ARG a, socklen_t n), (fd, a, n),
    K_LOOK, ECONNREFUSED, -1)
CALL(int, getsockname, (int fd, __SOCKADDR_ARG a, socklen_t *n), (fd, a, n),
    K_LOOK, ENOBUFS, -1)
CALL(int, getpeername, (int fd, __SOCKADDR_ARG a, socklen_t *n), (fd, a, n),
    K_LOOK, ENOTCONN, -1)
CALL(int, getsockopt, (int fd, int level, int name, void *p, socklen_t *n),
    (fd, level, name, p, n), K_LOOK, ENOPROTOOPT, -1)
CALL(int, tcgetattr, (int fd, struct termios *t), (fd, t), K_LOOK, EIO, -1)
CALL(int, tcsetattr, (int fd, int when, const struct termios *t), (fd, when,
    t), K_LOOK, EIO, -1)
CALL(int, sched_getaffinity, (pid_t pid, size_t n, cpu_set_t *set),
    (pid, n, set), K_LOOK, EINVAL, -1)

long
sysconf(int name)
{
	if (name != _SC_PAGESIZE)	/* always known */
		FAILS(K_LOOK, sysconf, EINVAL, -1);
	return REAL(sysconf)(name);
}

int
ioctl(int fd, unsigned long request, ...)
{
	va_list ap;
	void *arg;

	va_start(ap, request);
	arg = va_arg(ap, void *);
	va_end(ap);
	FAILS(K_LOOK, ioctl, EIO, -1);
	return REAL(ioctl)(fd, request, arg);
}

/* ---- Calls that a signal ends early ------------------------------------- */

CALL(int, nanosleep, (const struct timespec *t, struct timespec *left),
    (t, left), K_SIGNAL, EINTR, -1)
CALL(int, clock_nanosleep, (clockid_t clock, int flags,
    const struct timespec *t, struct timespec *left), (clock, flags, t, left),
    K_SIGNAL, EINTR, EINTR)
CALL(pid_t, waitpid, (pid_t pid, int *status, int options),
    (pid, status, options), K_SIGNAL, EINTR, -1)

/* ---- Libraries, threads, processes -------------------------------------- */

void *
dlopen(const char *path, int flags)
{
	void *library;

	/* Fails like a real dlopen(): dlerror() must have a reason. */
	if (inject_fails(K_LOAD, "dlopen", CALLER))
		return REAL(dlopen)("/nowhere/inject.so", flags);
	if ((library = REAL(dlopen)(path, flags)) != NULL)
		inject_look();
	return library;
}

CALL(int, pthread_create, (pthread_t *t, const pthread_attr_t *a,
    void *(*f)(void *), void *arg), (t, a, f, arg), K_THREAD, EAGAIN, EAGAIN)
CALL(pid_t, fork, (void), (), K_PROCESS, EAGAIN, -1)
CALL(int, execv, (const char *path, char *const argv[]), (path, argv),
    K_PROCESS, ENOMEM, -1)
CALL(int, posix_spawnp, (pid_t *pid, const char *file,
    const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attr,
    char *const argv[], char *const env[]),
    (pid, file, actions, attr, argv, env), K_PROCESS, EAGAIN, EAGAIN)
