// SPDX-License-Identifier: Apache-2.0
/*
 * operands.c - visits an operand of npu-info: a model, or a folder of models.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "cmd.h"
#include "info.h"

static int
is_model(const struct dirent *e)
{
	size_t n = strlen(e->d_name);

	return e->d_name[0] != '.' && n > 4 &&
	    strcmp(e->d_name + n - 4, ".cix") == 0;
}

static int
by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* Opening a pipe would wait for its writer, and a pipe is not a model. */
static bool
visit_entry(const struct info_visitor *v, const char *path)
{
	struct npu_err err;
	struct stat st;

	if (stat(path, &st) < 0 || S_ISREG(st.st_mode) ||
	    S_ISDIR(st.st_mode))
		return v->model(v->arg, path);
	npu_fail_detail(&err, NPU_ESYSTEM, EINVAL, "it is not a file");
	v->empty(v->arg, path, &err);
	return false;
}

static bool
visit_folder(const struct info_visitor *v, const char *name)
{
	struct dirent **found = NULL;
	struct npu_err err;
	bool good = true;
	char *path;
	int n = scandir(name, &found, is_model, by_name);

	if (n <= 0) {
		npu_fail_detail(&err, NPU_ESYSTEM, n < 0 ? errno : ENOENT,
		    "%s", n < 0 ? strerror(errno) : "the folder has no file "
		    "that ends in .cix");
		v->empty(v->arg, name, &err);
		good = false;
	}
	for (int i = 0; i < n; i++) {
		path = cmd_text("%s%s%s", name,
		    name[strlen(name) - 1] == '/' ? "" : "/",
		    found[i]->d_name);
		good &= visit_entry(v, path);
		free(path);
		free(found[i]);
	}
	free(found);
	return good;
}

bool
info_visit(const struct info_visitor *v, const char *name)
{
	struct stat st;

	if (*name != '\0' && strcmp(name, "-") != 0 && stat(name, &st) == 0 &&
	    S_ISDIR(st.st_mode))
		return visit_folder(v, name);
	return v->model(v->arg, name);
}
