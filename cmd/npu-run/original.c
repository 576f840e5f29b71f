// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device.h"
#include "model/onnx.h"
#include "original.h"
#include "widen.h"

struct original {
	const char *path;
	struct npu *npu;	/* the ONNX model */
	/* Of the compiled model; and, for each, the index in the ONNX model. */
	struct npu_tensor *in, *out;
	uint32_t n_in, n_out;
	uint32_t *in_at, *out_at;
	uint8_t *inputs, *outputs;	/* of the ONNX model, one frame */
	float *x;		/* one tensor */
	float **results;	/* a ring of depth frames; each has all outputs
				   of the compiled model */
	unsigned depth;
	uint64_t ran, dropped;
};

bool
original_is_onnx(const char *path)
{
	uint8_t start[16];
	struct stat st;
	ssize_t n;
	int fd;

	/* What is read here from a pipe would be lost. */
	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode))
		return false;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return false;
	n = read(fd, start, sizeof(start));
	close(fd);
	return n > 0 && onnx_begins((struct bytes){ start, (size_t)n });
}

/* ---- Corresponding tensors -------------------------------------------- */

struct side {
	const char *word;	/* "input" */
	const struct npu_tensor *(*tensor)(const struct npu *, uint32_t);
	uint32_t (*count)(const struct npu *);
};

static const struct side inputs = { "input", npu_input, npu_inputs };
static const struct side outputs = { "output", npu_output, npu_outputs };

/* Finds an unused tensor with this name, or else, if any is true, the first
 * unused one; n if there is none. */
static uint32_t
find_unused(const struct npu *npu, const struct side *s, const char *name,
    const bool *used, bool any)
{
	uint32_t n = s->count(npu), i;

	for (i = 0; i < n; i++)
		if (!used[i] && (any || (name[0] != '\0' &&
		    strcmp(s->tensor(npu, i)->name, name) == 0)))
			break;
	return i;
}

/* Assigns a tensor of the ONNX model to each of t, by name, or else in
 * order. */
static void
assign(const struct original *o, const struct side *s,
    const struct npu_tensor *t, uint32_t n, uint32_t *at)
{
	bool *used = cmd_alloc(n * sizeof(*used));

	for (int any = 0; any < 2; any++)
		for (uint32_t i = 0; i < n; i++) {
			if (any ? at[i] < n : false)
				continue;
			at[i] = find_unused(o->npu, s, t[i].name, used, any);
			if (at[i] < n)
				used[at[i]] = true;
		}
	free(used);
}

static void
check_sizes(const struct original *o, const struct side *s,
    const struct npu_tensor *t, uint32_t n, const uint32_t *at)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct npu_tensor *own = s->tensor(o->npu, at[i]);
		uint64_t want = npu_tensor_count(&t[i]);

		if (npu_tensor_count(own) != want)
			cmd_die("%s: %s %" PRIu32 " ('%s') has %" PRIu64
			    " elements, and %" PRIu64 " in %s; --dim sets "
			    "open sizes", o->path, s->word, at[i], own->name,
			    npu_tensor_count(own), want, cmd_model_in_use());
	}
}

/* Copies the tensors of the compiled model and finds the corresponding tensors
 * of the ONNX model. */
static void
match(struct original *o, const struct npu *npu, const struct side *s,
    struct npu_tensor **t, uint32_t *n, uint32_t **at)
{
	*n = s->count(npu);
	if (*n != s->count(o->npu))
		cmd_die("%s: %" PRIu32 " %ss, and %s has %" PRIu32 "; was it "
		    "compiled from another model?", o->path,
		    s->count(o->npu), s->word, cmd_model_in_use(), *n);
	*t = cmd_alloc(*n * sizeof(**t));
	*at = cmd_alloc(*n * sizeof(**at));
	for (uint32_t i = 0; i < *n; i++)
		(*t)[i] = *s->tensor(npu, i);
	assign(o, s, *t, *n, *at);
	check_sizes(o, s, *t, *n, *at);
}

/* ---- Opening ------------------------------------------------------------ */

static struct original *opened;

void
original_close_opened(void)
{
	if (opened != NULL)
		original_close(opened);
}

static void
open_model(struct original *o)
{
	struct npu_options options = cmd_device;
	struct npu_err err;

	options.device = NPU_DEVICE_EMU;	/* also with -d npu */
	options.library = NULL;
	options.provider = NPU_PROVIDER_CPU;
	options.dims = cmd_dims()->dim;
	options.n_dims = cmd_dims()->n;
	if (npu_open(&o->npu, o->path, &options, &err) < 0) {
		cmd_end_if_stopped();
		cmd_die_err(NULL, &err);
	}
	opened = o;
}

