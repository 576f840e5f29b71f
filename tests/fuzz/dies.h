/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code of cmd/ ends the program on an error; here such an exit only ends the
 * input.  Link the target with --wrap=exit.  Memory that the code has not freed
 * at the exit is then freed, as it is when a process ends.
 */
#ifndef TESTS_FUZZ_DIES_H
#define TESTS_FUZZ_DIES_H

#include <fcntl.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cmd.h"

enum { DIES_ALIVE = -1, DIES_HELD = 1 << 14 };

/*
 * Declared in the sanitizers' allocator_interface.h.  NULL without a sanitizer;
 * memory that an input does not free then stays allocated.
 */
int __sanitizer_install_malloc_and_free_hooks(
    void (*taken)(const volatile void *, size_t),
    void (*freed)(const volatile void *)) __attribute__((weak));

_Noreturn void __real_exit(int status);
_Noreturn void __wrap_exit(int status);

static jmp_buf dies_here;
static int dies_status;
/*
 * For this thread only: libFuzzer has another thread, which watches the memory.
 */
static _Thread_local bool dies_armed;

/* ---- Allocations during an input --------------------------------------- */

static const volatile void *dies_held[DIES_HELD];
static size_t dies_n;

static void
dies_taken(const volatile void *p, size_t n)
{
	(void)n;
	if (dies_armed && p != NULL && dies_n < DIES_HELD)
		dies_held[dies_n++] = p;
}

static void
dies_freed(const volatile void *p)
{
	if (!dies_armed)
		return;
	for (size_t i = dies_n; i > 0; i--) {
		if (dies_held[i - 1] != p)
			continue;
		dies_held[i - 1] = dies_held[--dies_n];
		return;
	}
}

static void
dies_free_rest(void)
{
	while (dies_n > 0)
		free((void *)(uintptr_t)dies_held[--dies_n]);
}

/*
 * Makes objects that a program makes only once, such as the tables of its
 * options, before the first input: they must not be freed.
 */
static inline void
dies_begin(void)
{
	static bool begun;
	char *argv[] = { (char *)(uintptr_t)program.name, NULL };

	if (begun)
		return;
	begun = true;
	if (program.options != NULL)
		cmd_option(1, argv);
	if (__sanitizer_install_malloc_and_free_hooks != NULL)
		__sanitizer_install_malloc_and_free_hooks(dies_taken,
		    dies_freed);
}

/* ---- The end of an input ----------------------------------------------- */

_Noreturn void
__wrap_exit(int status)
{
	if (!dies_armed)
		__real_exit(status);
	dies_status = status;
	longjmp(dies_here, 1);
}

/*
 * Calls f.  Returns DIES_ALIVE, or the status with which f ended the program,
 * which must be one of the documented statuses.
 */
static inline int
dies(void (*f)(void *), void *arg)
{
	dies_begin();
	dies_status = DIES_ALIVE;
	if (setjmp(dies_here) == 0) {
		dies_armed = true;
		f(arg);
	}
	dies_armed = false;
	dies_free_rest();
	if (dies_status > EXIT_NOVERDICT)
		abort();
	if (dies_status > EXIT_DONE && *cmd_last_message() == '\0')
		abort();
	return dies_status;
}

/* ---- Inputs ------------------------------------------------------------- */

/*
 * Returns a copy of n bytes that ends with a NUL; the bytes may contain NULs.
 */
static inline char *
dies_text(const void *p, size_t n)
{
	char *s = malloc(n + 1);

	if (s == NULL)
		abort();
	memcpy(s, p, n);
	s[n] = '\0';
	return s;
}

/*
 * Splits text into lines, which become the arguments after the program's name;
 * text is modified.
 */
enum { DIES_WORDS = 40 };

static inline int
dies_words(char *text, char *argv[DIES_WORDS + 2])
{
	char *rest = text, *one;
	int n = 0;

	argv[n++] = (char *)(uintptr_t)program.name;
	while (n <= DIES_WORDS && (one = strsep(&rest, "\n")) != NULL)
		argv[n++] = one;
	argv[n] = NULL;
	return n;
}

/*
 * Writes the bytes to a file in memory, the same file at each call; returns its
 * path.
 */
static inline const char *
dies_file(const void *p, size_t n)
{
	static char path[40];
	static int fd = -1;

	if (fd < 0) {
		fd = memfd_create("input", MFD_CLOEXEC);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	}
	if (fd < 0 || ftruncate(fd, 0) < 0 || pwrite(fd, p, n, 0) !=
	    (ssize_t)n)
		abort();
	return path;
}

#endif
