/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NPU_EMU_LOG: the faults that calls met, and at the end what was made and what
 * became of it; libnoe-emu(7) has the lines.
 */
#ifndef EMU_LOG_H
#define EMU_LOG_H

#include <stdbool.h>
#include <stdint.h>

enum log_kind { LOG_CONTEXT, LOG_GRAPH, LOG_JOB, LOG_KINDS };

/* False with errno. */
bool log_open(const char *path);

/* Call number n, when so many inferences had begun. */
void log_fault(const char *call, uint64_t n, uint64_t runs,
    const char *fault);
void log_delay(const char *call, uint64_t n, uint64_t runs, int64_t ns);

/* ---- With emu_lock held ------------------------------------------------ */

void log_created(enum log_kind kind);
void log_ended(enum log_kind kind);
/* Before log_ended(): not by the program, but with what it was in. */
void log_left_open(enum log_kind kind);

/* At the end of the process. */
void log_totals(void);

#endif
