/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_ABI_WORLD_H
#define TESTS_ABI_WORLD_H

#include "abi.h"

/* Sets up everything that a row needs, one documented step after the other. */
void world_build(struct world *w, enum need need);

#endif
