// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/installed.h"
#include "cmd.h"
#include "origin.h"

#define MODELS "share/npu-utils/models"
#define USER_MODELS "npu-utils/models"

/* Returns "TREE" if this program runs as TREE/bin/NAME; NULL if unknown. */
static char *
own_tree(void)
{
	char *path = cmd_alloc(PATH_MAX);
	ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);
	int up = 2;

	while (n > 0 && up > 0)
		up -= path[--n] == '/';
	if (up > 0) {
		free(path);
		return NULL;
	}
	path[n] = '\0';
	return path;
}

static char *
join(const char *dir, size_t len, const char *name)
{
	return cmd_text("%.*s/%s", (int)len, dir, name);
}

/*
 * Returns path if the file exists; else frees it and returns NULL with errno.
 */
static char *
existing(char *path)
{
	int saved;

	if (access(path, F_OK) == 0)
		return path;
	saved = errno;
	free(path);
	errno = saved;
	return NULL;
}

/* True if errno means that the file does not exist.  False if this is unknown:
 * a loop of links, or a folder that may not be read. */
static bool
is_absent(void)
{
	return errno == ENOENT || errno == ENOTDIR;
}

char *
cmd_data_path(const char *relative)
{
	const char *prefix = installed_prefix();
	char *tree = own_tree(), *path = NULL;

	if (tree != NULL)
		path = existing(join(tree, strlen(tree), relative));
	free(tree);
	if (path == NULL)
		path = existing(join(prefix, strlen(prefix), relative));
	return path;
}

bool
cmd_own_root(const char *path)
{
	return path[strspn(path, "/")] == '\0';
}

int
cmd_try_root(const char **path, struct npu_err *err)
{
	struct stat st;

	if (cmd_own_root(*path)) {
		*path = "";
		return 0;
	}
	if (stat(*path, &st) == 0) {
		errno = ENOTDIR;
		if (S_ISDIR(st.st_mode) && access(*path, R_OK | X_OK) == 0)
			return 0;
	}
	return npu_fail(err, NPU_ESYSTEM, "--root: %s: %s", *path,
	    strerror(errno));
}

const char *
cmd_root(const char *path)
{
	struct npu_err err;

	if (cmd_try_root(&path, &err) < 0)
		cmd_die("%s", err.msg);
	return path;
}

/* Searches the folders of NPU_MODEL_PATH; adds those without the model to the
 * list for the message. */
static char *
in_model_path(const char *name, struct buf *tried)
{
	const char *p = getenv("NPU_MODEL_PATH"), *why;
	char *path;
	size_t n;

	for (; p != NULL; p = p[n] == ':' ? p + n + 1 : NULL) {
		n = strcspn(p, ":");
		if (n == 0)
			continue;
		if ((path = existing(join(p, n, name))) != NULL)
			return path;
		why = is_absent() ? NULL : strerror(errno);
		buf_printf(tried, ", %.*s", (int)n, p);
		if (why != NULL)
			buf_printf(tried, " (%s)", why);
	}
	return NULL;
}

char *
cmd_user_models(void)
{
	const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");

	if (data != NULL && *data == '/')
		return join(data, strlen(data), USER_MODELS);
	if (home != NULL && *home == '/')
		return join(home, strlen(home), ".local/share/" USER_MODELS);
	return NULL;
}

/* Searches the user's own folder, which often does not exist: then it is not in
 * the list for the message. */
static char *
in_user_models(const char *name, struct buf *tried)
{
	char *folder = cmd_user_models(), *path = NULL;

	if (folder != NULL && access(folder, F_OK) == 0) {
		path = existing(join(folder, strlen(folder), name));
		if (path == NULL)
			buf_printf(tried, ", %s", folder);
	}
	free(folder);
	return path;
}

char *
cmd_find_model(const char *name, struct npu_err *err)
{
	struct buf tried = { 0 };
	char *path, *relative;

	if (*name == '\0') {
		npu_fail(err, NPU_EUSAGE, "the name of a model is empty");
		return NULL;
	}
	/* A file that cannot be checked counts as found: opening it reports
	 * why. */
	if (strchr(name, '/') != NULL || access(name, F_OK) == 0 ||
	    !is_absent()) {
		cmd_note_input_path(name);
		return cmd_copy(name);
	}
	path = in_model_path(name, &tried);
	if (path == NULL)
		path = in_user_models(name, &tried);
	if (path == NULL) {
		relative = join(MODELS, strlen(MODELS), name);
		path = cmd_data_path(relative);
		free(relative);
		if (path != NULL)
			origin_demo_model(path);
	}
	buf_add(&tried, "", 1);
	cmd_check_buf(&tried);
	if (path == NULL)
		npu_fail_detail(err, NPU_ESYSTEM, ENOENT, "no such model in "
		    "the working directory%s, nor among the installed ones; "
		    "give its %s or set NPU_MODEL_PATH", tried.p,
		    strrchr(name, '.') != NULL ? "path" : "whole name, as "
		    "in yolov8n.cix,");
	buf_free(&tried);
	if (path != NULL)
		cmd_note_input_path(path);
	return path;
}

char *
cmd_model_path(const char *name)
{
	struct npu_err err;
	char *path = cmd_find_model(name, &err);

	if (path == NULL)
		cmd_die_err(cmd_visible_name(name), &err);
	/* If cmd_model_to_open() found the path, it is noted there. */
	if (strcmp(path, name) != 0)
		origin_print();
	return path;
}
