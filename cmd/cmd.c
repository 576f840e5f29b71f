// SPDX-License-Identifier: Apache-2.0
/* cmd.c - start, end and words of every program. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/num.h"
#include "cmd.h"

bool cmd_quiet, cmd_verbose;
volatile sig_atomic_t cmd_stop;

/* Registered first, so it runs last: after the library's own handlers. */
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

void
cmd_start(int argc, char *argv[])
{
	(void)argc;
	(void)argv;
	/*
	 * A missing descriptor is filled with one that fails the way a closed
	 * one would, so that no data file becomes stdout (rule 21).
	 */
	for (int fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
			continue;
		if (open("/dev/null", fd == 1 ? O_RDONLY : O_WRONLY) != fd)
			_exit(EXIT_FAILED);
	}
	atexit(check_stdout);
}

/* One line in one write; control characters of file names shown as '?'. */
static void
say(const char *fmt, va_list ap)
{
	char line[2048];
	size_t n, limit = sizeof(line) - 1;
	int r;

	n = (size_t)snprintf(line, limit, "%s: ", program.name);
	r = vsnprintf(line + n, limit - n, fmt, ap);
	n = r < 0 || (size_t)r >= limit - n ? limit - 1 : n + (size_t)r;
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)line[i] < 0x20 || line[i] == 0x7f)
			line[i] = '?';
	line[n++] = '\n';
	fwrite(line, 1, n, stderr);
}

void
cmd_warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(fmt, ap);
	va_end(ap);
}

void
cmd_note(const char *fmt, ...)
{
	va_list ap;

	if (cmd_quiet)
		return;
	va_start(ap, fmt);
	say(fmt, ap);
	va_end(ap);
}

void (*cmd_at_exit)(void);

void
cmd_exit(int status)
{
	void (*last)(void) = cmd_at_exit;

	cmd_at_exit = NULL;
	if (last != NULL)
		last();
	exit(status);
}

void
cmd_die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(fmt, ap);
	va_end(ap);
	cmd_exit(EXIT_FAILED);
}

void
cmd_usage(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(fmt, ap);
	va_end(ap);
	fprintf(stderr, "Try '%s --help' for more information.\n",
	    program.name);
	cmd_exit(EXIT_USAGE);
}

int
cmd_status(const struct npu_err *err)
{
	return err != NULL && err->code == NPU_ENODEV ?
	    EXIT_NODEVICE : EXIT_FAILED;
}

void
cmd_die_err(const char *subject, const struct npu_err *err)
{
	if (subject != NULL)
		cmd_warn("%s: %s", subject, err->msg);
	else
		cmd_warn("%s", err->msg);
	cmd_exit(cmd_status(err));
}

int64_t
cmd_int(const char *option, const char *arg, int64_t least, int64_t most)
{
	struct npu_err err;
	int64_t v;

	if (num_int(arg, least, most, &v, &err) < 0)
		cmd_usage("%s: %s", option, err.msg);
	return v;
}

double
cmd_double(const char *option, const char *arg, double least, double most)
{
	struct npu_err err;
	double v;

	if (num_double(arg, least, most, &v, &err) < 0)
		cmd_usage("%s: %s", option, err.msg);
	return v;
}

int32_t
cmd_duration_ms(const char *option, const char *arg)
{
	struct npu_err err;
	int32_t ms;

	if (num_duration_ms(arg, &ms, &err) < 0)
		cmd_usage("%s: %s", option, err.msg);
	return ms;
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
	p = realloc(p, n != 0 ? n : 1);
	if (p == NULL)
		cmd_die("out of memory: %zu bytes wanted", n);
	return p;
}
