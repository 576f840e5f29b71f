// SPDX-License-Identifier: Apache-2.0
/* session.c - an ONNX model in memory, in the emulator. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cix-lint/model/port_text.h"
#include "cmd.h"
#include "device.h"
#include "session.h"
#include "thread.h"


/* ---- The file in memory -------------------------------------------------- */

static void
write_part(int fd, const struct buf *b)
{
	for (size_t at = 0; at < b->n;) {
		ssize_t n = write(fd, b->p + at, b->n - at);

		if (n < 0 && errno != EINTR)
			cmd_die("cannot keep the model in memory: %s",
			    strerror(errno));
		at += n > 0 ? (size_t)n : 0;
	}
}

static int
write_model(struct instrumented *m)
{
	int fd = memfd_create("model", MFD_CLOEXEC);

	if (fd < 0)
		cmd_die("cannot keep the model in memory: %s",
		    strerror(errno));
	write_part(fd, &m->head);
	write_part(fd, &m->graph);
	write_part(fd, &m->tail);
	instrumented_free(m);
	return fd;
}

/* ---- Opening ------------------------------------------------------------- */

/* The sizes of open dimensions. */
struct sizes {
	struct npu_dim *dim;
	size_t n;
};

/* Returns the size of an axis in a sample of the array; 0: it has none. */
static uint64_t
size_in(const struct sample_array *a, const struct onnx_port *p, uint32_t axis)
{
	/* The first axis of the array is the samples; an input may have an axis
	 * for them as well. */
	uint32_t skip = a->form.ndim > p->ndim ? 1 : 0;

	if (axis == 0 && skip == 0)
		return 1;
	return axis + skip < a->form.ndim ? a->form.dim[axis + skip] : 0;
}

/* Returns whether the array has the sizes of the input, apart from the number
 * of samples. */
static bool
shape_fits(const struct sample_array *a, const struct onnx_port *p)
{
	uint32_t skip = a->form.ndim > p->ndim ? 1 : 0;

	if (!p->shaped || p->ndim == 0)
		return true;
	if (a->form.ndim != p->ndim + skip)
		return false;
	for (uint32_t axis = skip == 0 ? 1 : 0; axis < p->ndim; axis++)
		if (p->dim[axis] > 0 &&
		    a->form.dim[axis + skip] != (uint64_t)p->dim[axis])
			return false;
	return true;
}

static void
check_shape(const struct net *net, const struct sample_array *a,
    const struct onnx_port *p)
{
	struct buf has = { 0 }, takes = { 0 };

	if (shape_fits(a, p))
		return;
	for (uint32_t i = 0; i < a->form.ndim; i++)
		buf_printf(&has, "%s%" PRIu64, i > 0 ? "," : "",
		    a->form.dim[i]);
	put_port_shape(&takes, p);
	cmd_die("%s: input '%.*s' takes %.*s, and the data has the shape "
	    "[%.*s]; its first axis is the samples", net->lint->model_path,
	    (int)p->name.n, (const char *)p->name.p, (int)takes.n, takes.p,
	    (int)has.n, has.n > 0 ? has.p : "");
}

static void
add_sizes(struct sizes *all, const struct onnx_port *p,
    const struct sample_array *a)
{
	for (uint32_t axis = 0; axis < p->ndim; axis++) {
		uint64_t size = size_in(a, p, axis);

		if (p->dim[axis] >= 0 || size == 0 || size > UINT32_MAX)
			continue;
		all->dim = cmd_realloc(all->dim,
		    (all->n + 1) * sizeof(*all->dim));
		all->dim[all->n++] = (struct npu_dim){
			.name = cmd_text("%.*s:%" PRIu32, (int)p->name.n,
			    (const char *)p->name.p, axis),
			.size = (uint32_t)size,
		};
	}
}

static void
free_sizes(struct sizes *all)
{
	for (size_t i = 0; i < all->n; i++)
		free((char *)all->dim[i].name);
	free(all->dim);
}

/* The message begins with a path that the user does not know. */
static _Noreturn void
die_unopened(const struct model_session *s, const char *path,
    const struct npu_err *err)
{
	struct npu_err shown = *err;
	size_t n = strlen(path);

	cmd_end_if_stopped();
	cmd_show_library_output(false);
	if (strncmp(err->msg, path, n) == 0 &&
	    strncmp(err->msg + n, ": ", 2) == 0)
		memmove(shown.msg, err->msg + n + 2,
		    strlen(err->msg + n + 2) + 1);
	cmd_die_err(s->net->lint->model_path, &shown);
}

