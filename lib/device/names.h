/* SPDX-License-Identifier: Apache-2.0 */
/* The names of options in messages: npu_options.names, or else the names in
 * C. */
#ifndef DEVICE_NAMES_H
#define DEVICE_NAMES_H

#include "npu.h"

/* Returns names with all members set.  opt may be NULL. */
struct npu_names option_names(const struct npu_options *opt);

#endif
