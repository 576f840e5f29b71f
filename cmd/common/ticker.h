/* SPDX-License-Identifier: Apache-2.0 */
/* Waits for evenly spaced instants without drift. */
#ifndef CMD_TICKER_H
#define CMD_TICKER_H

#include <stdbool.h>
#include <stdint.h>

/* Waits until clock_ns() is ns.  Returns false if a signal came before. */
bool ticker_wait(uint64_t ns);

/* Returns the first of the instants at + k * step that is in the future. */
uint64_t ticker_next(uint64_t at, uint64_t step);

#endif