static void
open_model(struct model_session *s, int fd, const struct sizes *sizes)
{
	struct npu_options options = cmd_device;
	char *path = cmd_text("/proc/self/fd/%d", fd);
	struct npu_err err;

	options.device = NPU_DEVICE_EMU;
	options.library = NULL;
	options.provider = NPU_PROVIDER_CPU;
	options.timeout_ms = s->net->timeout_ms;
	options.threads = thread_count("0");
	options.dims = sizes->dim;
	options.n_dims = sizes->n;
	if (npu_open(&s->npu, path, &options, &err) < 0)
		die_unopened(s, path, &err);
	free(path);
}

void
session_open(struct model_session *s, const struct net *net,
    struct instrumented *m, const struct samples *data, const size_t *array)
{
	const struct onnx_ports *p = &net->lint->model.ports;
	struct sizes sizes = { .dim = NULL };
	int fd;

	for (size_t i = 0; i < p->n_in; i++)
		check_shape(net, &data->array[array[i]], &p->in[i]);
	fd = write_model(m);
	s->net = net;
	s->n_figures = m->figures;
	for (size_t i = 0; i < p->n_in; i++)
		add_sizes(&sizes, &p->in[i], &data->array[array[i]]);
	open_model(s, fd, &sizes);
	free_sizes(&sizes);
	close(fd);
	s->in = cmd_alloc(npu_input_size(s->npu));
	s->out = cmd_alloc(npu_output_size(s->npu));
	s->figures = cmd_alloc(s->n_figures * sizeof(*s->figures));
}

void
session_close(struct model_session *s)
{
	npu_close(s->npu);
	s->npu = NULL;
	free(s->in);
	free(s->out);
	free(s->figures);
	s->in = s->out = NULL;
	s->figures = NULL;
}

/* ---- Running ------------------------------------------------------------- */

/* Returns how many samples of the array input i takes at a time; 0: the sizes
 * do not fit. */
static uint64_t
samples_of(const struct model_session *s, const struct samples *data,
    const size_t *array, uint32_t i)
{
	uint64_t n = npu_tensor_count(npu_input(s->npu, i));
	uint64_t row = data->array[array[i]].row;

	return row > 0 && n % row == 0 ? n / row : 0;
}

uint64_t
session_runs(const struct model_session *s, const struct samples *data,
    const size_t *array)
{
	uint64_t runs = UINT64_MAX;

	for (uint32_t i = 0; i < npu_inputs(s->npu); i++) {
		const struct npu_tensor *t = npu_input(s->npu, i);
		uint64_t each = samples_of(s, data, array, i);
		uint64_t n = data->array[array[i]].samples;

		if (each == 0)
			cmd_die("%s: a sample has %" PRIu64 " elements, and "
			    "input '%s' takes %" PRIu64,
			    s->net->lint->model_path,
			    data->array[array[i]].row, t->name,
			    npu_tensor_count(t));
		if (n / each < runs)
			runs = n / each;
	}
	if (runs == 0)
		cmd_die("%s: the data has fewer samples than one batch of the "
		    "model", s->net->lint->model_path);
	return runs;
}

static int
read_input(struct model_session *s, struct samples *data, const size_t *array,
    uint32_t i, uint64_t run, uint8_t *p, struct npu_err *err)
{
	const struct npu_tensor *t = npu_input(s->npu, i);
	uint64_t each = samples_of(s, data, array, i);
	int rc = 0;

	for (uint64_t k = 0; k < each && rc == 0; k++)
		rc = samples_read(data, array[i], run * each + k, t->dtype,
		    p + k * (t->size / each), err);
	return rc;
}

void
session_run(struct model_session *s, struct samples *data,
    const size_t *array, uint64_t i)
{
	uint8_t *p = s->in;
	const void *figures;
	struct npu_err err;
	int rc = 0;

	for (uint32_t k = 0; k < npu_inputs(s->npu) && rc == 0; k++) {
		rc = read_input(s, data, array, k, i, p, &err);
		p += npu_input(s->npu, k)->size;
	}
	if (rc == 0)
		rc = npu_run(s->npu, s->in, s->out, &err);
	if (rc < 0) {
		cmd_end_if_stopped();
		cmd_show_library_output(false);
		cmd_die("%s: sample %" PRIu64 ": %s",
		    s->net->lint->model_path, i, err.msg);
	}
	session_output(s, npu_outputs(s->npu) - 1, &figures);
	memcpy(s->figures, figures, s->n_figures * sizeof(*s->figures));
}

const struct npu_tensor *
session_output(const struct model_session *s, uint32_t i, const void **data)
{
	const uint8_t *p = s->out;

	for (uint32_t k = 0; k < i; k++)
		p += npu_output(s->npu, k)->size;
	*data = p;
	return npu_output(s->npu, i);
}
