/* SPDX-License-Identifier: Apache-2.0 */
/* Which nodes of a session run on the processor: ONNX Runtime says it only in
 * its log, while it makes the session. */
#ifndef EMU_PLACEMENT_H
#define EMU_PLACEMENT_H

#include <stddef.h>

enum { PLACEMENT_TEXT = 400 };

/* Begins to read the log for the calling thread. */
void placement_begin(void);
/* Ends it, and writes a text such as "2 Softmax, 1 Pad" or "all 9", cut to fit;
 * "" if no nodes were reported. */
void placement_end(char text[PLACEMENT_TEXT]);

/* The function for the runtime's log. */
void placement_log(void *unused, int severity, const char *category,
    const char *id, const char *place, const char *message);

#endif
