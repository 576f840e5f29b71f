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
	char *name;		/* the picture's name in messages */
	const char *file;	/* the picture's name in records; NULL for
				   one on stdin */
	uint64_t number;	/* number of a picture in a stream, from 1;
				   else 0 */
	const char *error;	/* why it is not a picture; NULL: it is a
				   picture */
	struct geometry geometry;
	uint8_t *tensor;	/* follows spec.head; padding if the picture
				   is bad */
	struct image image;	/* upright, with spec.images; rgb NULL: not
				   kept */
	uint8_t sha256[32];	/* hash of its bytes, with spec.wanted */
	bool known;		/* spec.wanted() was false: the tensor was
				   not made */
	uint64_t ns;		/* thread time spent on it */
};

struct preprocess_spec {
	const struct prep *prep;
	struct prep_limits limits;
	unsigned threads;	/* 0: work in the calling thread */
	unsigned in_use;	/* most pictures taken and not released */
	bool images;		/* also keep the whole picture */
	struct bytes head;	/* copied before each tensor: one write takes
				   both */
	/* Returns whether to convert a picture with that hash to a tensor;
	 * called in any thread.  NULL: converts all, without hashing. */
	bool (*wanted)(void *arg, const uint8_t sha256[32]);
	void *arg;
};

struct preprocess_pool;

/* Starts the threads; dies if none can be started.  Copies spec; prep stays the
 * caller's. */
struct preprocess_pool *preprocess_pool_open(
    const struct preprocess_spec *spec);
/* True if the pool is full: take and release a picture before the next. */
bool preprocess_pool_full(const struct preprocess_pool *p);
/* Adds a picture; copies the item.  The pool must not be full. */
void preprocess_pool_add(struct preprocess_pool *p,
    const struct picture_item *item);
/* True if pictures were added and not yet taken. */
bool preprocess_pool_waiting(const struct preprocess_pool *p);
/* True if the oldest picture can be taken without waiting. */
bool preprocess_pool_ready(struct preprocess_pool *p);
/* Takes the oldest picture, as soon as it is ready; valid until it is released.
 * Prints a note about bytes left over in it.  Returns NULL if cmd_stop was set
 * before. */
struct preprocessed *preprocess_pool_take(struct preprocess_pool *p);
/* Releases the oldest picture that was taken. */
void preprocess_pool_release(struct preprocess_pool *p);
/* Waits for work in progress and frees the pool.  NULL is allowed. */
void preprocess_pool_close(struct preprocess_pool *p);

#endif
