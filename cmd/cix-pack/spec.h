/* SPDX-License-Identifier: Apache-2.0 */
/* NAME:TYPE:SHAPE[:SCALE[:ZERO]], as options describe a tensor. */
#ifndef CIX_PACK_SPEC_H
#define CIX_PACK_SPEC_H

#include "tensor_list.h"

/* Appends the tensor that the option's argument describes; dies of wrong
 * usage.  option is used as long as the list. */
void spec_parse(struct tensor_list *l, const char *option, const char *arg);

#endif
