// SPDX-License-Identifier: Apache-2.0
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "model/twin.h"

#define MAX_CFG ((size_t)1 << 20)	/* bytes; files on the hub have 2 KB */

/* A model's location.  Links are resolved: for /proc/self/fd/N, the names that
 * our own client uses, the location is where the file is stored. */
struct twin_location {
	char folder[PATH_MAX];
	char stem[NAME_MAX + 1];	/* the model's name without .cix */
};

static bool
find_location(const char *path, struct twin_location *p)
{
	char real[PATH_MAX], *slash;
	size_t n;

	if (path == NULL || realpath(path, real) == NULL ||
	    (slash = strrchr(real, '/')) == NULL)
		return false;
	snprintf(p->stem, sizeof(p->stem), "%s", slash + 1);
	n = strlen(p->stem);
	if (n > 4 && strcmp(p->stem + n - 4, ".cix") == 0)
		p->stem[n - 4] = '\0';
	*slash = '\0';
	snprintf(p->folder, sizeof(p->folder), "%s", real);
	return true;
}

static int
copy_path(const char *path, char **file, struct npu_err *err)
{
	if ((*file = strdup(path)) == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	return 1;
}

/* ---- NPU_TWIN --------------------------------------------------------- */

/* Finds STEM=FILE in list, whose items are separated by colons.  Returns 1, 0
 * if list has no such item, or fails as copy_path() does. */
static int
find_pair(const char *list, const char *stem, char **file,
    struct npu_err *err)
{
	size_t n = strlen(stem);

	for (const char *s = list; *s != '\0'; s += *s == ':') {
		size_t len = strcspn(s, ":");

		if (len > n && s[n] == '=' && memcmp(s, stem, n) == 0) {
			*file = strndup(s + n + 1, len - n - 1);
			return *file != NULL ? 1 :
			    npu_fail(err, NPU_ESYSTEM, "out of memory");
		}
		s += len;
	}
	return 0;
}

int
twin_named(const char *path, char **file, struct npu_err *err)
{
	const char *twin = getenv("NPU_TWIN");
	struct twin_location p;

	if (twin == NULL || *twin == '\0')
		return 0;
	if (access(twin, F_OK) == 0)
		return copy_path(twin, file, err);
	if (strchr(twin, '=') == NULL)
		return npu_fail(err, NPU_ESYSTEM, "NPU_TWIN=%s: no "
		    "such file; NPU_TWIN is an ONNX file, or STEM=FILE pairs "
		    "with colons between them", twin);
	if (!find_location(path, &p))
		return 0;
	return find_pair(twin, p.stem, file, err);
}

/* ---- Around the model ------------------------------------------------- */

/* Returns whether path exists and is not a regular file.  The user did not name
 * this path, and opening a FIFO would wait forever for a writer. */
static bool
is_irregular(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

static int
regular_twin(const char *path, char **file, struct npu_err *err)
{
	if (!is_irregular(path))
		return copy_path(path, file, err);
	npu_fail(err, NPU_EFORMAT, "not a regular file");
	return npu_prefix(err, NPU_EFORMAT, "its twin %s", path);
}

/* Returns the value of "key = value" in line, or NULL.  Modifies line. */
static char *
value_of(char *line, const char *key)
{
	size_t n = strlen(key);
	char *end;

	line += strspn(line, " \t");
	if (strncmp(line, key, n) != 0)
		return NULL;
	line += n;
	line += strspn(line, " \t");
	if (*line != '=')
		return NULL;
	line++;
	line += strspn(line, " \t\"'");
	end = line + strcspn(line, "\"'#;\r");
	while (end > line && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	*end = '\0';
	return *line != '\0' ? line : NULL;
}

/* Returns whether the error means that the file, or its folder, does not
 * exist. */
static bool
is_absent(int error)
{
	return error == ENOENT || error == ENOTDIR || error == ENAMETOOLONG;
}

/* Returns 1 if path exists and can be read, or 0 if it does not exist. */
static int
is_there(const char *path, struct npu_err *err)
{
	if (access(path, R_OK) == 0)
		return 1;
	if (is_absent(errno))
		return 0;
	return npu_fail(err, NPU_ESYSTEM, "%s, which would be the model's "
	    "twin: %s", path, strerror(errno));
}

/* A build configuration of the model hub: the model that it compiles, and the
 * name of its output. */
struct cfg {
	char model[PATH_MAX];	/* an ONNX file that exists, or "" */
	bool makes_model;	/* outputs = STEM.cix */
};

static bool
ends_in(const char *name, const char *end)
{
	size_t n = strlen(name), len = strlen(end);

	return n > len && strcmp(name + n - len, end) == 0;
}

/* Finds a model whose name is relative to the model's folder (as on the hub) or
 * to cfg/. */
static int
resolve_model(const char *name, const struct twin_location *p, struct cfg *c,
    struct npu_err *err)
{
	static const char *const bases[] = { "%s/%s", "%s/cfg/%s" };
	int there = 0;

	if (c->model[0] != '\0' || !ends_in(name, ".onnx"))
		return 0;
	if (name[0] == '/') {
		snprintf(c->model, sizeof(c->model), "%s", name);
		there = is_there(c->model, err);
	}
	for (size_t i = 0; i < 2 && there == 0; i++) {
		if ((size_t)snprintf(c->model, sizeof(c->model), bases[i],
		    p->folder, name) < sizeof(c->model))
			there = is_there(c->model, err);
	}
	if (there <= 0)
		c->model[0] = '\0';
	return there;
}

static bool
names_stem(const char *output, const struct twin_location *p)
{
	const char *slash = strrchr(output, '/');
	size_t n = strlen(p->stem);

	output = slash != NULL ? slash + 1 : output;
	return strncmp(output, p->stem, n) == 0 &&
	    (output[n] == '\0' || strcmp(output + n, ".cix") == 0);
}

static int
read_cfg(const char *path, const struct twin_location *p, struct cfg *c,
    struct npu_err *err)
{
	struct buf text = { 0 };
	char *save = NULL, *v;
	int rc;

	memset(c, 0, sizeof(*c));
	if (is_irregular(path))
		return 0;
	if ((rc = file_load(path, MAX_CFG, &text, err)) < 0)
		/* So large a file is not a configuration. */
		return rc == NPU_ESYSTEM ? npu_prefix(err, rc, "%s", path) : 0;
	buf_add(&text, "", 1);
	for (char *s = text.failed ? NULL : strtok_r(text.p, "\n", &save);
	    s != NULL && rc >= 0; s = strtok_r(NULL, "\n", &save)) {
		if ((v = value_of(s, "input_model")) != NULL)
			rc = resolve_model(v, p, c, err);
		else if ((v = value_of(s, "outputs")) != NULL)
			c->makes_model = names_stem(v, p);
	}
	buf_free(&text);
	return rc < 0 ? rc : 0;
}

/* Selects names like *.cfg and *.onnx in a shell, without hidden files. */
static int
is_cfg_name(const struct dirent *d)
{
	return d->d_name[0] != '.' && ends_in(d->d_name, ".cfg");
}

static int
is_onnx_name(const struct dirent *d)
{
	return d->d_name[0] != '.' && ends_in(d->d_name, ".onnx");
}

/* Compares bytes, as the order must not depend on the locale. */
static int
by_bytes(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/*
 * Lists the names in a folder next to the model.  Does not use glob(), because
 * the folder's own name would be part of the pattern: v[1] would match its
 * sibling v1.
 */
static int
list_names(const struct twin_location *p, const char *folder,
    int (*keep)(const struct dirent *), struct dirent ***names,
    struct npu_err *err)
{
	char path[PATH_MAX + 16];
	int n;

	*names = NULL;
	snprintf(path, sizeof(path), "%s/%s", p->folder, folder);
	n = scandir(path, names, keep, by_bytes);
	if (n < 0 && is_absent(errno))
		return 0;
	if (n < 0)
		return npu_fail(err, NPU_ESYSTEM, "%s, where the model's twin "
		    "may be: %s", path, strerror(errno));
	return n;
}

static void
free_list(struct dirent **names, int n)
{
	for (int i = 0; i < n; i++)
		free(names[i]);
	free(names);
}

/* Finds the model that all configurations name, or the model of the
 * configuration that makes STEM.cix.  *many: set if they name several. */
static int
read_configurations(const struct twin_location *p, char *model, bool *many,
    struct npu_err *err)
{
	char path[PATH_MAX + NAME_MAX + 16];
	struct dirent **names;
	int n = list_names(p, "cfg", is_cfg_name, &names, err), rc = n;
	struct cfg c;

	*model = '\0';
	*many = false;
	for (int i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%s/cfg/%s", p->folder,
		    names[i]->d_name);
		if ((rc = read_cfg(path, p, &c, err)) < 0)
			break;
		if (c.model[0] == '\0')
			continue;
		if (*model != '\0' && strcmp(model, c.model) != 0)
			*many = true;
		strcpy(model, c.model);
		if (c.makes_model) {
			*many = false;
			break;
		}
	}
	free_list(names, n);
	return rc;
}

/* Finds the only file model/ *.onnx.  *many: set if there are several. */
static int
find_only_onnx(const struct twin_location *p, char *model, bool *many,
    struct npu_err *err)
{
	char path[PATH_MAX + NAME_MAX + 16];
	struct dirent **names;
	int n = list_names(p, "model", is_onnx_name, &names, err);

	*model = '\0';
	*many = n > 1;
	if (n == 1 && (size_t)snprintf(path, sizeof(path), "%s/model/%s",
	    p->folder, names[0]->d_name) < PATH_MAX)
		strcpy(model, path);
	free_list(names, n);
	return n;
}

int
twin_around(const char *path, char **file, struct npu_err *err)
{
	char model[PATH_MAX + NAME_MAX + 8];
	bool many_cfg, many_onnx;
	struct twin_location p;
	int rc;

	if (!find_location(path, &p))
		return npu_fail(err, NPU_EUSAGE, "the emulator computes with "
		    "the ONNX model that a model was compiled from, its twin, "
		    "and this one has none in it and no name to seek it by; "
		    "set NPU_TWIN=FILE.onnx");
	snprintf(model, sizeof(model), "%s/%s.onnx", p.folder, p.stem);
	if ((rc = is_there(model, err)) < 0)
		return rc;
	if (rc > 0)
		return regular_twin(model, file, err);
	if ((rc = read_configurations(&p, model, &many_cfg, err)) < 0)
		return rc;
	if (*model != '\0' && !many_cfg)
		return regular_twin(model, file, err);
	if ((rc = find_only_onnx(&p, model, &many_onnx, err)) < 0)
		return rc;
	if (*model != '\0' && !many_cfg)
		return regular_twin(model, file, err);
	return npu_fail(err, NPU_EUSAGE, "the emulator computes with the "
	    "ONNX model that a model was compiled from, its twin, and found "
	    "none: not in the file, no %s/%s.onnx, %s cfg/*.cfg there, %s "
	    "model/*.onnx; set NPU_TWIN=FILE.onnx", p.folder, p.stem,
	    many_cfg ? "several named by" : "none named by",
	    many_onnx ? "several" : "no");
}
