/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CMD_WIDEN_H
#define CMD_WIDEN_H

#include "npu.h"

/* True if t, of s32, becomes want, of s64, when its elements are widened. */
bool widens_to(const struct npu_tensor *t, const struct npu_tensor *want);

/* Makes n elements of s64 at p from the n elements of s32 in the last 4 n
 * bytes of the same memory. */
void widen(void *p, size_t n);

#endif
