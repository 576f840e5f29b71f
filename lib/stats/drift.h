/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a vector is like those before it.  Its similarity is the mean of its
 * cosines with the vectors of a window, the last ones; an alarm is raised where
 * it lies below a threshold, or too far below earlier similarities, and the
 * median of the cosines does, too: a few odd vectors in the window lower the
 * mean of all that follow, but not the median.  Many do lower the median: so
 * mean and median of its cosines with the usual vectors must lie there as well,
 * of which odd ones are none, and with those of two states that were usual.
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
	DRIFT_WINDOWS = 4,	/* the last vectors, the usual ones, and those
				   of two states before */
};

struct drift_options {
	size_t window;		/* vectors compared with, 1 to DRIFT_LENGTH */
	size_t history;		/* similarities kept, the same */
	size_t warmup;		/* of them before the history counts; at
				   least 1 */
	double below;		/* NAN: no threshold */
	double mads;		/* NAN: no history */
	double floor;		/* least margin below the median */
};

enum drift_alarm {
	DRIFT_QUIET,
	DRIFT_BELOW,		/* below the threshold */
	DRIFT_HISTORY,		/* median - max(mads * MAD, floor) */
};

/* NAN: not known yet, or not in force. */
struct drift_verdict {
	size_t window, history;	/* before this vector */
	double similarity;	/* mean cosine */
	double nearest;		/* largest cosine */
	double median_cosine;	/* with the window */
	double usual;		/* the highest mean or median cosine with a
				   state that is usual, or was */
	double median, mad;	/* of the history */
	double limit;		/* the higher of those in force */
	enum drift_alarm alarm;
};

struct drift;

int drift_open(struct drift **d, const struct drift_options *o,
    struct npu_err *err);
void drift_close(struct drift *d);

/*
 * Compares x, of dim elements, then adds it to the window, and its similarity
 * to the history.  NPU_EUSAGE: the others have another width.  NPU_EFORMAT: it
 * has no direction (0, NaN, infinity); nothing is changed.
 */
int drift_add(struct drift *d, const float *x, size_t dim,
    struct drift_verdict *v, struct npu_err *err);

/* ---- State ------------------------------------------------------------ */

/*
 * Sets the model of the next vector, by its SHA-256; NULL: not known.
 * NPU_EUSAGE names both models if it differs from that of the vectors before.
 */
int drift_model(struct drift *d, const uint8_t *sha256, struct npu_err *err);

/* Adds windows and history to *b; drift_decode() reads them back. */
void drift_encode(const struct drift *d, struct buf *b);
/*
 * Reads a state into a drift that has no vector yet.  Of more vectors than it
 * may keep, it keeps the last.  NPU_EFORMAT describes the fault in the bytes;
 * the drift is of no use then.
 */
int drift_decode(struct drift *d, struct bytes b, struct npu_err *err);
/* Bytes of the vectors of a window, and of the largest state, which has less
 * than 1 MiB beside its windows. */
#define DRIFT_WINDOW_MAX ((size_t)1 << 29)
#define DRIFT_STATE_MAX (DRIFT_WINDOWS * DRIFT_WINDOW_MAX + ((size_t)1 << 20))

#endif
