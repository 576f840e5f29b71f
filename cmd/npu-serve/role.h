/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the server can do: make vectors of texts, vectors of pictures, find
 * objects.  A role has one model.
 *
 *	role_plan(&role, "clip_txt.cix");	before anything is loaded
 *	... role_open() in the device's thread ...
 *	role_prepare(&role, &item, &fault);	in any thread
 *	... the device runs the item ...
 *	role_vector(&role, &item, x, &err);
 */
#ifndef NPU_SERVE_ROLE_H
#define NPU_SERVE_ROLE_H

#include <pthread.h>

#include "clip/clip.h"
#include "detections/decode.h"
#include "item.h"

enum role_kind { ROLE_TEXT, ROLE_IMAGE, ROLE_DETECT, ROLES };
extern const char *const role_words[];	/* NULL last */

struct role {
	enum role_kind kind;
	char *path;		/* of the model, owned; NULL: no model */
	char *name;		/* owned: the file's name without .cix */
	struct prep_limits limits;

	/* Texts and pictures for CLIP. */
	struct clip clip;
	/* Objects. */
	struct detection_decoder decoder;
	struct prep *prep;
	/* Of clip's tokenizer, and of decoder. */
	pthread_mutex_t lock;

	/* The device's thread's; it makes them before others read them. */
	struct npu *npu;
	struct npu_queue *queue;
	uint64_t in_size, out_size;	/* bytes */
	struct npu_tensor in, out;
};

/* Reads what the model file says; dies if it is not a model of that kind.  The
 * decoder's options and limits were set before. */
void role_plan(struct role *r, const char *model);
void role_free(struct role *r);

/* Loads the model; negative with the reason if that fails. */
int role_open(struct role *r, unsigned in_flight, struct npu_err *err);
/* Unloads it; later role_open() may load it again. */
void role_close(struct role *r);

/* Whose fault it is that an item cannot be run. */
enum fault { FAULT_NONE, FAULT_INPUT, FAULT_SERVER };

/* Makes i->in; false with the reason. */
enum fault role_prepare(struct role *r, struct item *i, struct npu_err *err);

/* Numbers of a vector. */
size_t role_dim(const struct role *r);
/* The vector that i->out has, of length 1 or as it is. */
int role_vector(const struct role *r, const struct item *i, bool normalise,
    float *x, struct npu_err *err);

/* What is found in the picture with a score above conf; *found is owned by the
 * caller. */
int role_detect(struct role *r, const struct item *i, double conf,
    struct detection **found, size_t *n, struct npu_err *err);

#endif
