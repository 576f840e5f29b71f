/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EMU_BATCH_H
#define EMU_BATCH_H

#include "emu/state.h"

/* Frees queue id of g and its frames, with emu_lock held; false: not there. */
bool batch_remove(struct graph *g, uint32_t id);

#endif
