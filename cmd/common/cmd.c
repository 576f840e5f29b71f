// SPDX-License-Identifier: Apache-2.0
/* cmd.c - start, end and messages of every program. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/utf8.h"
#include "cmd.h"
#include "transient_line.h"

bool cmd_quiet, cmd_verbose;

/*
 * Registered first, and therefore runs last, after the library's own handlers.
 */
static void
check_stdout(void)
{
	int saved;

	cmd_remove_temporaries();
	errno = 0;
	if (fflush(stdout) == 0 && !ferror(stdout) && fclose(stdout) == 0)
		return;
	saved = errno != 0 ? errno : EIO;
	cmd_warn("write error: %s", strerror(saved));
	_exit(EXIT_FAILED);
}

/* Enough for every program and its threads, whose stacks are as long.  With
 * less, some call somewhere ends the program without a message. */
#define STACK_LEAST (256 << 10)

static void
check_stack(void)
{
	struct rlimit r = { .rlim_cur = RLIM_INFINITY };

	getrlimit(RLIMIT_STACK, &r);
	if (r.rlim_cur < STACK_LEAST)
		cmd_die("the limit of the stack is %llu KiB, and %d are "
		    "needed; see 'ulimit -s'",
		    (unsigned long long)r.rlim_cur >> 10, STACK_LEAST >> 10);
}

void
cmd_start(void)
{
	/*
	 * Fill a missing descriptor with a file that fails as a closed
	 * descriptor would.  Otherwise a data file could become stdout (rule
	 * 21).
	 */
	for (int fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", fd == 1 ? O_RDONLY : O_WRONLY) != fd)
			_exit(EXIT_FAILED);
	}
	/* A file that grows too large is a write error and does not kill the
	 * process. */
	signal(SIGXFSZ, SIG_IGN);
	signals_end_program();
	atexit(check_stdout);
	check_stack();
}

void
cmd_printable(char *p, size_t n)
{
	utf8_printable(p, n);
}

/*
 * Write each line with one call.  There is room for a path of PATH_MAX and a
 * reason; a longer line loses its middle, because the reason is at the end.
 */
static _Thread_local char line[8192];

static void
report(const char *fmt, va_list ap)
{
	char *text;
	size_t at = (size_t)snprintf(line, 100, "%s: ", program.name);
	size_t room = sizeof(line) - at - 1, half = room / 2, n;
	va_list again;

	va_copy(again, ap);
	if (vasprintf(&text, fmt, ap) >= 0) {
		if ((n = strlen(text)) > room) {
			memmove(text + half, text + n - half, half);
			memcpy(text + half, "...", 3);
			n = 2 * half;
		}
		memcpy(line + at, text, n);
		free(text);
	} else {
		/* Out of memory is the usual message here, so format without
		 * malloc(). */
		vsnprintf(line + at, room, fmt, again);
		n = strlen(line + at);
	}
	va_end(again);
	n += at;
	cmd_printable(line, n);
	line[n++] = '\n';
	transient_line_hide();
	fwrite(line, 1, n, stderr);
	line[n - 1] = '\0';
}

const char *
cmd_last_message(void)
{
	return line + strlen(program.name) + 2;
}

void
cmd_warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	report(fmt, ap);
	va_end(ap);
}

void
cmd_note(const char *fmt, ...)
{
	va_list ap;

	if (cmd_quiet)
		return;
	va_start(ap, fmt);
	report(fmt, ap);
	va_end(ap);
}

void
cmd_detail(const char *fmt, ...)
{
	va_list ap;

	if (!cmd_verbose || cmd_quiet)
		return;
	va_start(ap, fmt);
	report(fmt, ap);
	va_end(ap);
}

static struct {
	void (*fn)(void *arg);
	void *arg;
} at_exit;
int cmd_status_at_exit;

void
cmd_on_exit(void (*fn)(void *arg), void *arg)
{
	at_exit.fn = fn;
	at_exit.arg = arg;
}

bool
cmd_has_on_exit(void)
{
	return at_exit.fn != NULL;
}

void
cmd_exit(int status)
{
	void (*fn)(void *arg) = at_exit.fn;

	transient_line_hide();
	cmd_status_at_exit = status;
	at_exit.fn = NULL;	/* fn may call this function */
	if (fn != NULL)
		fn(at_exit.arg);
	/* A signal after the program's last check of cmd_stop may have cut the
	 * output, and the exit status must show it. */
	if (cmd_stop != 0)
		cmd_die_of_signal();
	exit(status);
}

void
cmd_die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	report(fmt, ap);
	va_end(ap);
	cmd_exit(EXIT_FAILED);
}

void
cmd_usage(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	report(fmt, ap);
	va_end(ap);
	fprintf(stderr, "Try '%s --help' for more information.\n",
	    program.name);
	cmd_exit(EXIT_USAGE);
}

int
cmd_status(const struct npu_err *err)
{
	return err->code == NPU_ENODEV ? EXIT_NODEVICE : EXIT_FAILED;
}

const char *
cmd_visible_name(const char *name)
{
	return *name != '\0' ? name : "''";
}

void
cmd_die_err(const char *subject, const struct npu_err *err)
{
	if (subject != NULL)
		cmd_warn("%s: %s", cmd_visible_name(subject), err->msg);
	else
		cmd_warn("%s", err->msg);
	cmd_exit(cmd_status(err));
}

void *
cmd_alloc(size_t n)
{
	void *p = calloc(1, n != 0 ? n : 1);

	if (p == NULL)
		cmd_die("out of memory: %zu bytes wanted", n);
	return p;
}

void *
cmd_realloc(void *p, size_t n)
{
	/* realloc() with a size of 0 would free the block. */
	p = realloc(p, n + (n == 0));
	if (p == NULL)
		cmd_die("out of memory: %zu bytes wanted", n);
	return p;
}

char *
cmd_copy(const char *s)
{
	char *copy = strdup(s);

	if (copy == NULL)
		cmd_die("out of memory");
	return copy;
}

char *
cmd_text(const char *fmt, ...)
{
	va_list ap;
	char *text;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (n < 0)
		cmd_die("out of memory");
	return text;
}
