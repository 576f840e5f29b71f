// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "pipeline.h"
#include "thread.h"

enum {
	FRAMES = 2,	/* one is read while the other waits to be begun */
	WAITING = 2,	/* results that are or wait to be written */
};

/*
 * Frame k is in[k % FRAMES], result k is out[k % results].
 * begun <= read <= begun + FRAMES; written <= made <= written + results.
 * A buffer that is free is in spare, the last one used on top: a processor
 * still has it at hand, so few of them are used while the writing keeps up.
 */
struct flow {
	struct flow_spec spec;
	uint32_t outputs;	/* of the model, which threads may outlive */
	uint64_t *size;		/* of each */
	unsigned results;
	uint8_t **in, **out;
	uint8_t *labels;	/* of a result; NULL: not made yet, or raw */
	uint8_t *made_next;	/* taken from spare for result number made */

	pthread_t reader, writer;
	pthread_mutex_t lock;	/* of all below */
	pthread_cond_t room, result;	/* reader, writer: there is one */
	pthread_cond_t news;	/* for the program's thread */
	uint64_t read, begun, made, written;
	uint8_t **spare;
	unsigned spares;
	bool ended;		/* no frame comes any more: ... */
	int rc;			/* ... 0, or an error, which err tells */
	struct npu_err err;
	bool last;		/* no result comes any more */
	bool broken;		/* nor can one be written */
};

/* ---- The reader's thread ----------------------------------------------- */

static void *
read_frames(void *arg)
{
	struct flow *f = arg;
	int rc;

	do {
		pthread_mutex_lock(&f->lock);
		while (f->read - f->begun == FRAMES)
			pthread_cond_wait(&f->room, &f->lock);
		pthread_mutex_unlock(&f->lock);
		rc = frame_reader_read(f->spec.frames, f->in[f->read % FRAMES],
		    &f->err);
		pthread_mutex_lock(&f->lock);
		if (rc > 0)
			f->read++;
		f->ended = rc <= 0;
		f->rc = rc;
		pthread_cond_signal(&f->news);
		pthread_mutex_unlock(&f->lock);
	} while (rc > 0);
	return NULL;
}

/* ---- The writer's thread ----------------------------------------------- */

/* In one write where it is small. */
static bool
write_result(const struct flow *f, const uint8_t *p)
{
	struct output *o = f->spec.out;

	for (size_t i = 0; i < f->outputs; i++) {
		if (!f->spec.raw && !cmd_write(o, f->labels +
		    i * NPU_LABEL_SIZE, NPU_LABEL_SIZE))
			return false;
		if (!cmd_write(o, p, f->size[i]))
			return false;
		p += f->size[i];
	}
	return cmd_end_record(o);
}

/* A pipe without a reader is told to the thread that writes to it. */
static void
hear_of_pipes(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGPIPE);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static void *
write_results(void *arg)
{
	struct flow *f = arg;
	bool good = true;

	hear_of_pipes();
	pthread_mutex_lock(&f->lock);
	while (good) {
		while (f->written == f->made && !f->last)
			pthread_cond_wait(&f->result, &f->lock);
		if (f->written == f->made)
			break;
		pthread_mutex_unlock(&f->lock);
		good = write_result(f, f->out[f->written % f->results]);
		pthread_mutex_lock(&f->lock);
		f->spare[f->spares++] = f->out[f->written++ % f->results];
		f->broken = !good;
		pthread_cond_signal(&f->news);
	}
	pthread_mutex_unlock(&f->lock);
	return NULL;
}

/* ---- Opening and closing ----------------------------------------------- */

static uint8_t **
buffers(unsigned n, uint64_t size)
{
	uint8_t **p = cmd_alloc(n * sizeof(*p));

	for (unsigned i = 0; i < n; i++)
		p[i] = cmd_alloc(size);
	return p;
}

static void
free_buffers(uint8_t **p, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		free(p[i]);
	free(p);
}

static void
start(pthread_t *thread, void *(*run)(void *), struct flow *f)
{
	int e = wait_start(thread, run, f);

	if (e != 0)
		cmd_die("no thread can be started: %s", strerror(e));
}

