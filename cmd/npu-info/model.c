// SPDX-License-Identifier: Apache-2.0
/* model.c - describes a model file as text, fields or JSON. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/num.h"
#include "cmd.h"
#include "host/host.h"
#include "info.h"
#include "layout.h"
#include "model/cix.h"
#include "model/onnx.h"
#include "model/shapes/macs.h"
#include "model_bytes.h"
#include "onnx.h"
#include "origin.h"
#include "tensor/tensor.h"
#include "tensors/describe.h"

/* Makes a name printable.  Names may contain anything that the file and the
 * file system allow; TABs are also replaced. */
static void
put_name(struct buf *t, const char *s)
{
	size_t begin = t->n;

	buf_puts(t, s);
	if (!t->failed)
		cmd_printable(t->p + begin, t->n - begin);
}

static const char *
layout(const struct cix_tensor *ct)
{
	const uint32_t *dim = ct->desc.dim;

	return ct->kind == CIX_INPUT && ct->desc.ndim == 4 ?
	    picture_layout(dim[1] == 3, dim[3] == 3) : NULL;
}

/* ---- Text --------------------------------------------------------------- */

static void
text_tensor(struct buf *t, const struct cix_tensor *ct)
{
	const char *order = layout(ct);
	char what[160], means[80];

	npu_tensor_format(&ct->desc, what, sizeof(what));
	tensor_formula(&ct->desc, means, sizeof(means));
	buf_printf(t, "  %s %" PRIu32 ": %s%s%s, %s%s%" PRIu64 " bytes, %s\n",
	    info_kind_name(ct->kind), ct->id, ct->desc.name,
	    ct->desc.name[0] != '\0' ? " " : "", what,
	    order != NULL ? order : "", order != NULL ? ", " : "",
	    ct->desc.size, means);
}

/* Returns the compiler's version; "" for a model that cix-pack made. */
static void
format_build(const struct cix_graph *g, char *build, size_t n)
{
	build[0] = '\0';
	if (g->isa != CIX_ISA_EMULATOR)
		snprintf(build, n, "%" PRIu32 ".%" PRIu32 ".%" PRIu32,
		    g->build.major, g->build.minor, g->build.number);
}

static void
text_graph(struct buf *t, const struct cix_graph *g, size_t i)
{
	char build[48];

	if (!g->is_npu) {
		buf_printf(t, "  subgraph %zu: %s, %" PRIu64 " bytes, not for "
		    "the NPU\n", i, g->name, g->size);
		return;
	}
	format_build(g, build, sizeof(build));
	buf_printf(t, "  subgraph %zu: %s%sfor %s%s%s%s\n", i, g->name,
	    g->name[0] != '\0' ? ", " : "", g->isa == CIX_ISA_EMULATOR ?
	    "the emulator (-d emu), packed by cix-pack" : g->target,
	    build[0] != '\0' ? ", built by " : "", build,
	    g->dynamic_shape ? ", dynamic shapes" : "");
	for (size_t k = 0; k < g->n_tensors; k++)
		text_tensor(t, &g->tensors[k]);
	buf_printf(t, "  file: code %" PRIu64 ", weights %" PRIu64
	    ", parameters %" PRIu64 " bytes", g->text, g->weight,
	    g->rodata + g->desc);
	if (g->twin.n > 0)
		buf_printf(t, ", ONNX twin %zu bytes", g->twin.n);
	buf_printf(t, "\n  memory: %" PRIu64 " bytes when loaded, %" PRIu64
	    " more for each job\n", g->load_memory, g->job_memory);
}

static void
text_model(struct buf *t, const char *path, size_t size,
    const struct cix_model *m)
{
	if (t->n > 0)
		buf_puts(t, "\n");
	put_name(t, path);
	buf_printf(t, ": %zu bytes", size);
	if (m->name[0] != '\0')
		buf_printf(t, ", %s", m->name);
	if (m->builder[0] != '\0')
		buf_printf(t, ", %s", m->builder);
	buf_puts(t, "\n");
	for (size_t i = 0; i < m->n_graphs; i++)
		text_graph(t, &m->graphs[i], i);
}

