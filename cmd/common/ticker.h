/* SPDX-License-Identifier: Apache-2.0 */
/* Moments at equal distances, which do not drift. */
#ifndef CMD_TICKER_H
#define CMD_TICKER_H

#include <stdbool.h>
#include <stdint.h>

/* Until ns of clock_ns(); false if a signal came before. */
bool moment_wait(uint64_t ns);

/* The next of the moments at + k * step that is still to come. */
uint64_t moment_next(uint64_t at, uint64_t step);

#endif
