// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/file.h"
#include "emu/engine.h"
#include "emu/name_order.h"
#include "emu/ort.h"
#include "emu/state.h"
#include "emu/tensor_fit.h"
#include "emu/tensors.h"
#include "model/identify.h"
#include "model/onnx.h"
#include "model/onnx_ports.h"
#include "model/twin.h"

#define MAX_TWIN ((size_t)2 << 30)	/* bytes; the limit of protobuf */

/* ---- Opening ---------------------------------------------------------- */

/*
 * Returns whether m has a test program, and stores its operation.  A test
 * program's rodata is "FNP1", operation, inputs, outputs.  Models for tests
 * have one, and therefore compute the same here as with the vendor's library on
 * the stand-in device of tests/abi/vendor.
 */
static bool
has_program(const struct cix_graph *m, enum emu_compute *compute)
{
	static const enum emu_compute ops[] = { EMU_FILL, EMU_COPY, EMU_XOR };
	uint32_t op;

	if (!bytes_start(m->params, "FNP1") || !bytes_u32(m->params, 4, &op) ||
	    op >= sizeof(ops) / sizeof(*ops))
		return false;
	*compute = ops[op];
	return true;
}

/* Puts the twin's name before the message, unless the model is an ONNX file
 * itself; returns rc. */
static int
prefix_twin(const struct engine *e, int rc, const char *name,
    struct npu_err *err)
{
	return e->itself ? rc : npu_prefix(err, rc, "its twin %s", name);
}

static int
read_twin(const struct engine *e, const char *file, struct buf *onnx,
    noe_status_t *status, struct npu_err *err)
{
	int rc;

	*status = NOE_STATUS_ERROR_OPEN_FILE_FAIL;
	if ((rc = file_load(file, MAX_TWIN, onnx, err)) < 0)
		return prefix_twin(e, rc, file, err);
	return 0;
}

/*
 * Opens the session of a twin.  External weights are in files next to the ONNX
 * file.  Without the file's path, the runtime would look for them in the
 * current directory, which may have the weights of another model; therefore a
 * twin with external weights is passed by path.
 */
static int
open_session(struct engine *e, struct bytes onnx, const char *file,
    struct npu_err *err)
{
	struct stat st = { .st_mode = 0 };
	int rc;

	if ((rc = identify_check_twin(onnx, err)) < 0 ||
	    (rc = onnx_external(onnx, err)) < 0)
		return rc;
	if (rc == 0)
		return ort_open(&e->session, onnx, NULL, e->onnx, err);
	if (file == NULL)
		return npu_fail(err, NPU_EFORMAT, "its weights are in other "
		    "files, and none are beside a twin in a model; pack it as "
		    "one file: cix-pack(1)");
	/* Opening a FIFO again would wait for another writer. */
	stat(file, &st);
	if (!S_ISREG(st.st_mode))
		return npu_fail(err, NPU_EFORMAT, "its weights are in other "
		    "files, which are found beside a regular file only");
	return ort_open(&e->session, onnx, file, e->onnx, err);
}

/* Returns whether the file gives the tensor t no shape.  ONNX Runtime reports
 * no dimensions for such a tensor, and none for a scalar. */
static bool
lacks_shape(struct bytes onnx, const struct ort_tensor *t)
{
	struct onnx_ports p;
	bool found = false;

	if (t->ndim > 0 || onnx_ports_read(&p, onnx, NULL) < 0)
		return false;
	for (size_t i = 0; i < p.n_in + p.n_out; i++) {
		const struct onnx_port *one = i < p.n_in ? &p.in[i] :
		    &p.out[i - p.n_in];

		found |= !one->shaped && one->name.n == strlen(t->name) &&
		    memcmp(one->name.p, t->name, one->name.n) == 0;
	}
	onnx_ports_free(&p);
	return found;
}

