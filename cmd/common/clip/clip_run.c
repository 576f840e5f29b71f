// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "clip_run.h"
#include "device.h"
#include "sha256.h"

void
clip_run_begin(struct clip_run *r, struct clip *c)
{
	r->clip = c;
	clip_load(c);
}

void
clip_run_end(struct clip_run *r)
{
	clip_run_texts_drain(r);
	clip_unload(r->clip);
}

/* ---- Results ----------------------------------------------------------- */

/* answer is NULL if nothing ran; result->error or ->known explains why. */
static void
hand_out(struct clip_run *r, struct clip_result *result, const void *answer)
{
	struct npu_err err;

	result->x = r->clip->x;
	if (answer != NULL && clip_vector(r->clip, answer, &err) < 0)
		result->error = err.msg;
	r->done(r->arg, result);
}

/* ---- Texts ------------------------------------------------------------- */

/* A text being run through the model. */
struct clip_text {
	struct clip_result result;
	char *name, *id;	/* owned: the result's name and id */
	struct npu_err err;	/* what result.error points to */
};

static void
free_text(struct clip_text *t)
{
	free(t->name);
	free(t->id);
	free(t);
}

static void
finish_text(struct clip_run *r)
{
	struct clip *c = r->clip;
	uint64_t begin = clock_ns();
	struct inference_result *done = inference_take(&c->inference,
	    c->answer);
	struct clip_text *t = done->tag;

	r->wait_texts_ns += clock_ns() - begin;
	if (done->rc < 0)
		t->result.error = done->err.msg;
	hand_out(r, &t->result, done->ran && done->rc == 0 ? c->answer : NULL);
	free_text(t);
}

void
clip_run_texts_drain(void *arg)
{
	struct clip_run *r = arg;

	while (inference_waiting(&r->clip->inference) > 0)
		finish_text(r);
}

static struct clip_text *
new_text(const struct text_record *text)
{
	struct clip_text *t = cmd_alloc(sizeof(*t));

	t->name = cmd_text("%s: %s %" PRIu64, text->name, text->unit,
	    text->number);
	t->id = cmd_alloc(text->n + 1);
	if (text->n > 0)
		memcpy(t->id, text->p, text->n);
	t->result = (struct clip_result){ .name = t->name, .id = t->id,
	    .id_n = text->n, .number = text->number };
	return t;
}

/* True if the model does not have to run for this text. */
static bool
is_known(struct clip_run *r, struct clip_result *result)
{
	if (r->wanted == NULL)
		return false;
	sha256_digest(result->id, result->id_n, result->sha256);
	result->known = !r->wanted(r->wanted_arg, result->sha256);
	return result->known;
}

void
clip_run_text(struct clip_run *r, const struct text_record *text)
{
	struct inference *f = &r->clip->inference;
	struct clip_text *t = new_text(text);
	const void *row = NULL;
	bool skipped = false;

	if (!is_known(r, &t->result)) {
		row = clip_row(r->clip, text, &skipped, &t->err);
		t->result.error = row == NULL ? t->err.msg : NULL;
	}
	if (skipped) {
		r->skipped++;
		free_text(t);
		return;
	}
	while (inference_full(f))
		finish_text(r);
	inference_submit(f, row, t);
	cmd_end_if_stopped();
	while (inference_ready(f))
		finish_text(r);
}

/* ---- Pictures ---------------------------------------------------------- */

static void
finish_picture(void *arg, struct preprocessed *p, const void *answer)
{
	/* Messages show an empty name as two quotes; data keep it empty. */
	const char *id = p->file != NULL && *p->file == '\0' ? "" : p->name;
	struct clip_result result = { .name = p->name, .id = id,
	    .id_n = strlen(id), .file = p->file, .number = p->number,
	    .error = p->error, .known = p->known };

	memcpy(result.sha256, p->sha256, sizeof(result.sha256));
	hand_out(arg, &result, answer);
}

void
clip_run_pictures_open(struct clip_run *r, char *const *operands)
{
	r->pictures.pause = picture_inference_drain;
	r->pictures.arg = &r->images;
	pictures_open(&r->pictures, operands);
	r->images.spec.limits.max_pixels = r->pictures.max_pixels;
}

void
clip_run_pictures(struct clip_run *r)
{
	r->images.spec.prep = r->clip->prep;
	r->images.spec.wanted = r->wanted;
	r->images.spec.arg = r->wanted_arg;
	r->images.done = finish_picture;
	r->images.arg = r;
	picture_inference_open(&r->images, &r->clip->inference);
	picture_inference_all(&r->images, &r->pictures);
	picture_inference_close(&r->images);
}
