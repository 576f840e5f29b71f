// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "device.h"
#include "preprocess_pool.h"
#include "sha256.h"
#include "thread.h"

enum {
	/* Beside those that threads work on: one is used by the caller, one
	 * waits for it. */
	SPARE = 2,
	/* Bytes of a file that is read whole, as they are needed twice.  100
	 * million pixels of 16 bits, not packed. */
	FILE_LIMIT = 1 << 30,
};

struct preprocess_slot {
	char *path;		/* NULL: bytes */
	struct buf bytes;
	struct prepared out;
	struct npu_err err;	/* what out.error points to */
	bool done;
};

/*
 * Slots are numbered from 0 as they are added; that of number k is
 * slot[k % slots].  taken <= begun <= added <= taken + slots; what was taken
 * last is still in use, so it counts until the next is.
 */
struct prepare {
	struct prepare_spec spec;
	size_t tensor_size;
	pthread_mutex_t lock;	/* of begun, added, stop and done */
	pthread_cond_t work, done;
	pthread_t thread[PREPARE_THREADS];
	unsigned started;
	size_t taken, begun, added;
	bool stop;
	bool in_use;		/* slot taken - 1 */
	size_t slots;
	struct preprocess_slot *slot;
};

/* ---- A picture --------------------------------------------------------- */

static int
prepare_source(const struct prepare *p, struct preprocess_slot *s,
    struct picture_source source)
{
	return prep_picture(p->spec.prep, source, &p->spec.limits,
	    s->out.tensor, &s->out.geometry, &s->err);
}

/* All bytes of the file, which are needed twice. */
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

static int
prepare_both(const struct prepare *p, struct preprocess_slot *s)
{
	struct bytes b;
	int rc;

	if (s->path != NULL && (rc = load(s)) < 0)
		return rc;
	b = (struct bytes){ (uint8_t *)s->bytes.p, s->bytes.n };
	if ((rc = prepare_source(p, s, source_bytes(&b))) < 0)
		return rc;
	b = (struct bytes){ (uint8_t *)s->bytes.p, s->bytes.n };
	return picture_read(source_bytes(&b), p->spec.limits.max_pixels,
	    &s->out.image, &s->err);
}

/* Its bytes are hashed first: for one that is known that is all. */
static int
prepare_wanted(const struct prepare *p, struct preprocess_slot *s)
{
	struct bytes b;
	int rc;

	if (s->path != NULL && (rc = load(s)) < 0)
		return rc;
	b = (struct bytes){ (uint8_t *)s->bytes.p, s->bytes.n };
	sha256_digest(b.p, b.n, s->out.sha256);
	s->out.known = !p->spec.wanted(p->spec.arg, s->out.name,
	    s->out.sha256);
	return s->out.known ? 0 : prepare_source(p, s, source_bytes(&b));
}

static int
prepare_one(const struct prepare *p, struct preprocess_slot *s)
{
	struct picture_input in;
	int rc;

	if (p->spec.images)
		return prepare_both(p, s);
	if (p->spec.wanted != NULL)
		return prepare_wanted(p, s);
	rc = picture_input(&in, s->path, (struct bytes){
	    (uint8_t *)s->bytes.p, s->bytes.n }, &s->err);
	if (rc < 0)
		return rc;
	rc = prepare_source(p, s, in.source);
	picture_input_close(&in);
	return rc;
}

static void
prepare_slot(const struct prepare *p, struct preprocess_slot *s)
{
	uint64_t begin = clock_ns();

	if (s->out.error == NULL && prepare_one(p, s) < 0)
		s->out.error = s->err.msg;
	if (s->out.error != NULL)
		prep_blank(p->spec.prep, s->out.tensor);
	s->out.ns = clock_ns() - begin;
}

/* ---- Threads ----------------------------------------------------------- */