/* Finds the tensor of the twin for each of the model's inputs or outputs. */
static int
order(const struct engine *e, const struct cix_graph *m, bool out, uint32_t n,
    uint32_t *at, struct npu_err *err)
{
	const char **names;
	bool done;

	for (uint32_t k = 0; k < n && e->itself; k++)
		at[k] = k;
	if (e->itself)
		return 0;
	names = calloc(2 * (size_t)n + 1, sizeof(*names));
	if (names == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	for (uint32_t k = 0; k < n; k++) {
		names[k] = m->tensors[k + (out ? m->n_inputs : 0)].desc.name;
		names[n + k] = (out ? ort_output(e->session, k) :
		    ort_input(e->session, k))->name;
	}
	done = name_order(names, names + n, n, at);
	free(names);
	return done ? 0 : npu_fail(err, NPU_ESYSTEM, "out of memory");
}

/* Fits each of the model's inputs or outputs to its tensor of the twin. */
static int
fit_tensors(struct engine *e, const struct cix_graph *m, bool out,
    struct bytes onnx, const char *name, noe_status_t *status,
    struct npu_err *err)
{
	uint32_t n = out ? e->n_out : e->n_in;
	uint32_t *at = out ? e->out_at : e->in_at;
	int rc = order(e, m, out, n, at, err);

	for (uint32_t k = 0; rc == 0 && k < n; k++) {
		const struct ort_tensor *t = out ?
		    ort_output(e->session, at[k]) :
		    ort_input(e->session, at[k]);

		rc = tensor_fit_init(out ? &e->out[k] : &e->in[k],
		    &m->tensors[k + (out ? m->n_inputs : 0)].desc, t, !out,
		    status, err);
		if (rc < 0 && lacks_shape(onnx, t))
			return npu_fail(err, NPU_EUSAGE, "the twin's '%s' has "
			    "no shape in the file; onnx.shape_inference gives "
			    "it one", t->name);
		if (rc < 0)
			return npu_prefix(err, rc, "%s %u does not fit its "
			    "twin %s", out ? "output" : "input", k, name);
	}
	return rc;
}

/* Loads the twin in onnx, which was read from file (NULL: it is in the model
 * itself), and fits it to m's tensors. */
static int
open_twin(struct engine *e, const struct cix_graph *m, struct bytes onnx,
    const char *file, noe_status_t *status, struct npu_err *err)
{
	const char *name = file != NULL ? file : "in the file";
	int rc;

	if ((rc = open_session(e, onnx, file, err)) < 0) {
		if (rc == NPU_ENODEV) {
			*status = NOE_STATUS_ERROR_OPEN_DEV_FAIL;
			return rc;
		}
		*status = NOE_STATUS_ERROR_INVALID_GBIN;
		return prefix_twin(e, rc, name, err);
	}
	e->n_in = ort_inputs(e->session);
	e->n_out = ort_outputs(e->session);
	*status = NOE_STATUS_ERROR_INVALID_TENSOR_CNT;
	if (e->n_in != m->n_inputs || e->n_out != m->n_outputs)
		return npu_fail(err, NPU_EUSAGE, "its twin %s has %u inputs "
		    "and %u outputs, but the model %u and %u; give the model "
		    "it was compiled from with NPU_TWIN=FILE.onnx", name,
		    e->n_in, e->n_out, m->n_inputs, m->n_outputs);
	e->in = calloc(e->n_in + 1, sizeof(*e->in));
	e->out = calloc(e->n_out + 1, sizeof(*e->out));
	e->in_at = calloc(e->n_in + 1, sizeof(*e->in_at));
	e->out_at = calloc(e->n_out + 1, sizeof(*e->out_at));
	*status = NOE_STATUS_ERROR_BUF_ALLOC_FAIL;
	if (e->in == NULL || e->out == NULL || e->in_at == NULL ||
	    e->out_at == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	if ((rc = fit_tensors(e, m, false, onnx, name, status, err)) < 0)
		return rc;
	return fit_tensors(e, m, true, onnx, name, status, err);
}

static int
open_file(struct engine *e, const struct cix_graph *m, char *file,
    noe_status_t *status, struct npu_err *err)
{
	struct buf onnx = { 0 };
	int rc;

	if ((rc = read_twin(e, file, &onnx, status, err)) == 0)
		rc = open_twin(e, m, (struct bytes){ (uint8_t *)onnx.p,
		    onnx.n }, file, status, err);
	buf_free(&onnx);
	free(file);
	return rc;
}

static int
open_itself(struct engine *e, const struct cix_graph *m, const char *path,
    noe_status_t *status, struct npu_err *err)
{
	char *file = strdup(path);

	e->compute = emu_settings.compute;
	if (file == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	if (e->compute == EMU_TWIN)
		return open_file(e, m, file, status, err);
	free(file);
	return 0;
}

static int
choose(struct engine *e, const struct cix_graph *m, const char *path,
    noe_status_t *status, struct npu_err *err)
{
	char *file = NULL;
	int rc;

	e->compute = emu_settings.compute;
	if (e->compute != EMU_TWIN)
		return 0;
	if (m->deferred != 0) {		/* cannot have jobs */
		e->compute = EMU_ZERO;
		return 0;
	}
	*status = NOE_STATUS_ERROR_OPEN_FILE_FAIL;
	if ((rc = twin_named(path, &file, err)) == 0) {
		if (m->twin.n > 0)
			return open_twin(e, m, m->twin, NULL, status, err);
		if (has_program(m, &e->compute))
			return 0;
		rc = twin_around(path, &file, err);
	}
	if (rc < 0)
		return rc;
	return open_file(e, m, file, status, err);
}

static struct engine *
new_engine(noe_status_t *status, struct npu_err *err)
{
	struct engine *e = calloc(1, sizeof(*e));

	*status = NOE_STATUS_ERROR_BUF_ALLOC_FAIL;
	if (e == NULL)
		npu_fail(err, NPU_ESYSTEM, "out of memory");
	return e;
}

/* Stores e, or closes it if rc is an error; returns rc. */
static int
opened(struct engine **engine, struct engine *e, int rc)
{
	if (rc == 0)
		*engine = e;
	else
		engine_close(e);
	return rc;
}

int
engine_open(struct engine **engine, const struct cix_graph *m,
    const char *path, noe_status_t *status, struct npu_err *err)
{
	struct engine *e = new_engine(status, err);

	if (e == NULL)
		return NPU_ESYSTEM;
	return opened(engine, e, choose(e, m, path, status, err));
}

int
engine_open_onnx(struct engine **engine, const struct cix_graph *m,
    const struct noe_emu_onnx *onnx, noe_status_t *status, struct npu_err *err)
{
	struct engine *e = new_engine(status, err);
	int rc;

	if (e == NULL)
		return NPU_ESYSTEM;
	e->itself = true;
	e->onnx = onnx;
	rc = open_itself(e, m, onnx->file, status, err);
	e->onnx = NULL;		/* the caller's */
	return opened(engine, e, rc);
}

void
engine_close(struct engine *e)
{
	if (e == NULL)
		return;
	ort_close(e->session);
	free(e->in);
	free(e->out);
	free(e->in_at);
	free(e->out_at);
	free(e);
}

bool
engine_slow(const struct engine *e)
{
	return e->compute == EMU_TWIN;
}

/* ---- Running ---------------------------------------------------------- */

/* Computes output k with the test program, as the stand-in device does. */
static void
run_program(enum emu_compute compute, const struct emu_job *j, uint32_t k)
{
	const struct cix_graph *m = graph_cix(j->graph);
	size_t n = m->tensors[m->n_inputs + k].desc.size, from = 0;
	uint8_t *out = job_output(j, k);
	const uint8_t *in = NULL;

	if (m->n_inputs > 0 && compute != EMU_FILL) {
		in = job_input(j, k % m->n_inputs);
		from = m->tensors[k % m->n_inputs].desc.size;
	}
	if (compute == EMU_ZERO) {
		memset(out, 0, n);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		if (from == 0)
			out[i] = (uint8_t)(i + k);
		else
			out[i] = in[i % from] ^
			    (compute == EMU_XOR ? 0x55 : 0);
	}
}

static int
run_twin(struct engine *e, struct emu_job *j, struct ort_data *in,
    struct ort_data *out, struct stop_token *token, struct npu_err *err)
{
	int rc;

	for (uint32_t i = 0; i < e->n_in; i++)
		if ((rc = tensor_fit_input(&e->in[i], job_input(j, i),
		    &in[e->in_at[i]], err)) < 0)
			return npu_prefix(err, rc, "input %u", i);
	if ((rc = ort_run(e->session, in, out, token, err)) < 0)
		return rc;
	for (uint32_t i = 0; i < e->n_out; i++)
		if ((rc = tensor_fit_output(&e->out[i],
		    &out[e->out_at[i]],
		    job_output(j, i), err)) < 0)
			return npu_prefix(err, rc, "output %u", i);
	return 0;
}

int
engine_run(struct emu_job *j, struct stop_token *token, struct npu_err *err)
{
	struct engine *e = j->graph->engine;
	struct ort_data *in, *out;
	int rc = NPU_ESYSTEM;

	if (e->compute != EMU_TWIN) {
		for (uint32_t k = 0; k < graph_cix(j->graph)->n_outputs; k++)
			run_program(e->compute, j, k);
		return 0;
	}
	in = calloc(e->n_in + 1, sizeof(*in));
	out = calloc(e->n_out + 1, sizeof(*out));
	if (in != NULL && out != NULL)
		rc = run_twin(e, j, in, out, token, err);
	else
		npu_fail(err, NPU_ESYSTEM, "out of memory");
	for (uint32_t i = 0; in != NULL && i < e->n_in; i++)
		tensor_fit_free(&e->in[i], &in[e->in_at[i]]);
	for (uint32_t i = 0; out != NULL && i < e->n_out; i++)
		ort_free(&out[i]);
	free(in);
	free(out);
	return rc;
}
