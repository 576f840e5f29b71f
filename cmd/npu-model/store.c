// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd.h"
#include "content.h"
#include "store.h"

void
store_open(struct store *s)
{
	struct npu_err err;

	folders_open(&s->folders);
	s->record = cmd_alloc((s->folders.n + 1) * sizeof(*s->record));
	for (size_t i = 0; i < s->folders.n; i++)
		if (record_read(&s->record[i], s->folders.path[i], &err) < 0)
			cmd_warn("%s", err.msg);
}

void
store_close(struct store *s)
{
	for (size_t i = 0; i < s->folders.n; i++)
		record_free(&s->record[i]);
	free(s->record);
	folders_close(&s->folders);
}

void
store_find(const struct store *s, const char *file, struct stored *found)
{
	char *path;

	*found = (struct stored){ 0 };
	for (size_t i = 0; i < s->folders.n && found->path == NULL; i++) {
		path = folder_join(s->folders.path[i], file);
		if (access(path, F_OK) == 0)
			*found = (struct stored){ path, s->folders.path[i],
			    &s->record[i], record_find(&s->record[i], file) };
		else
			free(path);
	}
}

bool
store_is_unchanged(const char *path, const struct record_entry *e)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
	    (uint64_t)st.st_size == e->size &&
	    (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec ==
	    e->modified_ns;
}

/* Returns what a file is that get did not bring, or that was changed. */
static const char *
state_by_content(const struct stored *found, const char *otherwise)
{
	int fd = open(found->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	const char *state = otherwise;
	struct content c;

	if (fd < 0)
		return "unreadable";
	if (content_look_file(&c, found->path, fd, NULL) == 0 &&
	    !content_is_good(&c))
		state = content_kind_name(c.kind);
	close(fd);
	return state;
}

/* Returns the state of a folder, by the files that get brought into it. */
static const char *
folder_state(const struct stored *found, const char *file)
{
	const char *state = "unchecked";
	const size_t n = strlen(file);
	char *path;
	bool same;

	for (size_t i = 0; i < found->record->n; i++) {
		const struct record_entry *e = &found->record->entry[i];

		if (strncmp(e->file, file, n) != 0)
			continue;
		path = folder_join(found->folder, e->file);
		same = store_is_unchanged(path, e);
		free(path);
		if (!same)
			return "changed";
		state = "good";
	}
	return state;
}

const char *
store_state(const struct stored *found, const char *file)
{
	if (found->path == NULL)
		return "no";
	if (file[strlen(file) - 1] == '/')
		return folder_state(found, file);
	if (found->entry == NULL)
		return state_by_content(found, "unchecked");
	if (store_is_unchanged(found->path, found->entry))
		return "good";
	return state_by_content(found, "changed");
}

const char *
store_file_of(const struct model_catalogue *c, const char *name)
{
	const struct model *m = catalogue_find(c, name);

	return m != NULL ? m->file : name;
}
