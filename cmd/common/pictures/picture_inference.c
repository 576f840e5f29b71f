// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "base/clock.h"
#include "device.h"
#include "picture_inference.h"
#include "progress.h"

void
picture_inference_open(struct picture_inference *f,
    struct inference *inference)
{
	f->inference = inference;
	f->answer = cmd_alloc(npu_output_size(inference->npu));
	/* The pictures in flight, and one being handed out. */
	f->spec.in_use = INFERENCE_DEPTH + 1;
	f->pool = preprocess_pool_open(&f->spec);
	progress_begin("pictures", 0);
}

void
picture_inference_close(struct picture_inference *f)
{
	progress_end();
	preprocess_pool_close(f->pool);
	free(f->answer);
	f->pool = NULL;
	f->answer = NULL;
}

/* ---- One picture ------------------------------------------------------- */

static uint64_t
sum(const struct npu_times *t)
{
	return t->create + t->load + t->infer + t->get + t->clean;
}

/* Submits the oldest picture, as soon as it is decoded. */
static void
submit(struct picture_inference *f)
{
	uint64_t begin = clock_ns();
	struct preprocessed *p = preprocess_pool_take(f->pool);

	cmd_end_if_stopped();
	f->wait_preprocess_ns += clock_ns() - begin;
	f->preprocess_ns += p->ns;
	inference_submit(f->inference,
	    p->error == NULL && !p->known ? p->tensor : NULL, p);
}

/* Hands out the oldest picture that was submitted. */
static void
finish(struct picture_inference *f)
{
	uint64_t begin = clock_ns();
	struct inference_result *r = inference_take(f->inference, f->answer);
	struct preprocessed *p = r->tag;

	f->wait_infer_ns += clock_ns() - begin;
	if (r->ran)
		f->infer_ns += sum(r->times);
	if (r->rc < 0)
		p->error = r->err.msg;
	f->done(f->arg, p, r->ran && r->rc == 0 ? f->answer : NULL);
	cmd_end_if_stopped();
	preprocess_pool_release(f->pool);
	progress_update(++f->finished);
}

/* ---- All pictures ------------------------------------------------------ */

/* Does one step that will not block, feeding the model first.  Returns false if
 * no such step exists. */
static bool
advance_ready(struct picture_inference *f)
{
	if (preprocess_pool_ready(f->pool) && !inference_full(f->inference))
		submit(f);
	else if (inference_ready(f->inference))
		finish(f);
	else
		return false;
	return true;
}

/* While the model works, wait for the model and not for the next picture: no
 * result is then held back, and the model gets its next input at once. */
static void
advance(struct picture_inference *f)
{
	if (advance_ready(f))
		return;
	if (inference_waiting(f->inference) > 0)
		finish(f);
	else
		submit(f);
}

void
picture_inference_add(struct picture_inference *f,
    const struct picture_item *item)
{
	while (preprocess_pool_full(f->pool))
		advance(f);
	preprocess_pool_add(f->pool, item);
	while (advance_ready(f))
		;
}

void
picture_inference_drain(void *arg)
{
	struct picture_inference *f = arg;

	while (preprocess_pool_waiting(f->pool) ||
	    inference_waiting(f->inference) > 0)
		advance(f);
}

void
picture_inference_all(struct picture_inference *f, struct pictures *pictures)
{
	struct picture_item item;

	if (progress_wanted())
		progress_total(pictures_count(pictures));
	while (pictures_next(pictures, &item))
		picture_inference_add(f, &item);
	picture_inference_drain(f);
	cmd_end_if_stopped();
	pictures_close(pictures);
}
