/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs pictures through a model: while it runs several, threads decode the
 * next ones.  Results are handed out in the order of the pictures.
 *
 *	f.spec = ..., f.done = use, f.arg = ...;
 *	pictures.pause = picture_inference_drain, pictures.arg = &f;
 *	pictures_open(&pictures, operands);
 *	picture_inference_open(&f, &inference);
 *	picture_inference_all(&f, &pictures);
 *	picture_inference_close(&f);
 */
#ifndef CMD_PICTURES_PICTURE_INFERENCE_H
#define CMD_PICTURES_PICTURE_INFERENCE_H

#include "inference.h"
#include "preprocess_pool.h"

struct picture_inference {
	/* Set by the caller: threads, limits, images and wanted; ... */
	struct preprocess_spec spec;
	/* ... and who gets each picture with the model's answer.  NULL:
	 * p->error says why there is none, or p->known.  p and answer last for
	 * the call. */
	void (*done)(void *arg, struct preprocessed *p, const void *answer);
	void *arg;

	struct inference *inference;	/* the caller's */
	struct preprocess_pool *pool;
	uint64_t finished;		/* pictures handed out */
	uint8_t *answer;		/* owned */
	/* Totals: time in the threads, in the model, and the time that the
	 * program waited for each. */
	uint64_t preprocess_ns, infer_ns, wait_preprocess_ns, wait_infer_ns;
};

/* inference must be open; dies.  The functions below end the program when a
 * signal asked for it, and where the device is gone. */
void picture_inference_open(struct picture_inference *f,
    struct inference *inference);
/* Copies the item. */
void picture_inference_add(struct picture_inference *f,
    const struct picture_item *item);
/* Waits until all that was added is handed out; the argument is a struct
 * picture_inference. */
void picture_inference_drain(void *arg);
/* Adds all pictures and drains; closes them. */
void picture_inference_all(struct picture_inference *f,
    struct pictures *pictures);
void picture_inference_close(struct picture_inference *f);

#endif
