// SPDX-License-Identifier: Apache-2.0
/* weight_files.c - checks the files that have the weights of the model. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd.h"
#include "model/foreign.h"
#include "model/names.h"
#include "model/onnx.h"
#include "model/onnx_numbers.h"
#include "model/onnx_tensor.h"
#include "model_file.h"
#include "other_files.h"

/* Field numbers of onnx.proto. */
enum {
	MODEL_GRAPH = 7, GRAPH_INITIALIZER = 5, SPARSE_VALUES = 1,
	SPARSE_INDICES = 2,
};

/* What the model has in one file. */
struct weight_file {
	struct bytes name;
	uint64_t tensors;
	uint64_t end;		/* bytes that the file must have */
	struct bytes last;	/* the tensor that ends there */
};

struct weight_files {
	struct weight_file *list;	/* by name */
	size_t n;
};

/* ---- What the model needs ------------------------------------------------ */

static int
by_name(const void *a, const void *b)
{
	return bytes_compare(((const struct weight_file *)a)->name,
	    ((const struct weight_file *)b)->name);
}

/* Returns the byte after the tensor's last byte.  A tensor whose elements are
 * not numbers of ours begins at 0, or later. */
static uint64_t
end_of(const struct onnx_tensor *t, struct bytes tensor)
{
	struct onnx_numbers r;
	uint64_t end;

	if (onnx_numbers_begin(&r, tensor, NULL) < 0)
		return t->bytes;
	if (__builtin_add_overflow(r.offset, r.length > t->bytes ? r.length :
	    t->bytes, &end))
		return UINT64_MAX;
	return end;
}

static void
add_tensor(struct weight_files *files, struct bytes tensor)
{
	struct weight_file key = { .tensors = 0 }, *file;
	struct onnx_tensor t;
	uint64_t end;

	if (onnx_tensor_read(&t, tensor, NULL) < 0 || !t.external)
		return;
	key.name = t.file;
	file = bsearch(&key, files->list, files->n, sizeof(key), by_name);
	if (file == NULL)
		return;
	file->tensors++;
	if ((end = end_of(&t, tensor)) >= file->end) {
		file->end = end;
		file->last = t.name;
	}
}

static int
visit(void *arg, enum onnx_message in, unsigned depth,
    const struct pb_field *f, struct npu_err *err)
{
	(void)depth;
	(void)err;
	if (in == ONNX_MODEL && f->number != MODEL_GRAPH)
		return ONNX_SKIP;
	if (f->wire == PB_LENGTH && ((in == ONNX_GRAPH &&
	    f->number == GRAPH_INITIALIZER) || (in == ONNX_SPARSE &&
	    (f->number == SPARSE_VALUES || f->number == SPARSE_INDICES)))) {
		add_tensor(arg, f->data);
		return ONNX_SKIP;
	}
	return 0;
}

/* ---- The files ----------------------------------------------------------- */

static bool
is_lfs_pointer(const char *path)
{
	char start[64];
	int fd = cmd_try_open_file(path);
	int64_t n;

	if (fd < 0)
		return false;
	n = cmd_try_read(fd, start, sizeof(start));
	close(fd);
	return n > 0 && foreign_is_lfs_pointer((struct bytes){
	    (const uint8_t *)start, (size_t)n });
}

static char *
path_beside(const struct lint *l, const char *name)
{
	const char *slash = strrchr(l->model_path, '/');

	return slash == NULL ? cmd_copy(name) : cmd_text("%.*s%s",
	    (int)(slash - l->model_path + 1), l->model_path, name);
}

/* Adds an error about the file. */
static void
add_error(struct lint *l, const char *name, char *message, const char *fix)
{
	findings_add(&l->findings, RULE_EXTERNAL_DATA, LEVEL_ERROR, 0,
	    cmd_copy(name), message, cmd_copy(fix));
}

static void
report_short(struct lint *l, const struct weight_file *file, const char *name,
    const char *path, uint64_t size)
{
	char last[80];

	names_copy(last, sizeof(last), file->last);
	if (is_lfs_pointer(path))
		add_error(l, name, cmd_text("a Git LFS pointer, not the "
		    "weights (gate: parser)"), "fetch the file: git lfs pull");
	else
		add_error(l, name, cmd_text("the file with weights has %"
		    PRIu64 " bytes, and the weights '%s' end at byte %" PRIu64
		    " (gate: parser)", size, last, file->end),
		    "copy the file again, whole");
}

static void
check_file(struct lint *l, const struct weight_file *file, const char *name)
{
	char *path = path_beside(l, name);
	struct stat st;

	if (other_files_leaves(name))
		add_error(l, name, cmd_text("the weights are outside of the "
		    "model's folder, where the parser does not read them "
		    "(gate: parser)"), "save the model again, with its "
		    "weights beside the model");
	else if (stat(path, &st) < 0 || !S_ISREG(st.st_mode))
		add_error(l, name, cmd_text("the file with %" PRIu64 " of the "
		    "model's weights is absent (gate: parser)",
		    file->tensors), "copy the file to the model's folder");
	else if ((uint64_t)st.st_size < file->end)
		report_short(l, file, name, path, (uint64_t)st.st_size);
	free(path);
}

/* A name with NUL cannot be a file's. */
static void
check_named(struct lint *l, const struct weight_file *file)
{
	char *name = cmd_text("%.*s", (int)file->name.n,
	    (const char *)file->name.p);

	if (strlen(name) == file->name.n)
		check_file(l, file, name);
	else
		add_error(l, name, cmd_text("the name of the file with "
		    "weights has a NUL (gate: parser)"),
		    "export the model again");
	free(name);
}

void
check_weight_files(struct lint *l)
{
	size_t n = l->model.n_files, before = l->findings.n, i;
	struct weight_files files = { .n = n };
	struct npu_err err;

	if (n == 0 || strcmp(l->model_path, "-") == 0)
		return;
	files.list = cmd_alloc(n * sizeof(*files.list));
	for (i = 0; i < n; i++)
		files.list[i].name = l->model.file[i];
	if (onnx_walk(l->bytes.file, visit, &files, &err) < 0)
		cmd_die("%s: %s", l->model_path, err.msg);
	for (i = 0; i < n && l->findings.n - before < MOST_FILES; i++)
		check_named(l, &files.list[i]);
	if (i < n)
		findings_add(&l->findings, RULE_EXTERNAL_DATA, LEVEL_ERROR, 0,
		    NULL, cmd_text("%zu more files with weights are not "
		    "checked (gate: parser)", n - i), NULL);
	free(files.list);
}
