/* SPDX-License-Identifier: Apache-2.0 */
/* Large numbers for people. */
#ifndef CMD_LARGE_NUMBER_H
#define CMD_LARGE_NUMBER_H

#include "base/buf.h"

/* Adds a number that is not negative, with three digits and a unit: "4.35 G";
 * without a unit below 999.5: "60". */
void large_number(struct buf *t, double n);

#endif
