/* SPDX-License-Identifier: Apache-2.0 */
/* Captures what the tested code prints to stderr. */
#ifndef TESTS_UNIT_STDERR_TEXT_H
#define TESTS_UNIT_STDERR_TEXT_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static char said[1 << 20];
static int said_before, said_file;

/* Redirects stderr to a file in memory until said_end(). */
static void
said_begin(void)
{
	said_before = dup(STDERR_FILENO);
	said_file = memfd_create("stderr", 0);
	if (said_before < 0 || said_file < 0 ||
	    dup2(said_file, STDERR_FILENO) < 0)
		abort();
}

/* Copies the printed text to said and restores stderr. */
static void
said_end(void)
{
	ssize_t n;

	fflush(stderr);
	n = pread(said_file, said, sizeof(said) - 1, 0);
	said[n < 0 ? 0 : n] = '\0';
	dup2(said_before, STDERR_FILENO);
	close(said_before);
	close(said_file);
}

#endif
