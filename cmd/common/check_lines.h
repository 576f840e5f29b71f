/* SPDX-License-Identifier: Apache-2.0 */
/* A check of a diagnosis as text, as fields, as JSON: npu-info --doctor,
 * xclbin-check. */
#ifndef CMD_CHECK_LINES_H
#define CMD_CHECK_LINES_H

#include "base/json.h"
#include "diagnose/health/health.h"

/* Replaces what a terminal would take for commands: findings quote files. */
void check_make_printable(struct health_check *c);

/* "FAIL  metadata  finding", and below it "next: command"; names take width
 * columns. */
void check_text(struct buf *b, const struct health_check *c, int width,
    bool colour);
/* The name, the verdict, the finding and what is next, between TABs. */
void check_plain(struct buf *b, const struct health_check *c);
/* An object: name, verdict, finding, next. */
void check_json(struct json *j, const struct health_check *c);

#endif
