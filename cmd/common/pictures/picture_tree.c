// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd.h"
#include "image/picture.h"
#include "picture_tree.h"

enum { HEAD = 8 };		/* bytes that identify a picture */

static int
by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

void
picture_tree_open(struct picture_tree *t, const char *path)
{
	char *paths[2] = { strdup(path), NULL };
	struct stat st;

	if (paths[0] == NULL || (t->fts = fts_open(paths, FTS_PHYSICAL |
	    FTS_COMFOLLOW | FTS_NOCHDIR, by_name)) == NULL)
		cmd_die("%s: %s", path, strerror(errno));
	t->name = path;
	free(paths[0]);
	if (stat(path, &st) == 0)
		folders_add(&t->read, &st);
}

/* True if a picture begins with these bytes, or the file cannot be read. */
static bool
looks_like_picture(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	uint8_t head[HEAD];
	ssize_t n;

	if (fd < 0)
		return true;
	n = read(fd, head, sizeof(head));
	close(fd);
	return n < 0 || picture_known((struct bytes){ head, (size_t)n });
}

/* True if a link leads to a file that this run, or an earlier run, wrote. */
static bool
leads_to_written(const struct picture_tree *t, const char *path)
{
	for (size_t i = 0; t->written != NULL && t->written[i] != NULL; i++)
		if (t->written[i]->path != NULL &&
		    output_dir_has(t->written[i], path))
			return true;
	return false;
}

/* True for a file, or a link to a file, other than standard output. */
static bool
is_input(const struct picture_tree *t, const FTSENT *e)
{
	struct stat st;

	if (e->fts_info == FTS_F)
		return !cmd_is_stdout(e->fts_statp);
	return e->fts_info == FTS_SL && stat(e->fts_accpath, &st) == 0 &&
	    S_ISREG(st.st_mode) && !cmd_is_stdout(&st) &&
	    !leads_to_written(t, e->fts_accpath);
}

/* Compares device and inode: another name, or a link, is the same folder. */
static bool
is_written(const struct picture_tree *t, const FTSENT *e)
{
	if (e->fts_info != FTS_D || t->written == NULL)
		return false;
	for (size_t i = 0; t->written[i] != NULL; i++)
		if (t->written[i]->path != NULL &&
		    t->written[i]->dev == e->fts_statp->st_dev &&
		    t->written[i]->ino == e->fts_statp->st_ino)
			return true;
	return false;
}

static bool
is_unreadable(const FTSENT *e)
{
	switch (e->fts_info) {
	case FTS_DNR:
	case FTS_ERR:
	case FTS_NS:
		return true;
	}
	return false;
}

/* Returns why e cannot be read, or NULL.  Skips a folder that is written. */
static const char *
refusal(struct picture_tree *t, FTSENT *e)
{
	if (is_unreadable(e))
		return strerror(e->fts_errno);
	if (!is_written(t, e))
		return NULL;
	fts_set(t->fts, e, FTS_SKIP);
	return e->fts_level > 0 ? NULL : "is a folder that this run writes "
	    "into; choose another one for its files, such as one inside it";
}

bool
picture_tree_next(struct picture_tree *t, const char **path, const char **why)
{
	FTSENT *e;
	int saved;

	while (errno = 0, (e = fts_read(t->fts)) != NULL) {
		*path = e->fts_path;
		if (e->fts_level > 0 && e->fts_name[0] == '.') {
			fts_set(t->fts, e, FTS_SKIP);
			continue;
		}
		if ((*why = refusal(t, e)) != NULL ||
		    (is_input(t, e) && looks_like_picture(e->fts_path)))
			return true;
	}
	saved = errno;
	fts_close(t->fts);
	t->fts = NULL;
	*path = t->name;
	*why = strerror(saved);
	return saved != 0;
}

void
picture_tree_close(struct picture_tree *t)
{
	if (t->fts != NULL)
		fts_close(t->fts);
	t->fts = NULL;
	free(t->read.item);
	t->read = (struct folders){ 0 };
}
