// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdlib.h>

#include "base/err.h"
#include "device.h"
#include "ordered_pool.h"
#include "pipeline.h"
#include "tensors/stream.h"
#include "tensors/tensor_options.h"

enum {
	FRAMES = 2,	/* one is read while the other waits to start */
	WAITING = 2,	/* results being written or waiting to be written */
};

struct pipeline_result {
	uint8_t *tensors;
	bool written;
};

/*
 * Each thread is a pool of one.  The reader's slots are frames, submitted to be
 * read; the writer's slots are results.  Free buffers are in spare, the most
 * recently used on top: it is still in a processor's cache, and few buffers are
 * used while the writer keeps up.
 */
struct pipeline {
	struct pipeline_spec spec;
	uint32_t outputs;	/* the model's outputs; threads may outlive
				   the model */
	struct npu_tensor *output;	/* each output: as the model defines
					   it, and ... */
	struct npu_tensor *written;	/* ... as it is written */
	float *x;		/* one output as floats; NULL: not asked for */
	struct buf *heads;	/* written before each tensor; NULL: not made
				   yet, or raw */

	struct ordered_pool *reader;
	uint8_t *in[FRAMES];
	int rc[FRAMES];		/* 1: the frame was read, 0: the end, or ... */
	struct npu_err err;	/* ... an error */
	bool all_read;		/* used only by the reader's thread */
	const uint8_t *next;	/* the last frame taken; NULL: it was started */
	int next_rc;		/* its rc, or the rc of the end */

	struct ordered_pool *writer;
	unsigned results;
	struct pipeline_result *out;
	uint8_t **spare;
	unsigned spares;
	bool write_failed;	/* used only by the writer's thread */
	struct npu_err convert_err;	/* the writer's, until it has ended */
	bool broken;		/* results can no longer be written */
};

/* ---- The reader's thread ----------------------------------------------- */

static void
read_frame(void *arg, unsigned worker, size_t slot)
{
	struct pipeline *p = arg;

	(void)worker;
	p->rc[slot] = p->all_read ? 0 : frame_reader_read(p->spec.frames,
	    p->in[slot], &p->err);
	p->all_read = p->rc[slot] <= 0;
}

/* ---- The writer's thread ----------------------------------------------- */

/* Returns output i as it is written; NULL: the output cannot be floats. */
static const void *
convert(struct pipeline *p, uint32_t i, const uint8_t *from)
{
	const struct npu_tensor *t = &p->output[i];

	if (p->x == NULL)
		return from;
	if (npu_dequantise(t, from, npu_tensor_count(t), p->x,
	    &p->convert_err) == 0)
		return p->x;
	npu_prefix(&p->convert_err, p->convert_err.code, "output %" PRIu32, i);
	return NULL;
}

/* Writes small results with one call. */
static bool
write_tensors(struct pipeline *p, const uint8_t *from)
{
	struct output *o = p->spec.out;
	const void *elements;

	for (uint32_t i = 0; i < p->outputs; i++) {
		if ((elements = convert(p, i, from)) == NULL)
			return false;
		if (p->heads != NULL && !cmd_write(o, p->heads[i].p,
		    p->heads[i].n))
			return false;
		if (!cmd_write(o, elements, p->written[i].size))
			return false;
		from += p->output[i].size;
	}
	return cmd_end_record(o);
}

static void
write_result(void *arg, unsigned worker, size_t slot)
{
	struct pipeline *p = arg;

	(void)worker;
	p->write_failed = p->write_failed ||
	    !write_tensors(p, p->out[slot].tensors);
	p->out[slot].written = !p->write_failed;
}

/* ---- Opening and closing ----------------------------------------------- */

static void
make_buffers(struct pipeline *p)
{
	for (unsigned i = 0; i < FRAMES; i++)
		p->in[i] = cmd_alloc(npu_input_size(p->spec.npu));
	p->out = cmd_alloc(p->results * sizeof(*p->out));
	p->spare = cmd_alloc(p->results * sizeof(*p->spare));
	for (p->spares = 0; p->spares < p->results; p->spares++)
		p->spare[p->spares] =
		    cmd_alloc(npu_output_size(p->spec.npu));
}

static void
describe_outputs(struct pipeline *p)
{
	uint64_t most = 0;

	p->output = cmd_alloc(p->outputs * sizeof(*p->output));
	p->written = cmd_alloc(p->outputs * sizeof(*p->written));
	for (uint32_t i = 0; i < p->outputs; i++) {
		p->output[i] = *npu_output(p->spec.npu, i);
		p->written[i] = p->output[i];
		if (!p->spec.floats)
			continue;
		if (npu_dtype_size(p->output[i].dtype) == 0)
			cmd_die("%s: output %" PRIu32 " cannot be floats: "
			    "elements of its type are not whole bytes",
			    cmd_model_in_use(), i);
		tensor_as_floats(&p->output[i], &p->written[i]);
		if (p->written[i].size > most)
			most = p->written[i].size;
	}
	if (p->spec.floats)
		p->x = cmd_alloc(most);
}

