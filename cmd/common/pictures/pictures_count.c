// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd.h"
#include "pictures.h"

/*
 * Counts the pictures that these names, each a picture or a folder, stand for.
 */
static uint64_t
count_named(const struct pictures *p, char *const *names)
{
	struct pictures all = { .recursive = p->recursive,
	    .tree.written = p->tree.written, .operands = names, .fd = -1 };
	struct picture_item item;
	uint64_t n = 0;

	while (pictures_next(&all, &item))
		n++;
	pictures_close(&all);
	return n;
}

/*
 * Counts the names in a list.  Errors of the list are reported when it is used.
 */
static uint64_t
count_listed(const struct pictures *p)
{
	char *name[2] = { NULL, NULL }, *line;
	struct lines list;
	uint64_t count = 0;
	size_t n;
	int fd = cmd_try_open_input(p->files_from);

	if (fd < 0)
		return 0;
	lines_open(&list, fd, p->files_from, p->null ? '\0' : '\n',
	    p->list.limit);
	while (lines_next_name(&list, &line, &n)) {
		if ((name[0] = strndup(line, n)) == NULL)
			cmd_die("out of memory");
		pictures_trim_cr(&list, name[0]);
		count += name[0][0] != '\0' ? count_named(p, name) : 0;
		free(name[0]);
	}
	list.err.code = 0;
	lines_close(&list);
	return count;
}

static bool
is_regular(const char *path)
{
	struct stat st;

	return !cmd_is_dash(path) && stat(path, &st) == 0 &&
	    S_ISREG(st.st_mode);
}

uint64_t
pictures_count(const struct pictures *p)
{
	if (p->streams || (p->files_from != NULL && !is_regular(p->files_from)))
		return 0;
	return (p->lone ? 1 : count_named(p, p->operands)) +
	    (p->files_from != NULL ? count_listed(p) : 0);
}
