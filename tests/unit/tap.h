/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TAP for unit tests: ok() for each thing that must hold, done() at the end.
 *
 *	ok(npu_dtype_size(NPU_S8) == 1, "an s8 has one byte");
 *	return done();
 */
#ifndef TESTS_UNIT_TAP_H
#define TESTS_UNIT_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int tap_count, tap_failed;

__attribute__((format(printf, 2, 3), unused)) static bool
ok(bool cond, const char *fmt, ...)
{
	va_list ap;

	printf("%s %d - ", cond ? "ok" : "not ok", ++tap_count);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	if (!cond)
		tap_failed++;
	return cond;
}

/* Prints a line for the reader after a failure. */
__attribute__((format(printf, 1, 2), unused)) static void
diag(const char *fmt, ...)
{
	va_list ap;

	printf("# ");
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
}

/*
 * At level ci under qemu, where a program takes ten times as long: sweeps whose
 * result no kind of processor changes, and which run whole in the native tree,
 * leave most cases out.
 */
__attribute__((unused)) static bool
brief(void)
{
	const char *leg = getenv("LEG"), *level = getenv("LEVEL");

	return leg != NULL && strcmp(leg, "arm64") == 0 && level != NULL &&
	    strcmp(level, "ci") == 0;
}

/* The plan, and main()'s status; a test without a check has failed. */
__attribute__((unused)) static int
done(void)
{
	printf("1..%d\n", tap_count);
	return tap_failed != 0 || tap_count == 0;
}

#endif
