/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads make pictures into a model's inputs while the program's own thread
 * runs the model; results come back in the order of the pictures.
 *
 *	pool = preprocess_pool_open(&spec);
 *	while (pictures_next(&pictures, &item)) {
 *		while (preprocess_pool_full(pool))
 *			use(preprocess_pool_take(pool)),
 *			    preprocess_pool_release(pool);
 *		preprocess_pool_add(pool, &item);
 *	}
 *	while (preprocess_pool_waiting(pool))
 *		use(preprocess_pool_take(pool)), preprocess_pool_release(pool);
 *	preprocess_pool_close(pool);
 */
#ifndef CMD_PICTURES_PREPROCESS_POOL_H
#define CMD_PICTURES_PREPROCESS_POOL_H

#include "pictures.h"
#include "thread.h"
#include "vision/prep.h"

struct preprocessed {
	char *name;		/* as messages name it */
	const char *file;	/* as records name it; NULL for one on stdin */
	uint64_t number;	/* of a picture in a stream, from 1; else 0 */
	const char *error;	/* why it is no picture; NULL: it is one */
	struct geometry geometry;
	uint8_t *tensor;	/* after spec.head; padding if it is bad */
	struct image image;	/* upright, with spec.images; rgb NULL: none */
	uint8_t sha256[32];	/* of its bytes, with spec.wanted */
	bool known;		/* spec.wanted() was false: nothing was made */
	uint64_t ns;		/* thread time spent on it */
};

struct preprocess_spec {
	const struct prep *prep;
	struct prep_limits limits;
	unsigned threads;	/* 0: the caller's own */
	unsigned in_use;	/* most taken and not released */
	bool images;		/* keep the whole picture, too */
	struct bytes head;	/* copied before each tensor, so that a write
				   takes both */
	/* Whether a picture with that content is to be made into a tensor;
	 * called in any thread.  NULL: all are, and none is hashed. */
	bool (*wanted)(void *arg, const uint8_t sha256[32]);
	void *arg;
};

struct preprocess_pool;

/* Dies where no thread can be started.  spec is copied, prep stays the
 * caller's. */
struct preprocess_pool *preprocess_pool_open(
    const struct preprocess_spec *spec);
/* No room for another: one must be taken and released before. */
bool preprocess_pool_full(const struct preprocess_pool *p);
/* Copies the item.  There must be room. */
void preprocess_pool_add(struct preprocess_pool *p,
    const struct picture_item *item);
/* Some were added and not yet taken. */
bool preprocess_pool_waiting(const struct preprocess_pool *p);
/* The oldest of them can be taken without waiting. */
bool preprocess_pool_ready(struct preprocess_pool *p);
/* The oldest, as soon as it is ready; valid until it is released.  Notes what
 * was left over in it.  NULL where cmd_stop was set before. */
struct preprocessed *preprocess_pool_take(struct preprocess_pool *p);
/* The oldest of those taken is no longer needed. */
void preprocess_pool_release(struct preprocess_pool *p);
/* Waits for work in progress; NULL is allowed. */
void preprocess_pool_close(struct preprocess_pool *p);

#endif
