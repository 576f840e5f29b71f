// SPDX-License-Identifier: Apache-2.0
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd.h"

struct guarded {
	dev_t dev;
	ino_t ino;
	atomic_bool is_input;
	struct guarded *next;
};

/* The list is complete before other threads begin. */
static struct guarded *guarded;

static struct guarded *
find(const struct stat *st)
{
	struct guarded *g = guarded;

	while (g != NULL && (g->dev != st->st_dev || g->ino != st->st_ino))
		g = g->next;
	return g;
}

void
cmd_guard_output(const char *path)
{
	struct guarded *g;
	struct stat st;

	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode) || find(&st) != NULL)
		return;
	g = cmd_alloc(sizeof(*g));
	g->dev = st.st_dev;
	g->ino = st.st_ino;
	g->next = guarded;
	guarded = g;
}

static void
set(const struct stat *st, bool is_input)
{
	struct guarded *g = find(st);

	if (g != NULL)
		atomic_store(&g->is_input, is_input);
}

void
cmd_note_input(int fd)
{
	struct stat st;

	if (guarded != NULL && fstat(fd, &st) == 0)
		set(&st, true);
}

/* Calls fstat() for the file, or for stdin. */
static bool
stat_input(const char *path, struct stat *st)
{
	if (path == NULL || strcmp(path, "-") == 0)
		return fstat(STDIN_FILENO, st) == 0;
	return stat(path, st) == 0;
}

void
cmd_note_input_path(const char *path)
{
	struct stat st;

	if (guarded != NULL && stat_input(path, &st))
		set(&st, true);
}

void
cmd_may_replace_input(const char *path)
{
	struct stat st;

	if (guarded != NULL && stat_input(path, &st))
		set(&st, false);
}

void
cmd_refuse_input(const char *path)
{
	const struct guarded *g;
	struct stat st;

	if (guarded == NULL || path == NULL || stat(path, &st) < 0)
		return;
	g = find(&st);
	if (g != NULL && atomic_load(&g->is_input))
		cmd_usage("'%s' is also an input; name another file for the "
		    "output", path);
}
