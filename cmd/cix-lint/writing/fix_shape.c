// SPDX-License-Identifier: Apache-2.0
/* fix_shape.c - writes a copy of a model with fixed sizes. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cix-lint/actions.h"
#include "cmd.h"
#include "model/onnx.h"
#include "model/onnx_model.h"
#include "model/shape_edits.h"
#include "model_bytes.h"

enum { PIECE = 4 << 20 };	/* bytes that are written at a time */

/* A model whose sizes are fixed. */
struct sizes_fix {
	const char *path, *output;
	struct model_bytes bytes;
	struct onnx_model model;
	struct size_choices sizes;
	struct shape_edits edits;
};

static _Noreturn void
refuse(const struct sizes_fix *f, const struct npu_err *err)
{
	if (err->code == NPU_EUSAGE)
		cmd_usage("%s: %s", cmd_input_name(f->path), err->msg);
	cmd_die_err(cmd_input_name(f->path), err);
}

static void
read_model(struct sizes_fix *f)
{
	int fd = cmd_open_input(f->path);
	struct npu_err err;

	if (model_bytes_open(&f->bytes, fd, &err) < 0)
		refuse(f, &err);
	if (!onnx_begins(f->bytes.file))
		cmd_die("%s: not an ONNX model; 'cix-lint %s' says what is "
		    "wrong, and a configuration names its model",
		    cmd_input_name(f->path), cmd_input_name(f->path));
	if (onnx_model_read(&f->model, f->bytes.file, &err) < 0)
		refuse(f, &err);
	if (fd != STDIN_FILENO)
		close(fd);
}

/* ---- Weights in other files --------------------------------------------- */

/* Returns the folder of a file, for the caller to free. */
static char *
folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (slash == NULL)
		return cmd_copy(".");
	return cmd_text("%.*s", slash == path ? 1 : (int)(slash - path),
	    path);
}

static bool
same_folder(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev &&
	    x.st_ino == y.st_ino;
}

/* Makes the files with weights inputs, which the output must not replace.  The
 * model names them relative to its folder: notes if the copy is in another. */
static void
note_weights(const struct sizes_fix *f)
{
	const struct onnx_model *m = &f->model;
	char *from = folder_of(f->path), *to = folder_of(f->output), *name;

	for (size_t i = 0; i < m->n_files; i++) {
		name = cmd_text("%s/%.*s", from, (int)m->file[i].n,
		    (const char *)m->file[i].p);
		cmd_note_input_path(name);
		free(name);
	}
	if (m->n_files > 0 && (cmd_is_dash(f->path) ||
	    cmd_is_dash(f->output) || !same_folder(from, to)))
		cmd_note("%s: has weights in other files, such as '%.*s': "
		    "copy them to the folder of the new model",
		    cmd_input_name(f->path), (int)m->file[0].n,
		    (const char *)m->file[0].p);
	free(from);
	free(to);
}

/* ---- The copy ----------------------------------------------------------- */

/* Writes the model's bytes from at to end.  Drops the pages of a mapping that
 * were written: a large model does not take memory.  Returns false if a signal
 * stopped a write. */
static bool
write_piece(const struct sizes_fix *f, struct output *out, uint64_t at,
    uint64_t end)
{
	struct bytes file = f->bytes.file;
	bool more = true;

	for (uint64_t n; at < end && more; at += n) {
		n = end - at < PIECE ? end - at : PIECE;
		more = cmd_write(out, file.p + at, n);
		if (f->bytes.map != NULL && n == PIECE)
			madvise(f->bytes.map, file.n, MADV_DONTNEED);
	}
	return more;
}

static void
write_copy(const struct sizes_fix *f)
{
	struct bytes file = f->bytes.file;
	const struct shape_edit *edit;
	struct output out;
	uint64_t at = 0;

	cmd_open_output(&out, f->output, true);
	cmd_abandon_output_on_exit(&out);
	for (size_t i = 0; (edit = shape_edits_get(&f->edits, i)) != NULL;
	    i++) {
		if (edit->at < at || edit->at > file.n ||
		    edit->removed > file.n - edit->at)
			cmd_die("%s: changed while it was read",
			    cmd_input_name(f->path));
		if (!write_piece(f, &out, at, edit->at) ||
		    !cmd_write(&out, edit->bytes, edit->n))
			break;
		at = edit->at + edit->removed;
	}
	write_piece(f, &out, at, file.n);
	cmd_on_exit(NULL, NULL);
	cmd_close_output(&out);
}

static void
note_open(const struct sizes_fix *f)
{
	const struct onnx_ports *p = &f->model.ports;
	struct buf text = { 0 };

	open_dimensions(&text, p->in, p->n_in);
	cmd_check_buf(&text);
	if (text.n > 0)
		cmd_note("%s: still open: %.*s", cmd_input_name(f->path),
		    (int)text.n, text.p);
	buf_free(&text);
}

int
fix_shapes(const char *model, const struct npu_dim *dims, size_t n,
    const char *output)
{
	const struct chosen_sizes chosen = { dims, n, "--fix-shape" };
	struct sizes_fix f = { .path = model, .output = output };
	struct npu_err err;

	read_model(&f);
	if (size_choices_resolve(&f.sizes, &f.model.ports, &chosen,
	    &err) < 0 ||
	    shape_edits_find(&f.edits, f.bytes.file, &f.sizes, &err) < 0)
		refuse(&f, &err);
	note_weights(&f);
	write_copy(&f);
	note_open(&f);
	size_choices_free(&f.sizes);
	shape_edits_free(&f.edits);
	onnx_model_free(&f.model);
	model_bytes_close(&f.bytes);
	return EXIT_DONE;
}
