/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EMU_BATCH_H
#define EMU_BATCH_H

#include "emu/state.h"

/* Frees queue q of g and its frames, with emu_lock held. */
void batch_remove(struct graph *g, struct batch_queue *q);

#endif