/* ---- Plain: fields and TABs ---------------------------------------------- */

static void
plain_field(struct buf *t, const char *s)
{
	put_name(t, s);
	buf_puts(t, "\t");
}

static void
plain_tensor(struct buf *t, const char *path, size_t graph,
    const struct cix_tensor *ct)
{
	const struct npu_tensor *d = &ct->desc;
	const char *type = npu_dtype_name(d->dtype), *order = layout(ct);
	char scale[32];

	num_format_float(d->scale, scale, sizeof(scale));
	buf_puts(t, "tensor\t");
	plain_field(t, path);
	buf_printf(t, "%zu\t%s\t%" PRIu32 "\t", graph, info_kind_name(ct->kind),
	    ct->id);
	plain_field(t, d->name);
	if (type != NULL)
		buf_printf(t, "%s\t", type);
	else
		buf_printf(t, "0x%" PRIx32 "\t", d->dtype);
	for (uint32_t i = 0; i < d->ndim; i++)
		buf_printf(t, "%s%" PRIu32, i > 0 ? "," : "", d->dim[i]);
	buf_printf(t, "\t%" PRIu64 "\t%s\t%" PRId32 "\t%s\n", d->size,
	    scale, d->zero_point, order != NULL ? order : "-");
}

static void
plain_model(struct buf *t, const char *path, size_t size,
    const struct cix_model *m)
{
	for (size_t i = 0; i < m->n_graphs; i++) {
		const struct cix_graph *g = &m->graphs[i];

		buf_puts(t, "model\t");
		plain_field(t, path);
		buf_printf(t, "%zu\t%zu\t%s\t", i, size,
		    g->is_npu ? g->target : "");
		if (g->is_npu)
			buf_printf(t, "%" PRIu64 "\t%" PRIu64 "\n",
			    g->load_memory, g->job_memory);
		else
			buf_puts(t, "\t\n");
		for (size_t k = 0; g->is_npu && k < g->n_tensors; k++)
			plain_tensor(t, path, i, &g->tensors[k]);
	}
}

/* ---- JSON --------------------------------------------------------------- */

static void
json_tensor(struct json *j, const struct cix_tensor *ct)
{
	const struct npu_tensor *t = &ct->desc;
	const char *type = npu_dtype_name(t->dtype);
	char code[16], means[80];

	snprintf(code, sizeof(code), "0x%" PRIx32, t->dtype);
	tensor_formula(t, means, sizeof(means));
	json_object(j);
	json_member_str(j, "name", t->name);
	json_member_str(j, "kind", info_kind_name(ct->kind));
	json_member_uint(j, "id", ct->id);
	json_member_str(j, "type", type != NULL ? type : code);
	describe_shape(j, t);
	json_key(j, "layout");
	json_str(j, layout(ct));
	json_member_uint(j, "bytes", t->size);
	json_key(j, "scale");
	json_float(j, t->scale);
	json_key(j, "zero_point");
	json_int(j, t->zero_point);
	json_member_str(j, "formula", means);
	json_end_object(j);
}

/* Adds the tensors of one kind or, if other is true, all but inputs and
 * outputs. */
static void
json_tensors(struct json *j, const char *key, const struct cix_graph *g,
    uint32_t kind, bool other)
{
	json_key(j, key);
	json_array(j);
	for (size_t i = 0; i < g->n_tensors; i++) {
		uint32_t k = g->tensors[i].kind;

		if (other ? k != CIX_INPUT && k != CIX_OUTPUT : k == kind)
			json_tensor(j, &g->tensors[i]);
	}
	json_end_array(j);
}

static void
json_npu_graph(struct json *j, const struct cix_graph *g)
{
	char build[48];

	format_build(g, build, sizeof(build));
	json_member_str(j, "target", g->target);
	json_member_uint(j, "isa", g->isa);
	json_member_str(j, "build", build);
	json_key(j, "dynamic_shape");
	json_bool(j, g->dynamic_shape);
	json_member_uint(j, "code_bytes", g->text);
	json_member_uint(j, "weight_bytes", g->weight);
	json_member_uint(j, "parameter_bytes", g->rodata + g->desc);
	json_member_uint(j, "twin_bytes", g->twin.n);
	json_member_uint(j, "load_memory_bytes", g->load_memory);
	json_member_uint(j, "job_memory_bytes", g->job_memory);
	json_tensors(j, "inputs", g, CIX_INPUT, false);
	json_tensors(j, "outputs", g, CIX_OUTPUT, false);
	json_tensors(j, "others", g, 0, true);
}

