// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd.h"
#include "folder.h"

char *
folder_join(const char *folder, const char *name)
{
	size_t n = strlen(folder);

	return cmd_text("%s%s%s", folder,
	    n > 0 && folder[n - 1] == '/' ? "" : "/", name);
}

/* Returns the first folder of *list, which moves on, or NULL after the last.
 * The caller owns the result. */
static char *
next_folder(const char **list)
{
	const char *p = *list;
	size_t n;

	while (p != NULL && *p == ':')
		p++;
	if (p == NULL || *p == '\0')
		return NULL;
	n = strcspn(p, ":");
	*list = p + n;
	return cmd_text("%.*s", (int)n, p);
}

void
folders_open(struct model_folders *f)
{
	const char *list = getenv("NPU_MODEL_PATH");
	size_t most = list != NULL ? strlen(list) / 2 + 3 : 2;
	char *own = cmd_user_models(), *path;

	*f = (struct model_folders){ cmd_alloc(most * sizeof(*f->path)), 0 };
	while ((path = next_folder(&list)) != NULL)
		f->path[f->n++] = path;
	if (own != NULL)
		f->path[f->n++] = own;
}

void
folders_close(struct model_folders *f)
{
	while (f->n > 0)
		free(f->path[--f->n]);
	free(f->path);
	*f = (struct model_folders){ 0 };
}

char *
folders_find(const struct model_folders *f, const char *name)
{
	char *path;

	for (size_t i = 0; i < f->n; i++) {
		path = folder_join(f->path[i], name);
		if (access(path, F_OK) == 0)
			return path;
		free(path);
	}
	return NULL;
}

/* True if files can be made in the folder. */
static bool
is_writable(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode) &&
	    access(path, W_OK | X_OK) == 0;
}

char *
folder_for_models(void)
{
	const char *list = getenv("NPU_MODEL_PATH");
	char *path;

	while ((path = next_folder(&list)) != NULL) {
		if (is_writable(path))
			return path;
		free(path);
	}
	if ((path = cmd_user_models()) == NULL)
		cmd_die("no folder for models: NPU_MODEL_PATH has none that "
		    "can be written, and HOME is not set; name one with -o");
	return path;
}

void
folder_make(const char *path)
{
	char *part = cmd_copy(path);
	struct stat st;

	for (char *p = part + 1; p[-1] != '\0'; p++) {
		if (*p != '/' && *p != '\0')
			continue;
		const char end = *p;

		*p = '\0';
		if (mkdir(part, 0777) < 0 && errno != EEXIST &&
		    stat(part, &st) < 0)
			cmd_die("%s: cannot make the folder: %s; name another "
			    "with -o, or set NPU_MODEL_PATH", part,
			    strerror(errno));
		*p = end;
		if (end == '\0')
			break;
	}
	if (stat(path, &st) < 0 || !S_ISDIR(st.st_mode))
		cmd_die("%s: not a folder; name another with -o, or set "
		    "NPU_MODEL_PATH", path);
	free(part);
}
