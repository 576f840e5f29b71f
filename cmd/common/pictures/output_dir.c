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
#include "base/file.h"
#include "output_dir.h"

bool
output_naming_option(struct output_naming *n, int opt)
{
	switch (opt) {
	case OUTPUT_DIR_MIRROR: n->mirror = true; break;
	case OUTPUT_DIR_WHOLE: n->whole = true; break;
	default: return false;
	}
	return true;
}

void
output_naming_check(const struct output_naming *n, bool folder)
{
	if (!folder && (n->mirror || n->whole))
		cmd_usage("--%s is about a folder of output", n->mirror ?
		    "mirror" : "whole-names");
}

void
folders_add(struct folders *f, const struct stat *st)
{
	f->item = reallocarray(f->item, f->n + 1, sizeof(*f->item));
	if (f->item == NULL)
		cmd_die("out of memory");
	f->item[f->n++] = (struct folder_id){ st->st_dev, st->st_ino };
}

static bool
folders_have(const struct folders *f, const struct stat *st)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->item[i].dev == st->st_dev &&
		    f->item[i].ino == st->st_ino)
			return true;
	return false;
}

void
output_dir_open(struct output_dir *f)
{
	/* mkdir() does not follow a link to a missing folder. */
	char *target = file_target(f->path);
	struct stat st;

	if (target == NULL || (mkdir(target, 0777) < 0 && errno != EEXIST))
		cmd_die("%s: %s", cmd_visible_name(f->path), strerror(errno));
	free(target);
	if (stat(f->path, &st) < 0)
		cmd_die("%s: %s", cmd_visible_name(f->path), strerror(errno));
	if (!S_ISDIR(st.st_mode))
		cmd_die("%s: %s", f->path, strerror(ENOTDIR));
	f->dev = st.st_dev;
	f->ino = st.st_ino;
}

/* ---- Names of this run -------------------------------------------------- */

/* A path, and the file that it was made from. */
struct made {
	char *path, *file;
};

static void
free_made(void *p)
{
	struct made *m = p;

	free(m->path);
	free(m->file);
	free(m);
}

static int
compare(const void *a, const void *b)
{
	return strcmp(((const struct made *)a)->path,
	    ((const struct made *)b)->path);
}

/* Remembers path.  Returns the file that it was made from before, or NULL. */
static const char *
keep(void **tree, const char *path, const char *file)
{
	struct made *m, **found, key = { .path = (char *)(uintptr_t)path };

	if ((found = tfind(&key, tree, compare)) != NULL)
		return (*found)->file;
	m = cmd_alloc(sizeof(*m));
	m->path = cmd_copy(path);
	m->file = cmd_copy(file);
	if (tsearch(m, tree, compare) == NULL)
		cmd_die("out of memory");
	return NULL;
}

void
output_dir_close(struct output_dir *f)
{
	tdestroy(f->files, free_made);
	tdestroy(f->stems, free_made);
	free(f->file);
	f->files = f->stems = NULL;
	f->file = NULL;
}

/* ---- Paths -------------------------------------------------------------- */

/* Returns the last component of file. */
static const char *
last_part(const char *file)
{
	const char *slash = strrchr(file, '/');

	return slash != NULL ? slash + 1 : file;
}

/* True if a component of a path does not lead elsewhere. */
static bool
is_here(const char *part, size_t n)
{
	return n == 0 || (n == 1 && *part == '.');
}

/* Adds the folders of file to *b, each followed by '/'.  Returns false if they
 * lead out of the output folder. */
static bool
add_folders(struct buf *b, const char *file)
{
	const char *last = last_part(file);
	size_t n;

	for (; file < last; file += n + 1) {
		n = strcspn(file, "/");
		if (n == 2 && memcmp(file, "..", 2) == 0)
			return false;
		if (!is_here(file, n))
			buf_printf(b, "/%.*s", (int)n, file);
	}
	return true;
}

/* Returns the path of the file made from file, without number and ending; the
 * caller owns it.  NULL if no path is possible. */
static char *
stem_of(const struct output_dir *f, const char *file)
{
	const char *name = cmd_is_dash(file) ? "stdin" : last_part(file);
	const char *dot = strrchr(name, '.');
	size_t n = dot != NULL && dot != name && !f->naming.whole ?
	    (size_t)(dot - name) : strlen(name);
	struct buf b = { 0 };
	bool inside;

	if (is_here(name, n) || strcmp(name, "..") == 0)
		return NULL;
	buf_puts(&b, f->path);
	inside = !f->naming.mirror || add_folders(&b, file);
	buf_printf(&b, "/%.*s", (int)n, name);
	buf_add(&b, "", 1);
	cmd_check_buf(&b);
	if (!inside)
		buf_free(&b);
	return b.p;
}

/* Makes the folders in path that are below *f. */
static int
make_folders(const struct output_dir *f, char *path, struct npu_err *err)
{
	struct stat st;
	char *slash = path + strlen(f->path);
	int e;

	while ((slash = strchr(slash + 1, '/')) != NULL) {
		*slash = '\0';
		e = mkdir(path, 0777) < 0 ? errno : 0;
		if (e == EEXIST && stat(path, &st) == 0)
			e = S_ISDIR(st.st_mode) ? 0 : ENOTDIR;
		if (e != 0)
			npu_fail(err, NPU_ESYSTEM, "%s: %s", path,
			    strerror(e));
		*slash = '/';
		if (e != 0)
			return NPU_ESYSTEM;
	}
	return 0;
}

/* ---- What may not be replaced ------------------------------------------- */

static bool
folder_of(const char *file, struct stat *st)
{
	char *folder = cmd_text("%.*s.", (int)(last_part(file) - file), file);
	bool there = stat(folder, st) == 0;

	free(folder);
	return there;
}

