// SPDX-License-Identifier: Apache-2.0
/* info_folder.c - an operand of npu-info: a model, or a folder of them. */
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

/* A pipe that lies there would be waited for, and has no model in it. */
static bool
one_of_folder(const struct info_each *e, const char *path)
{
	struct npu_err err;
	struct stat st;

	if (stat(path, &st) < 0 || S_ISREG(st.st_mode) ||
	    S_ISDIR(st.st_mode))
		return e->one(e->arg, path);
	npu_fail_detail(&err, NPU_ESYSTEM, EINVAL, "it is no file");
	e->none(e->arg, path, &err);
	return false;
}

static bool
each_of_folder(const struct info_each *e, const char *name)
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
		e->none(e->arg, name, &err);
		good = false;
	}
	for (int i = 0; i < n; i++) {
		path = cmd_text("%s%s%s", name,
		    name[strlen(name) - 1] == '/' ? "" : "/",
		    found[i]->d_name);
		good &= one_of_folder(e, path);
		free(path);
		free(found[i]);
	}
	free(found);
	return good;
}

bool
info_operand(const struct info_each *each, const char *name)
{
	struct stat st;

	if (*name != '\0' && strcmp(name, "-") != 0 && stat(name, &st) == 0 &&
	    S_ISDIR(st.st_mode))
		return each_of_folder(each, name);
	return each->one(each->arg, name);
}
