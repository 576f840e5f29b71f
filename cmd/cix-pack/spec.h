/* SPDX-License-Identifier: Apache-2.0 */
/* Parses NAME:TYPE:SHAPE[:SCALE[:ZERO]], the description of a tensor in an
 * option. */
#ifndef CIX_PACK_SPEC_H
#define CIX_PACK_SPEC_H

#include "tensor_list.h"

/* Appends the tensor that arg describes; a bad arg is a usage error.  option is
 * the option's name, for messages; the list keeps the pointer. */
void spec_parse(struct tensor_list *l, const char *option, const char *arg);

#endif
