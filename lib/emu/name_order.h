/* SPDX-License-Identifier: Apache-2.0 */
/* Which of its twin's tensors each tensor of a model is. */
#ifndef EMU_NAME_ORDER_H
#define EMU_NAME_ORDER_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Sets at[k] to the place in twin of the name model[k], for n names of each;
 * names that twin does not have take, in order, the places that are left.
 * Every place is taken once.  False: out of memory.
 */
bool name_order(const char *const *model, const char *const *twin, uint32_t n,
    uint32_t *at);

#endif
