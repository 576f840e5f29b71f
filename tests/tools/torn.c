// SPDX-License-Identifier: Apache-2.0
/*
 * torn - copies FROM to TO through memory, with a defect of a kind that
 * tests/faults/torture must find.
 *
 *	torn HOW FROM TO
 *
 *	sound		no defect: a temporary file beside TO is renamed to TO
 *	leak crash hang	what happens if there is not enough memory
 *	half		TO is written in place
 *	left		the temporary file stays
 *	silent		a write error is not reported
 *	mute		a failure does not print a message
 *	verdict usage odd	the status means something else, or nothing
 *	thread		a thread copies; a failure to start it is not reported
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *how, *from, *to;
/* Volatile: otherwise the compiler would remove the allocation. */
static char *volatile spare, *volatile buffer;

static bool
is(const char *what)
{
	return strcmp(how, what) == 0;
}

_Noreturn static void
fail(const char *what)
{
	if (!is("mute"))
		fprintf(stderr, "torn: %s: failed\n", what);
	exit(is("verdict") ? 4 : is("usage") ? 2 : is("odd") ? 77 : 1);
}

/* Allocates twice; fails in the chosen way if the second allocation fails. */
static char *
memory(void)
{
	if ((buffer = malloc(4096)) == NULL)
		fail("memory");
	if ((spare = malloc(10)) == NULL) {
		if (is("crash"))
			memset(spare, 0, 10);
		while (is("hang"))
			pause();
		if (!is("leak"))
			free(buffer);
		buffer = NULL;
		fail("memory");
	}
	free(spare);
	return buffer;
}

/* Copies through p, and frees p. */
static void
copy(int in, int out, char *p, const char *made)
{
	ssize_t n;

	while ((n = read(in, p, 7)) > 0)
		if (write(out, p, (size_t)n) != n && !is("silent")) {
			n = -1;
			break;
		}
	free(p);
	if (n < 0) {
		if (!is("left") && !is("half"))
			unlink(made);
		fail("copy");
	}
}

static void *
work(void *unused)
{
	char made[100], *p = memory();
	int in, out;

	snprintf(made, sizeof(made), "%s%s", to, is("half") ? "" : ".new");
	if ((in = open(from, O_RDONLY)) < 0 ||
	    (out = open(made, O_WRONLY | O_CREAT | O_TRUNC, 0600)) < 0) {
		free(p);
		fail("open");
	}
	copy(in, out, p, made);
	if (close(out) < 0 || close(in) < 0 ||
	    (!is("half") && rename(made, to) < 0)) {
		unlink(made);
		fail(to);
	}
	return unused;
}

int
main(int argc, char *argv[])
{
	pthread_t thread;

	if (argc != 4)
		return 2;
	how = argv[1], from = argv[2], to = argv[3];
	if (is("thread")) {
		if (pthread_create(&thread, NULL, work, NULL) == 0)
			pthread_join(thread, NULL);
	} else {
		work(NULL);
	}
	return 0;
}
