/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pictures made into a model's inputs by threads of their own, while the
 * program's runs the model; they come back in the order in which they went in.
 *
 *	p = prepare_open(&spec);
 *	while (pictures_next(&pictures, &item)) {
 *		prepare_add(p, &item);
 *		while (prepare_full(p))
 *			use(prepare_take(p));
 *	}
 *	while (prepare_waiting(p))
 *		use(prepare_take(p));
 *	prepare_close(p);
 */
#ifndef CMD_PICTURES_PREPROCESS_POOL_H
#define CMD_PICTURES_PREPROCESS_POOL_H

#include "ordered_pool.h"
#include "pictures.h"
#include "vision/prep.h"

#define PREPARE_THREADS INORDER_THREADS	/* most */

struct prepared {
	char *name;		/* as messages name it */
	const char *file;	/* as records name it; NULL for one on stdin */
	uint64_t number;	/* of a picture in a stream, from 1; else 0 */
	const char *error;	/* why it is no picture; NULL: it is one */
	struct geometry geometry;
	uint8_t *tensor;	/* of a bad picture: padding */
	struct image image;	/* upright, with spec.images; rgb NULL: none */
	uint8_t sha256[32];	/* of its bytes, with spec.wanted */
	bool known;		/* spec.wanted() said no: nothing was made */
	uint64_t ns;		/* that a thread took for it */
};

struct prepare_spec {
	const struct prep *prep;
	struct prep_limits limits;
	unsigned threads;
	bool images;		/* the whole picture is wanted, too */
	/* Whether a picture of that name and content is to be made into a
	 * tensor; called in any thread.  NULL: all are, and none is hashed. */
	bool (*wanted)(void *arg, const char *name, const uint8_t sha256[32]);
	void *arg;
};

struct prepare;

/* Dies where no thread can be started.  spec is copied, prep stays the
 * caller's. */
struct prepare *prepare_open(const struct prepare_spec *spec);
/* Copies what the item says.  There must be room: !prepare_full(). */
void prepare_add(struct prepare *p, const struct picture_item *item);
/* As many wait as may: one must be taken before another is added. */
bool prepare_full(const struct prepare *p);
bool prepare_waiting(const struct prepare *p);
/* The oldest waits, and can be taken without waiting for it. */
bool prepare_ready(struct prepare *p);
/* The oldest, as soon as it is ready; valid until the next call.  One must
 * wait.  Ends the program by the signal that comes before (device.h). */
struct prepared *prepare_take(struct prepare *p);
/* Waits for what is under way. */
void prepare_close(struct prepare *p);

#endif
