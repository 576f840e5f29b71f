// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "cmd.h"
#include "ordered_pool.h"
#include "preprocess_pool.h"
#include "sha256.h"

enum {
	/* Limit for a file that is read whole because its bytes are needed
	 * twice: 178 million pixels of 16 bits, not packed. */
	FILE_LIMIT = 1 << 30,
	/* Limit for the bytes of waiting stream pictures, except for a single
	 * one. */
	FLIGHT = 64 << 20,
};

struct preprocess_slot {
	char *path;		/* NULL: bytes */
	struct buf bytes;
	size_t flight;		/* bytes of the picture, as they were added */
	uint8_t *room;		/* room for head and tensor; owned */
	struct preprocessed out;
	bool left_over;		/* set by picture_read() */
	struct npu_err err;	/* what out.error points to */
};

struct preprocess_pool {
	struct preprocess_spec spec;
	struct ordered_pool *pool;
	size_t flight;		/* bytes added and not taken */
	size_t slots;
	struct preprocess_slot *slot;
};

/* ---- A picture --------------------------------------------------------- */

static int
read_source(const struct preprocess_pool *p, struct preprocess_slot *s,
    struct picture_source source)
{
	int rc = prep_picture(p->spec.prep, source, &p->spec.limits,
	    s->out.tensor, &s->out.geometry, &s->err);

	s->left_over = rc > 0;
	return rc;
}

/* Reads all bytes of the file, because they are needed twice. */
static int
load(struct preprocess_slot *s)
{
	struct picture_input in;
	int rc = picture_input(&in, s->path, (struct bytes){ 0 }, &s->err);

	if (rc < 0)
		return rc;
	buf_clear(&s->bytes);
	rc = file_read(in.fd, FILE_LIMIT, &s->bytes, &s->err);
	picture_input_close(&in);
	return rc;
}

static struct bytes
bytes_of(const struct preprocess_slot *s)
{
	return (struct bytes){ (uint8_t *)s->bytes.p, s->bytes.n };
}

/* Hashes all bytes first; a known picture needs nothing more. */
static int
read_loaded(const struct preprocess_pool *p, struct preprocess_slot *s)
{
	struct bytes b;
	int rc;

	if (s->path != NULL && (rc = load(s)) < 0)
		return rc;
	b = bytes_of(s);
	if (p->spec.wanted != NULL) {
		sha256_digest(b.p, b.n, s->out.sha256);
		s->out.known = !p->spec.wanted(p->spec.arg, s->out.sha256);
	}
	if (s->out.known)
		return 0;
	if ((rc = read_source(p, s, source_bytes(&b))) < 0 ||
	    !p->spec.images)
		return rc;
	b = bytes_of(s);
	return picture_read(source_bytes(&b), p->spec.limits.max_pixels,
	    &s->out.image, &s->err);
}

static int
read_picture(const struct preprocess_pool *p, struct preprocess_slot *s)
{
	struct picture_input in;
	int rc;

	if (p->spec.images || p->spec.wanted != NULL)
		return read_loaded(p, s);
	if ((rc = picture_input(&in, s->path, bytes_of(s), &s->err)) < 0)
		return rc;
	rc = read_source(p, s, in.source);
	picture_input_close(&in);
	return rc;
}

static void
preprocess(void *arg, unsigned worker, size_t slot)
{
	const struct preprocess_pool *p = arg;
	struct preprocess_slot *s = &p->slot[slot];
	uint64_t begin = clock_ns();

	(void)worker;
	if (s->out.error == NULL && read_picture(p, s) < 0)
		s->out.error = s->err.msg;
	if (s->out.error != NULL)
		prep_blank(p->spec.prep, s->out.tensor);
	s->out.ns = clock_ns() - begin;
}

/* ---- Opening and closing ----------------------------------------------- */

