/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EMU_BATCH_H
#define EMU_BATCH_H

#include "emu/state.h"

/* Frees the queues of g and their frames.  Requires emu_lock. */
void batch_free_queues(struct graph *g);

#endif
