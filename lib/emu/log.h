/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NPU_EMU_LOG: logs the faults that calls met and, at the end of the process,
 * how many objects were created and destroyed.  libnoe-emu(7) documents the
 * lines.
 */
#ifndef EMU_LOG_H
#define EMU_LOG_H

#include <stdbool.h>
#include <stdint.h>

enum log_kind { LOG_CONTEXT, LOG_GRAPH, LOG_JOB, LOG_KINDS };

/* Opens the log.  On failure returns false and sets errno. */
bool log_open(const char *path);

/* Log a fault or a delay of call number n.  runs: the number of inferences
 * begun so far. */
void log_fault(const char *call, uint64_t n, uint64_t runs,
    const char *fault);
void log_delay(const char *call, uint64_t n, uint64_t runs, int64_t ns);

/* ---- With emu_lock held ----------------------------------------------- */

void log_created(enum log_kind kind);
void log_ended(enum log_kind kind);
/* Counts an object that the program did not end itself, but with its graph or
 * context.  Call it before log_ended(). */
void log_left_open(enum log_kind kind);

/* Logs the totals at the end of the process. */
void log_totals(void);

#endif