static void
json_model(struct json *j, const char *path, size_t size,
    const struct cix_model *m)
{
	json_member_str(j, "path", path);
	json_member_str(j, "format", "cix");
	json_member_uint(j, "bytes", size);
	json_member_str(j, "name", m->name);
	json_member_str(j, "builder", m->builder);
	json_key(j, "container_version");
	json_array(j);
	for (int i = 0; i < 3; i++)
		json_int(j, m->version[i]);
	json_end_array(j);
	/* The library runs the first subgraph: repeat its tensors where a
	 * reader finds them easily. */
	json_tensors(j, "inputs", &m->graphs[0], CIX_INPUT, false);
	json_tensors(j, "outputs", &m->graphs[0], CIX_OUTPUT, false);
	json_key(j, "subgraphs");
	json_array(j);
	for (size_t i = 0; i < m->n_graphs; i++) {
		json_object(j);
		json_member_str(j, "name", m->graphs[i].name);
		json_member_uint(j, "backend", m->graphs[i].backend);
		json_member_uint(j, "offset", m->graphs[i].offset);
		json_member_uint(j, "bytes", m->graphs[i].size);
		json_key(j, "npu");
		json_bool(j, m->graphs[i].is_npu);
		if (m->graphs[i].is_npu)
			json_npu_graph(j, &m->graphs[i]);
		json_end_object(j);
	}
	json_end_array(j);
}

static void
json_refusal(struct json *j, const char *path, const struct npu_err *err)
{
	json_member_str(j, "path", path);
	json_key(j, "error");
	json_object(j);
	json_member_str(j, "check", err->code == NPU_EFORMAT &&
	    err->detail != 0 ? cix_check_name(err->detail) : "");
	json_member_str(j, "message", err->msg);
	json_end_object(j);
}

static void
begin_object(const struct info_form *f)
{
	json_object(f->json);
	if (f->schema != NULL)
		json_member_str(f->json, "schema", f->schema);
}

/* ---- Public functions --------------------------------------------------- */

/* Opens a file, or stdin for "-".  *path is the opened file; the caller frees
 * it. */
