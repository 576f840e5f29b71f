// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

_Noreturn void
die(int status, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fprintf(stderr, "%s: ", program_invocation_short_name);
	vfprintf(stderr, fmt, ap);
	fprintf(stderr, "\n");
	va_end(ap);
	exit(status);
}

FILE *
open_file(const char *path, const char *mode)
{
	FILE *f = fopen(path, mode);

	if (f == NULL)
		die(1, "%s: %s", path, strerror(errno));
	return f;
}

void *
grow(void *p, size_t n, size_t size)
{
	if ((p = reallocarray(p, n, size)) == NULL)
		die(1, "out of memory");
	return p;
}

double
percentage(const char *option, const char *arg)
{
	char *end;
	double v = strtod(arg, &end);

	if (end == arg || *end != '\0' || !(v >= 0 && v <= 100))
		die(2, "%s: '%s' is not a number from 0 to 100", option, arg);
	return v;
}

uint32_t
number(const char *option, const char *arg, uint32_t least, uint32_t most)
{
	char *end;
	unsigned long long v;

	errno = 0;
	v = strtoull(arg, &end, 10);
	if (*arg < '0' || *arg > '9' || *end != '\0' || errno || v > most ||
	    v < least)
		die(2, "%s: '%s' is not a whole number from %u to %u", option,
		    arg, least, most);
	return (uint32_t)v;
}

unsigned
choice(const char *option, const char *arg, const char *const names[])
{
	for (unsigned i = 0; names[i] != NULL; i++)
		if (strcmp(arg, names[i]) == 0)
			return i;
	die(2, "%s: '%s' is not a value that --help lists", option, arg);
}

void
write_stdout(const void *p, size_t n)
{
	if (fwrite(p, 1, n, stdout) != n)
		die(1, "stdout: %s", strerror(errno));
}

_Noreturn void
finish(void)
{
	if (fflush(stdout) != 0 || ferror(stdout))
		die(1, "stdout: %s", strerror(errno));
	exit(0);
}