static bool
beside(const char *path, const char *file)
{
	struct stat a, b;

	return file != NULL && !cmd_is_dash(file) &&
	    folder_of(path, &a) && folder_of(file, &b) &&
	    a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* The file may lead to an input, or to another output. */
static bool
is_link(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
}

/* True if two names are the same file. */
static bool
same_file(const char *path, const char *file)
{
	struct stat a, b;

	return file != NULL && stat(path, &a) == 0 && stat(file, &b) == 0 &&
	    a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Returns the real path of the deepest existing folder of path, or NULL. */
static char *
real_folder(const char *path)
{
	char *folder = cmd_copy(path), *slash, *real = NULL;

	while (real == NULL && (slash = strrchr(folder, '/')) != NULL) {
		slash[slash == folder] = '\0';
		real = realpath(folder, NULL);
		if (slash == folder)
			break;
	}
	free(folder);
	return real;
}

bool
output_dir_has(const struct output_dir *f, const char *path)
{
	char *real = realpath(path, NULL), *slash;
	struct stat st;
	bool has = false;

	while (!has && real != NULL && (slash = strrchr(real, '/')) != NULL &&
	    slash[1] != '\0') {
		slash[slash == real] = '\0';
		has = stat(real, &st) == 0 && st.st_dev == f->dev &&
		    st.st_ino == f->ino;
	}
	free(real);
	return has;
}

/* True if path is inside a folder that is read.  What is below *f is not read,
 * except through a name or a link that leads there from elsewhere. */
static bool
is_read(const struct output_dir *f, const char *path)
{
	char *real, *slash;
	bool read = false, own = false;
	struct stat st;

	if (f->read == NULL || f->read->n == 0 ||
	    (real = real_folder(path)) == NULL)
		return false;
	while (!read && !own && stat(real, &st) == 0) {
		own = st.st_dev == f->dev && st.st_ino == f->ino;
		read = !own && folders_have(f->read, &st);
		if ((slash = strrchr(real, '/')) == NULL || slash[1] == '\0')
			break;
		slash[slash == real] = '\0';
	}
	free(real);
	return read;
}

/* True if two names differ in their folders. */
static bool
other_folder(const char *a, const char *b)
{
	size_t n = (size_t)(last_part(a) - a);

	return n != (size_t)(last_part(b) - b) || memcmp(a, b, n) != 0;
}

/* Fails if another picture, or the same, already has the name. */
static int
reserve(struct output_dir *f, const char *stem, const char *file,
    struct npu_err *err)
{
	const char *other;

	if (file == NULL)
		return 0;
	other = keep(&f->stems, stem, file);
	if (other != NULL && strcmp(other, file) != 0 &&
	    !same_file(other, file))
		return npu_fail(err, NPU_EUSAGE, "%s already has that name in "
		    "%s; %s", other, f->path, other_folder(other, file) ?
		    "--mirror keeps the folders of names" :
		    "--whole-names keeps the endings of names");
	if (keep(&f->files, f->file, file) != NULL)
		return npu_fail(err, NPU_EUSAGE, "it is named twice: %s was "
		    "made before", f->file);
	return 0;
}

/* The output that is closed later would replace the other. */
static void
refuse_output(const struct output_dir *f)
{
	struct stat st;

	if (f->other != NULL && cmd_same_output(f->other, f->file))
		cmd_usage("'%s' and '%s' are one file, and both are outputs; "
		    "name another file or folder for one", f->other, f->file);
	if (stat(f->file, &st) == 0 && S_ISREG(st.st_mode) &&
	    cmd_is_stdout(&st))
		cmd_usage("'%s' is also standard output; name another file or "
		    "folder for one", f->file);
}

/* ---- A path ------------------------------------------------------------- */

static int
check_path(struct output_dir *f, const char *stem, const char *file,
    struct npu_err *err)
{
	if (strlen(last_part(f->file)) > NAME_MAX)
		return npu_fail(err, NPU_EUSAGE, "its name is too long for a "
		    "file in %s", f->path);
	if (is_read(f, f->file))
		return npu_fail(err, NPU_EUSAGE, "%s would be among the "
		    "pictures that --recursive reads; choose another folder",
		    f->file);
	refuse_output(f);
	if (beside(f->file, file) && access(f->file, F_OK) == 0)
		return npu_fail(err, NPU_EUSAGE, "%s is there already, beside "
		    "the picture itself; another folder is safe", f->file);
	/* A second run would find the first run's file. */
	if (f->read != NULL && beside(f->file, file))
		return npu_fail(err, NPU_EUSAGE, "%s would be beside the "
		    "picture itself; with --recursive, choose another folder",
		    f->file);
	if (is_link(f->file))
		return npu_fail(err, NPU_EUSAGE, "%s is a link, which is not "
		    "followed; remove it, or choose another folder", f->file);
	return reserve(f, stem, file, err);
}

const char *
output_dir_path(struct output_dir *f, const char *file, uint64_t number,
    const char *ending, struct npu_err *err)
{
	char *stem = file != NULL ? stem_of(f, file) : cmd_copy(f->path);
	int rc;

	free(f->file);
	f->file = NULL;
	if (stem == NULL) {
		npu_fail(err, NPU_EUSAGE, "its name gives no name for a "
		    "file in %s", f->path);
		return NULL;
	}
	if (file != NULL && number == 0)
		f->file = cmd_text("%s.%s", stem, ending);
	else
		f->file = cmd_text("%s%c%06" PRIu64 ".%s", stem,
		    file != NULL ? '-' : '/', number, ending);
	rc = check_path(f, stem, file, err);
	free(stem);
	if (rc == 0 && f->naming.mirror)
		rc = make_folders(f, f->file, err);
	return rc == 0 ? f->file : NULL;
}
