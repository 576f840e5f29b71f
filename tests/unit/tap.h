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

/* Prints a comment line that helps to understand a failure. */
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
 * Returns true at level ci under qemu, where a program takes ten times as long.
 * Tests that try many cases then skip most of them, if the result does not
 * depend on the kind of processor.  In the native tree, such tests try all
 * cases.
 */
__attribute__((unused)) static bool
brief(void)
{
	const char *leg = getenv("LEG"), *level = getenv("LEVEL");

	return leg != NULL && strcmp(leg, "arm64") == 0 && level != NULL &&
	    strcmp(level, "ci") == 0;
}

/* Prints the plan and returns the exit status for main().  A test without any
 * check has failed. */
__attribute__((unused)) static int
done(void)
{
	printf("1..%d\n", tap_count);
	return tap_failed != 0 || tap_count == 0;
}

#endif
