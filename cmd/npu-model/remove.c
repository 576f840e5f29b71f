// SPDX-License-Identifier: Apache-2.0
/* remove.c - npu-model rm: removes what get brought. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "options.h"
#include "store.h"

/* True if the entry is the file, or is below the folder "NAME/". */
static bool
belongs(const struct record_entry *e, const char *file)
{
	size_t n = strlen(file);

	return strcmp(e->file, file) == 0 ||
	    (n > 0 && file[n - 1] == '/' && strncmp(e->file, file, n) == 0);
}

/* Removes the folders of a path, from the deepest, up to the first that has
 * files. */
static void
remove_folders(const char *folder, const char *file)
{
	char *part = cmd_copy(file), *slash, *path;

	while ((slash = strrchr(part, '/')) != NULL) {
		*slash = '\0';
		path = folder_join(folder, part);
		if (rmdir(path) < 0)
			*part = '\0';
		free(path);
	}
	free(part);
}

/* Removes one file and its entry.  Returns whether both are gone. */
static bool
remove_file(const char *folder, const struct record_entry *e)
{
	char *path = folder_join(folder, e->file);
	struct npu_err err;
	bool gone = access(path, F_OK) < 0 && errno == ENOENT, done = false;

	if (!gone && !store_is_unchanged(path, e))
		cmd_warn("%s: it was changed since get brought it; remove it "
		    "with rm(1) if you do not need it", path);
	else if (!gone && unlink(path) < 0)
		cmd_warn("%s: cannot be removed: %s", path, strerror(errno));
	else if (record_remove(folder, e->file, &err) < 0)
		cmd_warn("%s", err.msg);
	else
		done = true;
	if (done) {
		printf("%s\n", path);
		remove_folders(folder, e->file);
	}
	free(path);
	return done;
}

/* What rm does with the entries of a name. */
struct removal {
	bool dry;		/* without --yes: print what would be removed */
	size_t found;
	bool failed;
};

static void
remove_from(struct removal *r, const char *folder, const struct record *record,
    const char *file)
{
	for (size_t i = 0; i < record->n; i++) {
		const struct record_entry *e = &record->entry[i];

		if (!belongs(e, file))
			continue;
		r->found++;
		if (r->dry)
			cmd_warn("%s/%s would be removed", folder, e->file);
		else if (!remove_file(folder, e))
			r->failed = true;
	}
}

static void
remove_name(struct removal *r, const struct store *s,
    const struct model_catalogue *all, const char *name)
{
	const char *file = store_file_of(all, name);
	size_t before = r->found;
	struct stored found;

	for (size_t i = 0; i < s->folders.n; i++)
		remove_from(r, s->folders.path[i], &s->record[i], file);
	if (r->found > before)
		return;
	r->failed = true;
	store_find(s, file, &found);
	if (found.path != NULL)
		cmd_warn("%s: get did not bring %s; remove it with rm(1) if "
		    "you do not need it", name, found.path);
	else
		cmd_warn("%s: get brought no such model; npu-model list shows "
		    "what is here", cmd_visible_name(name));
	free(found.path);
}

int
rm_main(const struct model_options *o)
{
	struct removal r = { .dry = !o->yes };
	struct model_catalogue all;
	struct store s;

	catalogue_open(&all);
	store_open(&s);
	for (int i = 0; i < o->n_operands; i++)
		remove_name(&r, &s, &all, o->operands[i]);
	store_close(&s);
	catalogue_free(&all);
	if (r.dry && r.found > 0)
		cmd_usage("rm needs --yes to remove files");
	return r.failed ? EXIT_FAILED : EXIT_DONE;
}
