// SPDX-License-Identifier: Apache-2.0
/* path.c - npu-model path: where a model's file is. */
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "options.h"
#include "relative.h"
#include "store.h"

/* Dies: the file of a name is in none of the folders. */
static _Noreturn void
not_here(const struct store *s, const char *name, const char *file,
    bool is_known)
{
	struct buf where = { 0 };

	for (size_t i = 0; i < s->folders.n; i++)
		buf_printf(&where, "%s%s", i > 0 ? ", " : "",
		    s->folders.path[i]);
	buf_add(&where, "", 1);
	cmd_check_buf(&where);
	if (is_known)
		cmd_die("%s: %s is not in %s; npu-model get %s brings it",
		    name, file, where.p, name);
	cmd_die("%s: no model is called that, and no such file is in %s; "
	    "npu-model list shows the names", cmd_visible_name(name),
	    where.p);
}

int
path_main(const struct model_options *o)
{
	const char *name = o->operands[0], *file;
	struct model_catalogue all;
	struct output out;
	struct stored found = { 0 };
	struct store s;

	catalogue_open(&all);
	store_open(&s);
	file = store_file_of(&all, name);
	/* A folder of the table ends with '/'. */
	if (catalogue_find(&all, name) != NULL ||
	    relative_fault(file, strlen(file)) == NULL)
		store_find(&s, file, &found);
	if (found.path == NULL)
		not_here(&s, name, file, catalogue_find(&all, name) != NULL);
	cmd_open_output(&out, NULL, false);
	cmd_write(&out, found.path, strlen(found.path));
	cmd_write(&out, "\n", 1);
	cmd_close_output(&out);
	free(found.path);
	store_close(&s);
	catalogue_free(&all);
	return EXIT_DONE;
}
