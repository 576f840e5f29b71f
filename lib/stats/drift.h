/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Detects a vector that is unlike the vectors before it.  Its similarity is the
 * mean of its cosines with the vectors of a window, which are the last vectors.
 * An alarm is raised if the similarity is below a threshold, or too far below
 * earlier similarities, and these values are also that low:
 *
 * - The median of the cosines.  A few odd vectors in the window lower the mean
 *   for all later vectors, but not the median.
 * - The mean and the median of the cosines with the usual vectors, which do not
 *   include odd vectors.  Many odd vectors in the window lower its median.
 * - The mean and the median of the cosines with the vectors of two states that
 *   were usual before.
 */
#ifndef STATS_DRIFT_H
#define STATS_DRIFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/bytes.h"
#include "npu.h"

enum {
	DRIFT_LENGTH = 10000,	/* most vectors, and similarities */
	DRIFT_DIM = 1 << 20,	/* most elements of a vector */
	DRIFT_MODEL = 32,	/* bytes of a SHA-256 */
	DRIFT_WINDOWS = 4,	/* the last vectors, the usual ones, and the
				   vectors of two states before */
};

struct drift_options {
	size_t window;		/* vectors to compare with, 1 to DRIFT_LENGTH */
	size_t history;		/* similarities kept, 1 to DRIFT_LENGTH */
	size_t warmup;		/* similarities before the history counts; at
				   least 1 */
	double below;		/* NAN: no threshold */
	double mads;		/* NAN: no history */
	double floor;		/* smallest margin below the median */
};

enum drift_alarm {
	DRIFT_QUIET,
	DRIFT_BELOW,		/* below the threshold */
	DRIFT_HISTORY,		/* below median - max(mads * MAD, floor) */
};

/* NAN: unknown yet, or not in force. */
struct drift_verdict {
	size_t window, history;	/* before this vector */
	double similarity;	/* mean cosine */
	double nearest;		/* largest cosine */
	double median_cosine;	/* with the window */
	double usual;		/* the highest mean or median cosine with a
				   state that is or was usual */
	double median, mad;	/* of the history */
	double limit;		/* the higher of the limits in force */
	enum drift_alarm alarm;
};

struct drift;

int drift_open(struct drift **d, const struct drift_options *o,
    struct npu_err *err);
void drift_close(struct drift *d);

/*
 * Compares x, of dim elements, then adds x to the window and its similarity to
 * the history.  Fails with NPU_EUSAGE if the other vectors have another width,
 * and with NPU_EFORMAT if x has no direction (0, NaN, infinity); then nothing
 * is changed.
 */
int drift_add(struct drift *d, const float *x, size_t dim,
    struct drift_verdict *v, struct npu_err *err);

/* ---- State ------------------------------------------------------------ */

/*
 * Sets the model of the next vector, by its SHA-256; NULL: unknown.  Fails with
 * NPU_EUSAGE, naming both models, if it is not the model of the vectors before.
 */
int drift_model(struct drift *d, const uint8_t *sha256, struct npu_err *err);

/* Adds windows and history to *b; drift_decode() reads them back. */
void drift_encode(const struct drift *d, struct buf *b);
/*
 * Reads a state into a drift that has no vector yet.  If the state has more
 * vectors than the drift may keep, keeps the last vectors.  Fails with
 * NPU_EFORMAT, describing the error in the bytes; the drift must not be used
 * then.
 */
int drift_decode(struct drift *d, struct bytes b, struct npu_err *err);
/* Most bytes of the vectors of a window, and of a state, which has less than 1
 * MiB in addition to its windows. */
#define DRIFT_WINDOW_MAX ((size_t)1 << 29)
#define DRIFT_STATE_MAX (DRIFT_WINDOWS * DRIFT_WINDOW_MAX + ((size_t)1 << 20))

#endif