static void
make_slot(const struct preprocess_spec *spec, struct preprocess_slot *s)
{
	s->room = cmd_alloc(spec->head.n +
	    prep_recipe(spec->prep)->tensor.size);
	if (spec->head.n > 0)
		memcpy(s->room, spec->head.p, spec->head.n);
	s->out.tensor = s->room + spec->head.n;
}

struct preprocess_pool *
preprocess_pool_open(const struct preprocess_spec *spec)
{
	struct preprocess_pool *p = cmd_alloc(sizeof(*p));

	p->spec = *spec;
	/* In addition to those in use and in progress, one slot is done and
	 * waits. */
	p->slots = spec->in_use + (spec->threads > 0 ? spec->threads + 1 : 0);
	p->slot = cmd_alloc(p->slots * sizeof(*p->slot));
	for (size_t i = 0; i < p->slots; i++)
		make_slot(spec, &p->slot[i]);
	p->pool = ordered_pool_open(&(struct ordered_pool_spec){
	    .threads = spec->threads, .slots = p->slots, .work = preprocess,
	    .arg = p });
	return p;
}

static void
clear(struct preprocess_slot *s)
{
	free(s->out.name);
	free(s->out.image.rgb);
	s->out.name = NULL;
	s->out.image.rgb = NULL;
	s->out.error = NULL;
	s->out.known = false;
	s->left_over = false;
}

void
preprocess_pool_close(struct preprocess_pool *p)
{
	if (p == NULL)
		return;
	ordered_pool_close(p->pool);
	for (size_t i = 0; i < p->slots; i++) {
		clear(&p->slot[i]);
		free(p->slot[i].path);
		buf_free(&p->slot[i].bytes);
		free(p->slot[i].room);
	}
	free(p->slot);
	free(p);
}

/* ---- Adding ------------------------------------------------------------ */

/* Copies: the slot must not point into the item, which it outlives. */
static void
fill(struct preprocess_slot *s, const struct picture_item *item)
{
	clear(s);
	free(s->path);
	s->path = NULL;
	buf_clear(&s->bytes);
	s->out.name = picture_item_name(item);
	s->out.file = picture_item_file(item);
	/* A stream's name stays valid, a file's name may not. */
	if (s->out.file != NULL && item->number == 0)
		s->out.file = *item->name != '\0' ? s->out.name : "";
	s->out.number = item->number;
	if (item->error != NULL) {
		npu_fail(&s->err, NPU_EFORMAT, "%s", item->error);
		s->out.error = s->err.msg;
	} else if (item->path == NULL) {
		buf_add(&s->bytes, item->bytes.p, item->bytes.n);
	} else {
		s->path = cmd_copy(item->path);
	}
	cmd_check_buf(&s->bytes);
}

bool
preprocess_pool_full(const struct preprocess_pool *p)
{
	return ordered_pool_full(p->pool) ||
	    (p->flight > FLIGHT && ordered_pool_waiting(p->pool));
}

void
preprocess_pool_add(struct preprocess_pool *p, const struct picture_item *item)
{
	struct preprocess_slot *s = &p->slot[ordered_pool_next(p->pool)];

	fill(s, item);
	s->flight = s->bytes.n;
	p->flight += s->flight;
	ordered_pool_submit(p->pool);
}

/* ---- Taking ------------------------------------------------------------ */

bool
preprocess_pool_waiting(const struct preprocess_pool *p)
{
	return ordered_pool_waiting(p->pool);
}

bool
preprocess_pool_ready(struct preprocess_pool *p)
{
	return ordered_pool_ready(p->pool);
}

struct preprocessed *
preprocess_pool_take(struct preprocess_pool *p)
{
	struct preprocess_slot *s;
	size_t i;

	if (!ordered_pool_take(p->pool, &i))
		return NULL;
	s = &p->slot[i];
	p->flight -= s->flight;
	if (s->left_over && s->out.error == NULL)
		cmd_note("%s: %s", s->out.name, PICTURE_LEFT_OVER);
	return &s->out;
}

void
preprocess_pool_release(struct preprocess_pool *p)
{
	ordered_pool_release(p->pool);
}
