/* SPDX-License-Identifier: Apache-2.0 */
/* Formats a check of a diagnosis as text, as fields or as JSON, for npu-info
 * --doctor and xclbin-check. */
#ifndef CMD_CHECK_LINES_H
#define CMD_CHECK_LINES_H

#include "base/json.h"
#include "diagnose/health/health.h"

/* Replaces bytes that a terminal would interpret as commands: findings quote
 * files. */
void check_make_printable(struct health_check *c);

/* Adds "FAIL metadata finding" and, on the next line, "next: command".  Names
 * take width columns. */
void check_text(struct buf *b, const struct health_check *c, int width,
    bool colour);
/*
 * Adds the name, the verdict, the finding and the next step, separated by TABs.
 */
void check_plain(struct buf *b, const struct health_check *c);
/* Adds an object with the members name, verdict, finding and next. */
void check_json(struct json *j, const struct health_check *c);

#endif
