// SPDX-License-Identifier: Apache-2.0
/* prune.c - npu-model prune: removes what fetches left behind. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/num.h"
#include "cmd.h"
#include "folder.h"
#include "options.h"
#include "part.h"

enum { DEEPEST = 16 };		/* folders below a folder of models */

struct prune {
	uint64_t parts, bytes;
	bool named;		/* the folders are operands */
	bool failed;
};

/* Returns a file's size; false if it is gone. */
static bool
find_size(const char *path, uint64_t *size)
{
	struct stat st;

	if (lstat(path, &st) < 0)
		return false;
	*size = (uint64_t)st.st_size;
	return true;
}

/* Removes the part at path or, for a note, the part that it belongs to. */
static void
prune_part(struct prune *p, char *path)
{
	const size_t n = strlen(path), k = strlen(".json");
	uint64_t size;
	int rc;

	/* Removed a moment ago, with its part or its note. */
	if (!find_size(path, &size))
		return;
	if (strcmp(path + n - k, ".json") == 0)
		path[n - k] = '\0';
	find_size(path, &size);
	if ((rc = part_remove(path)) == 0) {
		cmd_note("%s: a fetch works on it; it stays", path);
	} else if (rc < 0) {
		cmd_warn("%s: cannot be removed: %s", path, strerror(errno));
		p->failed = true;
	} else {
		printf("%s\n", path);
		p->parts++;
		p->bytes += size;
	}
}

static bool
is_folder(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static void
prune_folder(struct prune *p, const char *folder, int deep)
{
	DIR *d = opendir(folder);
	struct dirent *e;
	char *path;

	if (d == NULL && (errno != ENOENT || p->named)) {
		cmd_warn("%s: %s", folder, strerror(errno));
		p->failed = true;
	}
	while (d != NULL && (e = readdir(d)) != NULL) {
		if (strcmp(e->d_name, ".") == 0 ||
		    strcmp(e->d_name, "..") == 0)
			continue;
		path = folder_join(folder, e->d_name);
		if (part_is_name(e->d_name) && !is_folder(path))
			prune_part(p, path);
		else if (deep < DEEPEST && is_folder(path))
			prune_folder(p, path, deep + 1);
		free(path);
	}
	if (d != NULL)
		closedir(d);
}

int
prune_main(const struct model_options *o)
{
	struct model_folders f;
	struct prune p = { .named = o->n_operands > 0 };

	folders_open(&f);
	for (int i = 0; i < o->n_operands; i++)
		prune_folder(&p, o->operands[i], 0);
	for (size_t i = 0; i < f.n && o->n_operands == 0; i++)
		prune_folder(&p, f.path[i], 0);
	cmd_note("removed %" PRIu64 " part%s, %" PRIu64 " bytes", p.parts,
	    num_plural(p.parts), p.bytes);
	folders_close(&f);
	return p.failed ? EXIT_FAILED : EXIT_DONE;
}