struct flow *
flow_open(const struct flow_spec *spec)
{
	struct flow *f = cmd_alloc(sizeof(*f));

	f->spec = *spec;
	f->outputs = npu_outputs(spec->npu);
	f->size = cmd_alloc(f->outputs * sizeof(*f->size));
	for (uint32_t i = 0; i < f->outputs; i++)
		f->size[i] = npu_output(spec->npu, i)->size;
	f->results = spec->depth + WAITING;
	f->in = buffers(FRAMES, npu_input_size(spec->npu));
	f->spare = buffers(f->results, npu_output_size(spec->npu));
	f->spares = f->results;
	f->out = cmd_alloc(f->results * sizeof(*f->out));
	spec->out->threaded = true;
	pthread_mutex_init(&f->lock, NULL);
	pthread_cond_init(&f->room, NULL);
	pthread_cond_init(&f->result, NULL);
	pthread_cond_init(&f->news, NULL);
	start(&f->writer, write_results, f);
	start(&f->reader, read_frames, f);
	return f;
}

void
flow_finish(struct flow *f)
{
	pthread_mutex_lock(&f->lock);
	f->last = true;
	pthread_cond_signal(&f->result);
	while (f->written < f->made && !f->broken && cmd_stop == 0)
		wait_some(&f->news, &f->lock);
	pthread_mutex_unlock(&f->lock);
	cmd_end_if_stopped();
	pthread_join(f->writer, NULL);
	cmd_end_if_stopped();
	cmd_check_output(f->spec.out);
	f->spec.out->threaded = false;
}

void
flow_close(struct flow *f)
{
	if (f->rc < 0)
		cmd_die_err(frame_reader_name(f->spec.frames), &f->err);
	pthread_join(f->reader, NULL);
	pthread_cond_destroy(&f->room);
	pthread_cond_destroy(&f->result);
	pthread_cond_destroy(&f->news);
	pthread_mutex_destroy(&f->lock);
	free_buffers(f->in, FRAMES);
	free(f->made_next);
	free_buffers(f->spare, f->spares);
	free(f->out);
	free(f->size);
	free(f->labels);
	free(f);
}

/* ---- The program's thread ---------------------------------------------- */

static bool
can_begin(const struct flow *f, unsigned running)
{
	return f->read > f->begun &&
	    f->made + running - f->written < f->results;
}

static bool
over(const struct flow *f)
{
	return f->broken || cmd_stop != 0 ||
	    (f->ended && f->read == f->begun);
}

const void *
flow_next(struct flow *f, unsigned running)
{
	bool good;

	pthread_mutex_lock(&f->lock);
	while (running == 0 && !can_begin(f, running) && !over(f))
		wait_some(&f->news, &f->lock);
	good = can_begin(f, running) && !over(f);
	pthread_mutex_unlock(&f->lock);
	return good ? f->in[f->begun % FRAMES] : NULL;
}

void
flow_begun(struct flow *f)
{
	pthread_mutex_lock(&f->lock);
	f->begun++;
	pthread_cond_signal(&f->room);
	pthread_mutex_unlock(&f->lock);
}

void *
flow_room(struct flow *f)
{
	if (f->made_next == NULL) {
		pthread_mutex_lock(&f->lock);
		f->made_next = f->spare[--f->spares];
		pthread_mutex_unlock(&f->lock);
	}
	return f->made_next;
}

/* Those of a result are the same for all. */
static void
make_labels(struct flow *f)
{
	struct npu_label l = { .count = (uint16_t)npu_outputs(f->spec.npu) };
	struct npu_err err;

	f->labels = cmd_alloc((size_t)l.count * NPU_LABEL_SIZE);
	for (uint16_t i = 0; i < l.count; i++) {
		l.tensor = *npu_output(f->spec.npu, i);
		l.index = i;
		if (npu_label_encode(&l, f->labels + (size_t)i *
		    NPU_LABEL_SIZE, &err) < 0)
			cmd_die("output %" PRIu16 ": %s; -r writes it without "
			    "a label", i, err.msg);
	}
}

void
flow_write(struct flow *f)
{
	if (!f->spec.raw && f->labels == NULL)
		make_labels(f);
	pthread_mutex_lock(&f->lock);
	f->out[f->made++ % f->results] = f->made_next;
	pthread_cond_signal(&f->result);
	pthread_mutex_unlock(&f->lock);
	f->made_next = NULL;
}
