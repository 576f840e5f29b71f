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
	/* ... and done, which receives each picture with the model's answer.
	 * answer is NULL if the model did not run: p->error explains why, or
	 * p->known is set.  p and answer are valid during the call. */
	void (*done)(void *arg, struct preprocessed *p, const void *answer);
	void *arg;

	struct inference *inference;	/* owned by the caller */
	struct preprocess_pool *pool;
	uint64_t finished;		/* pictures handed out */
	uint8_t *answer;		/* owned */
	/*
	 * Total time in the threads, in the model, and spent waiting for each.
	 */
	uint64_t preprocess_ns, infer_ns, wait_preprocess_ns, wait_infer_ns;
};

/* Starts the threads; inference must be open.  Dies.  The functions below end
 * the program when a signal asked for it, and when the device is gone. */
void picture_inference_open(struct picture_inference *f,
    struct inference *inference);
/* Adds a picture; copies the item. */
void picture_inference_add(struct picture_inference *f,
    const struct picture_item *item);
/* Waits until all added pictures are handed out.  The argument is a struct
 * picture_inference. */
void picture_inference_drain(void *arg);
/* Adds all pictures, drains, and closes the pictures. */
void picture_inference_all(struct picture_inference *f,
    struct pictures *pictures);
void picture_inference_close(struct picture_inference *f);

#endif
