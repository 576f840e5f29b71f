// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "clip_run.h"
#include "device.h"
#include "sha256.h"

/* A text or a picture on its way through the model. */
struct item {
	struct clip_result result;
	char *name, *id, *file, *error;		/* owned: result's */
};

/* ---- Out --------------------------------------------------------------- */

static void
free_item(struct item *i)
{
	free(i->name);
	free(i->id);
	free(i->file);
	free(i->error);
	free(i);
}

static void
take(struct clip_run *r)
{
	uint64_t begin = clock_ns();
	struct encoded *e = encoder_take(&r->clip->encoder);
	struct item *i = e->item;

	r->wait_model_ns += clock_ns() - begin;
	cmd_end_if_stopped();
	if (i->error == NULL)
		i->result.error = e->error;
	i->result.x = e->x;
	r->done(r->arg, &i->result);
	free_item(i);
}

static void
take_all(struct clip_run *r)
{
	while (encoder_waiting(&r->clip->encoder))
		take(r);
}

/* ---- In ---------------------------------------------------------------- */

/* A string even where p holds none; NULL stays NULL. */
static char *
copy(const char *p, size_t n)
{
	char *q;

	if (p == NULL)
		return NULL;
	q = cmd_alloc(n + 1);
	memcpy(q, p, n);
	return q;
}

static char *
copy_string(const char *s)
{
	return copy(s, s != NULL ? strlen(s) : 0);
}

/* input NULL: what->error says why, or it is known. */
static void
add(struct clip_run *r, const void *input, const struct clip_result *what)
{
	struct item *i = cmd_alloc(sizeof(*i));

	i->result = *what;
	i->result.name = i->name = copy_string(what->name);
	i->result.id = i->id = copy(what->id, what->id_n);
	i->result.file = i->file = copy_string(what->file);
	i->result.error = i->error = copy_string(what->error);
	while (encoder_full(&r->clip->encoder))
		take(r);
	encoder_add(&r->clip->encoder, input, i);
	cmd_end_if_stopped();
}

void
clip_run_begin(struct clip_run *r, struct clip *c)
{
	r->clip = c;
	clip_load(c);
}

void
clip_run_end(struct clip_run *r)
{
	take_all(r);
	clip_unload(r->clip);
}

/* ---- Texts ------------------------------------------------------------- */

/* True if nothing is to be run for it. */
static bool
is_known(struct clip_run *r, const struct text_record *text,
    struct clip_result *what)
{
	if (r->wanted == NULL)
		return false;
	sha256_digest(text->p, text->n, what->sha256);
	what->known = !r->wanted(r->wanted_arg, text->p, text->n, what->sha256);
	return what->known;
}

void
clip_run_text(struct clip_run *r, const struct text_record *text)
{
	struct clip_result what = { .id = text->p, .id_n = text->n,
	    .number = text->number };
	const void *row = NULL;
	struct npu_err err;
	bool skipped = false;
	char *name;

	if (!is_known(r, text, &what)) {
		row = clip_row(r->clip, text, &skipped, &err);
		what.error = row == NULL ? err.msg : NULL;
	}
	if (skipped) {
		r->skipped++;
		return;
	}
	name = cmd_text("%s: %s %" PRIu64, text->name, text->unit,
	    text->number);
	what.name = name;
	add(r, row, &what);
	free(name);
	while (encoder_ready(&r->clip->encoder))
		take(r);
}

void
clip_run_pause(void *arg)
{
	struct clip_run *r = arg;

	take_all(r);
}

/* ---- Pictures ---------------------------------------------------------- */

/* The oldest picture goes to the model. */
static void
move(struct clip_run *r)
{
	uint64_t begin = clock_ns();
	struct preprocessed *p = preprocess_pool_take(r->prepare);
	struct clip_result what = { 0 };

	cmd_end_if_stopped();
	r->wait_prepare_ns += clock_ns() - begin;
	r->prepare_ns += p->ns;
	what.name = what.id = p->name;
	what.id_n = strlen(p->name);
	what.file = p->file;
	what.number = p->number;
	what.error = p->error;
	what.known = p->known;
	memcpy(what.sha256, p->sha256, sizeof(what.sha256));
	add(r, p->error == NULL && !p->known ? p->tensor : NULL, &what);
	preprocess_pool_release(r->prepare);
}

/* What can be done without waiting; false: nothing.  The model is fed first. */
static bool
pump(struct clip_run *r)
{
	struct encoder *m = &r->clip->encoder;

	if (preprocess_pool_ready(r->prepare) && !encoder_full(m))
		move(r);
	else if (encoder_ready(m))
		take(r);
	else
		return false;
	return true;
}

/* While the model works, what it works on is waited for, and not the next
 * picture: so no result is held back, and it is fed again at once. */
static void
advance(struct clip_run *r)
{
	if (pump(r))
		return;
	if (encoder_waiting(&r->clip->encoder))
		take(r);
	else
		move(r);
}

static void
finish(void *arg)
{
	struct clip_run *r = arg;

	while (preprocess_pool_waiting(r->prepare))
		advance(r);
	take_all(r);
}

void
clip_run_pictures_open(struct clip_run *r, char *const *operands)
{
	r->pictures.pause = finish;
	r->pictures.arg = r;
	pictures_open(&r->pictures, operands);
	r->spec.limits.max_pixels = r->pictures.max_pixels;
}

static bool
wanted(void *arg, const char *name, const uint8_t sha256[32])
{
	struct clip_run *r = arg;

	return r->wanted(r->wanted_arg, name, strlen(name), sha256);
}

void
clip_run_pictures(struct clip_run *r)
{
	struct picture_item item;

	r->spec.prep = r->clip->prep;
	r->spec.wanted = r->wanted != NULL ? wanted : NULL;
	r->spec.arg = r;
	r->spec.in_use = 1;
	r->prepare = preprocess_pool_open(&r->spec);
	while (pictures_next(&r->pictures, &item)) {
		while (preprocess_pool_full(r->prepare))
			advance(r);
		preprocess_pool_add(r->prepare, &item);
		while (pump(r))
			;
	}
	finish(r);
	cmd_end_if_stopped();
	preprocess_pool_close(r->prepare);
	pictures_close(&r->pictures);
}
