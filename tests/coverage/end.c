// SPDX-License-Identifier: Apache-2.0
/*
 * end.c - linked into each program and library of the coverage build, and into
 * nothing else: their counters are also written if a process
 * ends without exit().
 *
 * gcc writes the counters as the last step of exit().  _exit(),
 * abort(), a raised signal and exec never get there, so these do it first, for
 * the program and for each library of ours that it has loaded.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void __gcov_dump(void);
void __gcov_reset(void);
int coverage_open(const char *path, int flags, ...);
int coverage_says(FILE *unused, const char *fmt, va_list ap);
int coverage_prints(FILE *unused, const char *fmt, ...);
void coverage_join(void (*dump)(void));

#define MODULES 16

/* Of a program: its libraries see its coverage_join(), because that is the
 * only exported name (tests/run). */
static void (*modules[MODULES])(void);
static int nmodules;
static void (*program)(void (*dump)(void));	/* its coverage_join() */

static void
dump(void)
{
	__gcov_dump();
	__gcov_reset();
}

/* NULL: all that have joined are dumped. */
__attribute__((visibility("default"))) void
coverage_join(void (*f)(void))
{
	for (int i = 0; f == NULL && i < nmodules; i++)
		modules[i]();
	if (f != NULL && nmodules < MODULES)
		modules[nmodules++] = f;
}

/* Before any constructor of ours. */
__attribute__((constructor(101))) static void
join(void)
{
	*(void **)&program = dlsym(RTLD_DEFAULT, "coverage_join");
	if (program == NULL)	/* not our program */
		program = coverage_join;
	program(dump);
}

static void
dump_all(void)
{
	int saved = errno;

	program(NULL);
	errno = saved;
}

static void *
next(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

/* ---- Called by gcc's runtime, as tests/run tells the linker -------------- */

/* A file that may not grow would be left incomplete, and unreadable. */
static bool
is_limited(void)
{
	struct rlimit size;

	return getrlimit(RLIMIT_FSIZE, &size) == 0 &&
	    size.rlim_cur != RLIM_INFINITY;
}

int
coverage_open(const char *path, int flags, ...)
{
	va_list ap;
	mode_t mode;

	va_start(ap, flags);
	mode = va_arg(ap, mode_t);
	va_end(ap);
	if (is_limited()) {
		errno = EFBIG;
		return -1;
	}
	return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

/* Reports write errors: stderr is the program's, and tests read it. */
int
coverage_says(FILE *unused, const char *fmt, va_list ap)
{
	const char *path = getenv("COVERAGE_ERRORS");
	char text[1000];
	int n = vsnprintf(text, sizeof(text), fmt, ap);
	long fd;

	(void)unused;
	if (path == NULL || n < 0 || is_limited())
		return n;
	fd = syscall(SYS_openat, AT_FDCWD, path,
	    O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (fd < 0)
		return n;
	syscall(SYS_write, fd, text, strlen(text));
	syscall(SYS_close, fd);
	return n;
}

int
coverage_prints(FILE *unused, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = coverage_says(unused, fmt, ap);
	va_end(ap);
	return n;
}

/* ---- In place of the C library's ----------------------------------------  */

void
_exit(int status)
{
	dump_all();
	syscall(SYS_exit_group, status);
	__builtin_unreachable();
}

void
abort(void)
{
	void (*real)(void) = NULL;

	dump_all();
	*(void **)&real = next("abort");
	real();
	__builtin_unreachable();
}

int
raise(int sig)
{
	int (*real)(int) = NULL;

	dump_all();
	*(void **)&real = next("raise");
	return real(sig);
}

int
execv(const char *path, char *const argv[])
{
	int (*real)(const char *, char *const []) = NULL;

	dump_all();
	*(void **)&real = next("execv");
	return real(path, argv);
}

/* npu-info kills its child once it has the answer, and npu-bench ends a child
 * that has failed.  The child may write its counters just then: it has some
 * ms for that. */
int
kill(pid_t pid, int sig)
{
	struct pollfd end = { .events = POLLIN, .fd = -1 };
	int ms = sig == SIGKILL ? 1000 : sig == SIGTERM ? 200 : 0;

	if (ms > 0 && pid > 0)
		end.fd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (end.fd >= 0) {
		poll(&end, 1, ms);
		syscall(SYS_close, end.fd);
	}
	return (int)syscall(SYS_kill, pid, sig);
}

static void
end_of(int sig)
{
	signal(sig, SIG_DFL);
	raise(sig);	/* ours; it comes when this returns */
}

/* Programs that watch until a signal mostly get it here, where nothing is
 * locked. */
int
clock_nanosleep(clockid_t clock, int flags, const struct timespec *t,
    struct timespec *left)
{
	int (*real)(clockid_t, int, const struct timespec *,
	    struct timespec *) = NULL;
	struct sigaction old, sa = { .sa_handler = end_of };
	int rc;

	*(void **)&real = next("clock_nanosleep");
	sigaction(SIGTERM, NULL, &old);
	if (old.sa_handler == SIG_DFL)
		sigaction(SIGTERM, &sa, NULL);
	rc = real(clock, flags, t, left);
	if (old.sa_handler == SIG_DFL)
		sigaction(SIGTERM, &old, NULL);
	return rc;
}
