// SPDX-License-Identifier: Apache-2.0
/* folder.c - a folder for files that are named after other files. */
#include <errno.h>
#include <limits.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "folder.h"

void
folder_open(struct folder *f)
{
	struct stat st;

	if (mkdir(f->path, 0777) < 0 && errno != EEXIST)
		cmd_die("%s: %s", f->path, strerror(errno));
	if (stat(f->path, &st) < 0)
		cmd_die("%s: %s", f->path, strerror(errno));
	if (!S_ISDIR(st.st_mode))
		cmd_die("%s: %s", f->path, strerror(ENOTDIR));
	f->dev = st.st_dev;
	f->ino = st.st_ino;
}

void
folder_close(struct folder *f)
{
	tdestroy(f->names, free);
	free(f->place);
	f->names = f->place = NULL;
}

static int
compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* The last part of file, n bytes without its ending. */
static const char *
base(const char *file, size_t *n)
{
	const char *slash = strrchr(file, '/'), *name, *dot;

	if (strcmp(file, "-") == 0)
		file = "stdin";
	name = slash != NULL ? slash + 1 : file;
	dot = strrchr(name, '.');
	*n = dot != NULL && dot != name ? (size_t)(dot - name) :
	    strlen(name);
	return name;
}

/* True if file is in *f itself. */
static bool
beside(const struct folder *f, const char *file)
{
	const char *slash = strrchr(file, '/');
	struct stat st;
	char *dir;
	int rc;

	if (strcmp(file, "-") == 0)
		return false;
	if (slash == NULL)
		dir = strdup(".");
	else
		dir = strndup(file, (size_t)(slash - file) + 1);
	if (dir == NULL)
		cmd_die("out of memory");
	rc = stat(dir, &st);
	free(dir);
	return rc == 0 && st.st_dev == f->dev && st.st_ino == f->ino;
}

/* Keeps the name; false if it was given before. */
static bool
keep(struct folder *f, const char *name)
{
	char *copy = strdup(name), **found;

	if (copy == NULL || (found = tsearch(copy, &f->names, compare)) == NULL)
		cmd_die("out of memory");
	if (*found == copy)
		return true;
	free(copy);
	return false;
}

const char *
folder_place(struct folder *f, const char *file, const char *ending,
    struct npu_err *err)
{
	const char *name;
	size_t n;

	name = base(file, &n);
	if (n == 0 || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
		npu_fail(err, NPU_EUSAGE, "no name for a file in %s can be "
		    "made of it", f->path);
		return NULL;
	}
	if (n + strlen(ending) + 1 > NAME_MAX) {
		npu_fail(err, NPU_EUSAGE, "its name is too long for a file in "
		    "%s", f->path);
		return NULL;
	}
	free(f->place);
	if (asprintf(&f->place, "%s/%.*s.%s", f->path, (int)n, name,
	    ending) < 0)
		cmd_die("out of memory");
	if (beside(f, file) && access(f->place, F_OK) == 0) {
		npu_fail(err, NPU_EUSAGE, "%s is there already, beside the "
		    "picture itself; another folder is safe", f->place);
		return NULL;
	}
	if (!keep(f, f->place)) {
		npu_fail(err, NPU_EUSAGE, "%s was made of another picture of "
		    "the same name", f->place);
		return NULL;
	}
	return f->place;
}
