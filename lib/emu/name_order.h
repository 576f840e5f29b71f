/* SPDX-License-Identifier: Apache-2.0 */
/* Maps each tensor of a model to a tensor of its twin. */
#ifndef EMU_NAME_ORDER_H
#define EMU_NAME_ORDER_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Sets at[k] to the index in twin of the name model[k], for n names in each
 * list.  Names that twin does not have get the remaining indices in order.
 * Every index is used once.  Returns false if out of memory.
 */
bool name_order(const char *const *model, const char *const *twin, uint32_t n,
    uint32_t *at);

#endif
