// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdlib.h>

#include "device.h"
#include "ordered_pool.h"
#include "pipeline.h"

enum {
	FRAMES = 2,	/* one is read while the other waits to be started */
	WAITING = 2,	/* results that are or wait to be written */
};

struct pipeline_result {
	uint8_t *tensors;
	bool written;
};

/*
 * Each thread is a pool of one.  The reader's slots are frames, submitted to be
 * read; the writer's are results.  A buffer that is free is in spare, the last
 * one used on top: a processor still has it at hand, so few of them are used
 * while the writing keeps up.
 */
struct pipeline {
	struct pipeline_spec spec;
	uint32_t outputs;	/* of the model, which threads may outlive */
	uint64_t *size;		/* of each */
	uint8_t *labels;	/* of a result; NULL: not made yet, or raw */

	struct ordered_pool *reader;
	uint8_t *in[FRAMES];
	int rc[FRAMES];		/* 1: it is there, 0: the end, or ... */
	struct npu_err err;	/* ... an error */
	bool all_read;		/* the reader's thread alone */
	const uint8_t *next;	/* the frame taken last; NULL: it was started */
	int next_rc;		/* its rc, or that of the end */

	struct ordered_pool *writer;
	unsigned results;
	struct pipeline_result *out;
	uint8_t **spare;
	unsigned spares;
	bool write_failed;	/* the writer's thread alone */
	bool broken;		/* no result can be written any more */
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

/* In one write where it is small. */
static bool
write_tensors(const struct pipeline *p, const uint8_t *from)
{
	struct output *o = p->spec.out;

	for (size_t i = 0; i < p->outputs; i++) {
		if (!p->spec.raw && !cmd_write(o, p->labels +
		    i * NPU_LABEL_SIZE, NPU_LABEL_SIZE))
			return false;
		if (!cmd_write(o, from, p->size[i]))
			return false;
		from += p->size[i];
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

struct pipeline *
pipeline_open(const struct pipeline_spec *spec)
{
	struct pipeline *p = cmd_alloc(sizeof(*p));

	p->spec = *spec;
	p->outputs = npu_outputs(spec->npu);
	p->size = cmd_alloc(p->outputs * sizeof(*p->size));
	for (uint32_t i = 0; i < p->outputs; i++)
		p->size[i] = npu_output(spec->npu, i)->size;
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

/* The oldest result was written, or could not be. */
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
	free(p->size);
	free(p->labels);
	free(p);
}

/* ---- Frames ------------------------------------------------------------ */

/* Takes what the threads have done by now. */
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

/* Those of a result are the same for all. */
static void
make_labels(struct pipeline *p)
{
	struct npu_label l = { .count = (uint16_t)p->outputs };
	struct npu_err err;

	p->labels = cmd_alloc((size_t)l.count * NPU_LABEL_SIZE);
	for (uint16_t i = 0; i < l.count; i++) {
		l.tensor = *npu_output(p->spec.npu, i);
		l.index = i;
		if (npu_label_encode(&l, p->labels + (size_t)i *
		    NPU_LABEL_SIZE, &err) < 0)
			cmd_die("output %" PRIu16 ": %s; -r writes it without "
			    "a label", i, err.msg);
	}
}

void
pipeline_write(struct pipeline *p)
{
	size_t slot = ordered_pool_next(p->writer);

	if (!p->spec.raw && p->labels == NULL)
		make_labels(p);
	p->out[slot].tensors = p->spare[--p->spares];
	ordered_pool_submit(p->writer);
}
