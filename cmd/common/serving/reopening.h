/* SPDX-License-Identifier: Apache-2.0 */
/* When a model whose inference did not end in time, or whose device is gone, is
 * loaded again: after 1, 2, 4 ... 30 s, until an inference ends well. */
#ifndef CMD_SERVING_REOPENING_H
#define CMD_SERVING_REOPENING_H

#include <stdbool.h>
#include <stdint.h>

#include "npu.h"

struct reopening {
	bool down;		/* the model is not loaded */
	char reason[400];	/* why, for clients */
	uint64_t at;		/* of the next attempt, clock_ns() */
	unsigned pause_s;	/* before the next time; 0: 1 s */
};

/* The model called name was unloaded, or an attempt to load it failed. */
void reopening_failed(struct reopening *r, const char *name,
    const struct npu_err *err);
bool reopening_is_due(const struct reopening *r);
/* Whole seconds until then, at least 1. */
unsigned reopening_seconds(const struct reopening *r);
/* Whether an inference that began, or could run, at since has taken longer than
 * -T allows: npu_queue_ready() does not know of time, npu_queue_get() ends the
 * wait. */
bool inference_is_overdue(uint64_t since);

#endif
