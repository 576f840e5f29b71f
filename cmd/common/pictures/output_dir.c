// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "output_dir.h"

void
output_dir_open(struct output_dir *f)
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
output_dir_close(struct output_dir *f)
{
	tdestroy(f->names, free);
	free(f->file);
	f->names = f->file = NULL;
}

static int
compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* The last part of file: n bytes, without its ending. */
static const char *
base(const char *file, size_t *n)
{
	const char *slash = strrchr(file, '/'), *name, *dot;

	if (cmd_is_dash(file))
		file = "stdin";
	name = slash != NULL ? slash + 1 : file;
	dot = strrchr(name, '.');
	*n = dot != NULL && dot != name ? (size_t)(dot - name) :
	    strlen(name);
	return name;
}

/* Whether file is in *f itself. */
static bool
beside(const struct output_dir *f, const char *file)
{
	const char *slash;
	struct stat st;
	char *dir;
	int rc;

	if (file == NULL || cmd_is_dash(file))
		return false;
	slash = strrchr(file, '/');
	if (slash == NULL)
		dir = cmd_copy(".");
	else
		dir = cmd_text("%.*s", (int)(slash - file) + 1, file);
	rc = stat(dir, &st);
	free(dir);
	return rc == 0 && st.st_dev == f->dev && st.st_ino == f->ino;
}

/* Remembers the name; false if it was used before. */
static bool
keep(struct output_dir *f, const char *name)
{
	char *copy = cmd_copy(name), **found;

	if ((found = tsearch(copy, &f->names, compare)) == NULL)
		cmd_die("out of memory");
	if (*found == copy)
		return true;
	free(copy);
	return false;
}

/* The name of a file in *f, owned by the caller; NULL: none is possible. */
static char *
name_of(const char *file, uint64_t number, const char *ending)
{
	const char *name = "", *gap = "";
	size_t n = 0;

	if (file != NULL) {
		name = base(file, &n);
		gap = "-";
		if (n == 0 || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
			return NULL;
	}
	if (file != NULL && number == 0)
		return cmd_text("%.*s.%s", (int)n, name, ending);
	return cmd_text("%.*s%s%06" PRIu64 ".%s", (int)n, name, gap, number,
	    ending);
}

const char *
output_dir_path(struct output_dir *f, const char *file, uint64_t number,
    const char *ending, struct npu_err *err)
{
	char *name = name_of(file, number, ending);
	size_t n = name != NULL ? strlen(name) : 0;

	free(f->file);
	f->file = NULL;
	if (name != NULL)
		f->file = cmd_text("%s/%s", f->path, name);
	free(name);
	if (n == 0)
		npu_fail(err, NPU_EUSAGE, "no name for a file in %s can be "
		    "made of it", f->path);
	else if (n > NAME_MAX)
		npu_fail(err, NPU_EUSAGE, "its name is too long for a file in "
		    "%s", f->path);
	else if (beside(f, file) && access(f->file, F_OK) == 0)
		npu_fail(err, NPU_EUSAGE, "%s is there already, beside the "
		    "picture itself; another folder is safe", f->file);
	else if (!keep(f, f->file))
		npu_fail(err, NPU_EUSAGE, "%s was made of another picture of "
		    "the same name", f->file);
	else
		return f->file;
	return NULL;
}