static void *
serve(void *arg)
{
	struct prepare *p = arg;
	struct preprocess_slot *s;

	pthread_mutex_lock(&p->lock);
	for (;;) {
		while (p->begun == p->added && !p->stop)
			pthread_cond_wait(&p->work, &p->lock);
		if (p->stop)
			break;
		s = &p->slot[p->begun++ % p->slots];
		pthread_mutex_unlock(&p->lock);
		prepare_slot(p, s);
		pthread_mutex_lock(&p->lock);
		s->done = true;
		pthread_cond_signal(&p->done);
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

static void
start_threads(struct prepare *p)
{
	int e = 0;

	while (p->started < p->spec.threads &&
	    (e = wait_start(&p->thread[p->started], serve, p)) == 0)
		p->started++;
	if (p->started == 0)
		cmd_die("no thread can be started: %s", strerror(e));
}

struct prepare *
prepare_open(const struct prepare_spec *spec)
{
	struct prepare *p = cmd_alloc(sizeof(*p));

	p->spec = *spec;
	p->tensor_size = prep_recipe(spec->prep)->tensor.size;
	p->slots = spec->threads + SPARE;
	p->slot = cmd_alloc(p->slots * sizeof(*p->slot));
	for (size_t i = 0; i < p->slots; i++)
		p->slot[i].out.tensor = cmd_alloc(p->tensor_size);
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->work, NULL);
	pthread_cond_init(&p->done, NULL);
	start_threads(p);
	return p;
}

/* ---- In and out -------------------------------------------------------- */

static void
forget(struct preprocess_slot *s)
{
	free(s->out.name);
	free(s->out.image.rgb);
	s->out.name = NULL;
	s->out.image.rgb = NULL;
	s->out.error = NULL;
	s->out.known = false;
	s->done = false;
}

/* What is said of an item must outlive it. */
static void
fill(struct preprocess_slot *s, const struct picture_item *item)
{
	forget(s);
	free(s->path);
	s->path = NULL;
	buf_clear(&s->bytes);
	s->out.name = picture_item_name(item);
	s->out.file = picture_item_file(item);
	/* The name of a stream lasts, that of a file may not. */
	if (s->out.file != NULL && item->number == 0)
		s->out.file = s->out.name;
	s->out.number = item->number;
	if (item->error != NULL) {
		npu_fail(&s->err, NPU_EFORMAT, "%s", item->error);
		s->out.error = s->err.msg;
	} else if (item->path == NULL) {
		buf_add(&s->bytes, item->bytes.p, item->bytes.n);
	} else if ((s->path = strdup(item->path)) == NULL) {
		cmd_die("out of memory");
	}
	if (s->bytes.failed)
		cmd_die("out of memory");
}

void
prepare_add(struct prepare *p, const struct picture_item *item)
{
	fill(&p->slot[p->added % p->slots], item);
	pthread_mutex_lock(&p->lock);
	p->added++;
	/* glibc before 2.41 may lose a signal to several (its bug 25847). */
	pthread_cond_broadcast(&p->work);
	pthread_mutex_unlock(&p->lock);
}

bool
prepare_full(const struct prepare *p)
{
	return p->added - p->taken + p->in_use == p->slots;
}

bool
prepare_waiting(const struct prepare *p)
{
	return p->added > p->taken;
}

bool
prepare_ready(struct prepare *p)
{
	bool done;

	pthread_mutex_lock(&p->lock);
	done = prepare_waiting(p) && p->slot[p->taken % p->slots].done;
	pthread_mutex_unlock(&p->lock);
	return done;
}

struct prepared *
prepare_take(struct prepare *p)
{
	struct preprocess_slot *s = &p->slot[p->taken % p->slots];

	pthread_mutex_lock(&p->lock);
	while (!s->done && cmd_stop == 0)
		wait_some(&p->done, &p->lock);
	pthread_mutex_unlock(&p->lock);
	cmd_end_if_stopped();
	p->taken++;
	p->in_use = true;
	return &s->out;
}

void
prepare_close(struct prepare *p)
{
	pthread_mutex_lock(&p->lock);
	p->stop = true;
	pthread_cond_broadcast(&p->work);
	pthread_mutex_unlock(&p->lock);
	for (unsigned i = 0; i < p->started; i++)
		pthread_join(p->thread[i], NULL);
	for (size_t i = 0; i < p->slots; i++) {
		forget(&p->slot[i]);
		free(p->slot[i].path);
		buf_free(&p->slot[i].bytes);
		free(p->slot[i].out.tensor);
	}
	pthread_cond_destroy(&p->work);
	pthread_cond_destroy(&p->done);
	pthread_mutex_destroy(&p->lock);
	free(p->slot);
	free(p);
}