static int
load(const char *name, struct model_bytes *m, char **path, struct npu_err *err)
{
	bool is_stdin = strcmp(name, "-") == 0;
	int fd, rc;

	*m = (struct model_bytes){ .map = NULL };
	*path = is_stdin ? cmd_copy("stdin") : cmd_find_model(name, err);
	if (*path == NULL)
		return err->code;
	origin_print();
	cmd_take_stdin(name);
	fd = is_stdin ? STDIN_FILENO : open(*path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return npu_fail_detail(err, NPU_ESYSTEM, errno, "%s",
		    strerror(errno));
	rc = model_bytes_open(m, fd, err);
	if (!is_stdin)
		close(fd);
	return rc;
}

/* Notes an error that does not concern the model itself. */
static void
note_unread(struct npu_err *unread, const char *name, const struct npu_err *err)
{
	struct npu_err own = *err;

	npu_prefix(&own, own.code, "%s",
	    cmd_visible_name(cmd_input_name(name)));
	host_note(unread, &own);
}

void
info_refuse(const struct info_form *f, const char *name,
    const struct npu_err *err)
{
	cmd_warn("%s: %s", cmd_visible_name(cmd_input_name(name)), err->msg);
	if (f->unread->code == 0) {
		note_unread(f->unread, name, err);
		*f->unread_reported = f->unread->code != 0;
	}
	if (f->json == NULL)
		return;
	begin_object(f);
	json_refusal(f->json, name, err);
	json_end_object(f->json);
}

/* Adds whether the model runs on this board: a line, or two members. */
static void
put_runs_here(const struct info_form *f, const char *path,
    const struct cix_model *m)
{
	struct npu_err err = f->board->why;
	bool runs = f->board->known && board_runs_model(m, f->board,
	    &err) == 0;

	if (f->json != NULL) {
		json_key(f->json, "runs_here");
		if (f->board->known)
			json_bool(f->json, runs);
		else
			json_null(f->json);
		json_member_str(f->json, "runs_here_reason",
		    runs ? "" : err.msg);
	} else if (f->board->known && f->plain) {
		buf_puts(f->text, "here\t");
		plain_field(f->text, path);
		buf_printf(f->text, "%s\t%s\n", runs ? "yes" : "no",
		    runs ? "" : err.msg);
	} else if (f->board->known) {
		buf_printf(f->text, "  runs here: %s%s\n", runs ? "yes" :
		    "no: ", runs ? "" : err.msg);
	}
}

static int
describe_cix(const struct info_form *f, const char *path, struct bytes file,
    struct npu_err *err)
{
	struct cix_model m;
	int rc = cix_parse(file, &m, err);

	if (rc < 0)
		return rc;
	if (f->separator != '\0') {
		info_rows(f->text, f->separator, path, &m);
	} else if (f->json != NULL) {
		begin_object(f);
		json_model(f->json, path, file.n, &m);
		put_runs_here(f, path, &m);
		json_end_object(f->json);
	} else if (f->plain) {
		plain_model(f->text, path, file.n, &m);
		put_runs_here(f, path, &m);
	} else {
		text_model(f->text, path, file.n, &m);
		put_runs_here(f, path, &m);
	}
	cix_free(&m);
	return 0;
}

static int
describe_onnx(const struct info_form *f, const char *path, struct bytes file,
    struct npu_err *err)
{
	struct onnx_model m;
	int rc = onnx_model_read(&m, file, err);

	if (rc < 0)
		return rc;
	if ((rc = macs_count(&m, file, err)) < 0) {
		onnx_model_free(&m);
		return rc;
	}
	if (f->separator != '\0') {
		onnx_rows(f->text, f->separator, path, &m);
	} else if (f->json != NULL) {
		begin_object(f);
		onnx_json(f->json, path, file.n, &m);
		json_end_object(f->json);
	} else if (f->plain) {
		onnx_plain(f->text, path, file.n, &m);
	} else {
		onnx_text(f->text, path, file.n, &m);
	}
	onnx_model_free(&m);
	return 0;
}

bool
info_model(const struct info_form *f, const char *name)
{
	struct npu_err err = { 0 };
	struct model_bytes m;
	char *path;
	int rc = load(name, &m, &path, &err);

	if (rc == 0)
		rc = onnx_begins(m.file) ?
		    describe_onnx(f, path, m.file, &err) :
		    describe_cix(f, path, m.file, &err);
	if (rc < 0)
		info_refuse(f, name, &err);
	model_bytes_close(&m);
	free(path);
	return rc == 0;
}

/* ---- The check of a model ----------------------------------------------- */

void
info_check_model(const char *name, const struct board *board,
    struct npu_err *unread, struct health_check *c)
{
	struct cix_model m = { 0 };
	struct npu_err err = { 0 };
	struct model_bytes file;
	char *path;
	int rc = load(name, &file, &path, &err);

	*c = (struct health_check){ .name = name };
	if (rc == 0)
		rc = cix_parse(file.file, &m, &err);
	if (rc < 0)
		note_unread(unread, name, &err);
	if (rc < 0)
		health_judge(c, HEALTH_FAIL, "man npu-utils  # get or compile "
		    "the model again",
		    "%.700s", err.msg);
	else if (board_runs_model(&m, board, &err) < 0)
		health_judge(c, HEALTH_FAIL, "man npu-utils  # get one for "
		    "X2_1204MP3, or compile it for that", "%.700s", err.msg);
	else
		health_judge(c, HEALTH_OK, "", "sound, for %s",
		    m.graphs[0].target);
	cix_free(&m);
	model_bytes_close(&file);
	free(path);
}