static uint64_t
largest(const struct original *o)
{
	uint64_t most = 0;

	for (uint32_t i = 0; i < o->n_in; i++)
		if (npu_tensor_count(&o->in[i]) > most)
			most = npu_tensor_count(&o->in[i]);
	return most;
}

static void
alloc_frames(struct original *o)
{
	size_t n = 0;

	for (uint32_t i = 0; i < o->n_out; i++)
		n += npu_tensor_count(&o->out[i]);
	o->inputs = cmd_alloc(npu_input_size(o->npu));
	o->outputs = cmd_alloc(npu_output_size(o->npu));
	o->x = cmd_alloc(largest(o) * sizeof(*o->x));
	o->results = cmd_alloc(o->depth * sizeof(*o->results));
	for (unsigned i = 0; i < o->depth; i++)
		o->results[i] = cmd_alloc(n * sizeof(**o->results));
}

struct original *
original_open(const char *path, const struct npu *npu, unsigned depth)
{
	struct original *o = cmd_alloc(sizeof(*o));

	*o = (struct original){ .path = path, .depth = depth };
	open_model(o);
	match(o, npu, &inputs, &o->in, &o->n_in, &o->in_at);
	match(o, npu, &outputs, &o->out, &o->n_out, &o->out_at);
	alloc_frames(o);
	return o;
}

void
original_close(struct original *o)
{
	opened = NULL;
	npu_close(o->npu);
	for (unsigned i = 0; o->results != NULL && i < o->depth; i++)
		free(o->results[i]);
	free(o->results);
	free(o->inputs);
	free(o->outputs);
	free(o->x);
	free(o->in);
	free(o->out);
	free(o->in_at);
	free(o->out_at);
	free(o);
}

/* ---- Running ------------------------------------------------------------ */

static bool
is_unscaled(const struct npu_tensor *t)
{
	return npu_dtype_is_float(t->dtype) ||
	    (t->scale == 1 && t->zero_point == 0);
}

/* Converts the elements at p, described by *from, to elements of *to at q. */
static int
convert(const struct original *o, const struct npu_tensor *from, const void *p,
    const struct npu_tensor *to, uint8_t *q, struct npu_err *err)
{
	size_t n = npu_tensor_count(from);
	int rc;

	if (from->dtype == to->dtype && is_unscaled(from)) {
		memcpy(q, p, from->size);
		return 0;
	}
	if (is_unscaled(from) && widens_to(from, to)) {
		memcpy(q + from->size, p, from->size);
		widen(q, n);
		return 0;
	}
	if ((rc = npu_dequantise(from, p, n, o->x, err)) < 0)
		return rc;
	return npu_quantise(to, o->x, n, q, false, NULL, err);
}

/* Returns the position of a tensor in the ONNX model's frame. */
static size_t
offset(const struct original *o, const struct side *s, uint32_t at)
{
	size_t n = 0;

	for (uint32_t i = 0; i < at; i++)
		n += s->tensor(o->npu, i)->size;
	return n;
}

static int
make_inputs(struct original *o, const uint8_t *p, struct npu_err *err)
{
	int rc = 0;

	for (uint32_t i = 0; rc == 0 && i < o->n_in; p += o->in[i++].size)
		rc = convert(o, &o->in[i], p, npu_input(o->npu, o->in_at[i]),
		    o->inputs + offset(o, &inputs, o->in_at[i]), err);
	return rc;
}

static int
keep_outputs(struct original *o, struct npu_err *err)
{
	float *x = o->results[o->ran % o->depth];
	int rc = 0;

	for (uint32_t i = 0; rc == 0 && i < o->n_out; i++) {
		size_t n = npu_tensor_count(&o->out[i]);

		rc = npu_dequantise(npu_output(o->npu, o->out_at[i]),
		    o->outputs + offset(o, &outputs, o->out_at[i]), n, x, err);
		x += n;
	}
	return rc;
}

void
original_run(struct original *o, const void *in, uint64_t frame)
{
	struct npu_err err;

	if (make_inputs(o, in, &err) < 0 ||
	    npu_run(o->npu, o->inputs, o->outputs, &err) < 0 ||
	    keep_outputs(o, &err) < 0) {
		cmd_end_if_stopped();
		cmd_die("%s: frame %" PRIu64 ": %s", o->path, frame, err.msg);
	}
	o->ran++;
}

const float *
original_output(const struct original *o, uint32_t i)
{
	const float *x = o->results[o->dropped % o->depth];

	for (uint32_t k = 0; k < i; k++)
		x += npu_tensor_count(&o->out[k]);
	return x;
}

void
original_drop(struct original *o)
{
	o->dropped++;
}

const struct npu_tensor *
original_tensor(const struct original *o, uint32_t i)
{
	return npu_output(o->npu, o->out_at[i]);
}
