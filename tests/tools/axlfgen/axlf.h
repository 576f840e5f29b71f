/* SPDX-License-Identifier: Apache-2.0 */
/* Containers as xclbin(5) describes them: sound, odd or damaged.  Each PDI has
 * only the beginning of a real PDI, so an NPU could not run it. */
#ifndef TESTS_TOOLS_AXLFGEN_AXLF_H
#define TESTS_TOOLS_AXLFGEN_AXLF_H

#include "base/buf.h"

/* Returns the name of row i; NULL at the end. */
const char *axlfgen_name(size_t i);

/* Adds the container of row i to *out. */
void axlfgen_make(size_t i, struct buf *out);
/* Adds the container with that name; exits if the name is unknown. */
void axlfgen_named(const char *name, struct buf *out);

#endif