struct pipeline *
pipeline_open(const struct pipeline_spec *spec)
{
	struct pipeline *p = cmd_alloc(sizeof(*p));

	p->spec = *spec;
	p->outputs = npu_outputs(spec->npu);
	describe_outputs(p);
	p->results = spec->depth + WAITING;
	make_buffers(p);
	spec->out->threaded = true;
	p->next_rc = 1;
	p->writer = ordered_pool_open(&(struct ordered_pool_spec){
	    .threads = 1, .sigpipe = true, .slots = p->results,
	    .work = write_result, .arg = p });
	p->reader = ordered_pool_open(&(struct ordered_pool_spec){
	    .threads = 1, .slots = FRAMES, .work = read_frame, .arg = p });
	while (!ordered_pool_full(p->reader))
		ordered_pool_submit(p->reader);
	return p;
}

/* Handles the oldest result, which was written or could not be written. */
static void
release_result(struct pipeline *p, size_t slot)
{
	p->broken |= !p->out[slot].written;
	p->spare[p->spares++] = p->out[slot].tensors;
	ordered_pool_release(p->writer);
}

void
pipeline_finish(struct pipeline *p)
{
	size_t slot;

	while (!p->broken && ordered_pool_waiting(p->writer) &&
	    ordered_pool_take(p->writer, &slot))
		release_result(p, slot);
	cmd_end_if_stopped();
	ordered_pool_close(p->writer);
	cmd_end_if_stopped();
	cmd_check_output(p->spec.out);
	p->spec.out->threaded = false;
	if (p->convert_err.code != 0)
		cmd_die_err(cmd_model_in_use(), &p->convert_err);
}

void
pipeline_close(struct pipeline *p)
{
	if (p->next_rc < 0)
		cmd_die_err(frame_reader_name(p->spec.frames), &p->err);
	ordered_pool_close(p->reader);
	for (unsigned i = 0; i < FRAMES; i++)
		free(p->in[i]);
	while (p->spares > 0)
		free(p->spare[--p->spares]);
	free(p->spare);
	free(p->out);
	free(p->output);
	free(p->written);
	free(p->x);
	for (uint32_t i = 0; i < p->outputs && p->heads != NULL; i++)
		buf_free(&p->heads[i]);
	free(p->heads);
	free(p);
}

/* ---- Frames ------------------------------------------------------------ */

/* Takes all slots that the threads have finished so far. */
static void
poll_threads(struct pipeline *p)
{
	size_t slot;

	while (ordered_pool_ready(p->writer) &&
	    ordered_pool_take(p->writer, &slot))
		release_result(p, slot);
	if (p->next == NULL && p->next_rc > 0 &&
	    ordered_pool_ready(p->reader) &&
	    ordered_pool_take(p->reader, &slot)) {
		p->next_rc = p->rc[slot];
		p->next = p->next_rc > 0 ? p->in[slot] : NULL;
	}
}

const void *
pipeline_next(struct pipeline *p, unsigned running)
{
	for (;;) {
		poll_threads(p);
		if (p->broken || cmd_stop != 0 || p->next_rc <= 0)
			return NULL;
		if (p->next != NULL && p->spares > running)
			return p->next;
		if (running > 0)
			return NULL;
		ordered_pool_wait(p->next == NULL ? p->reader : p->writer);
	}
}

void
pipeline_started(struct pipeline *p)
{
	p->next = NULL;
	ordered_pool_release(p->reader);
	ordered_pool_submit(p->reader);
}

/* ---- Results ----------------------------------------------------------- */

void *
pipeline_room(struct pipeline *p)
{
	return p->spare[p->spares - 1];
}

static void
make_label(struct pipeline *p, uint16_t i)
{
	struct npu_label l = { .tensor = p->written[i],
	    .index = i, .count = (uint16_t)p->outputs };
	uint8_t bytes[NPU_LABEL_SIZE];
	struct npu_err err;

	if (npu_label_encode(&l, bytes, &err) < 0)
		cmd_die("output %" PRIu16 ": %s; -r writes it without a label",
		    i, err.msg);
	buf_add(&p->heads[i], bytes, sizeof(bytes));
}

/* The heads are the same for all results. */
static void
make_heads(struct pipeline *p)
{
	char what[24];

	p->heads = cmd_alloc(p->outputs * sizeof(*p->heads));
	for (uint32_t i = 0; i < p->outputs; i++) {
		snprintf(what, sizeof(what), "output %" PRIu32, i);
		if (p->spec.form == RESULT_LABELLED)
			make_label(p, (uint16_t)i);
		else
			stream_add_npy(&p->heads[i], &p->written[i], what);
		cmd_check_buf(&p->heads[i]);
	}
}

void
pipeline_write(struct pipeline *p)
{
	size_t slot = ordered_pool_next(p->writer);

	if (p->spec.form != RESULT_RAW && p->heads == NULL)
		make_heads(p);
	p->out[slot].tensors = p->spare[--p->spares];
	ordered_pool_submit(p->writer);
}
