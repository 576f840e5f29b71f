/* SPDX-License-Identifier: Apache-2.0 */
/* What messages call the options: npu_options.names, or as C has them. */
#ifndef DEVICE_NAMES_H
#define DEVICE_NAMES_H

#include "npu.h"

/* All members are set.  opt may be NULL. */
struct npu_names option_names(const struct npu_options *opt);

#endif
