/* SPDX-License-Identifier: Apache-2.0 */
/* What npu-run does if it ends early, before the report of --dry-run or --ref
 * is written. */
#ifndef NPU_RUN_FAILURE_H
#define NPU_RUN_FAILURE_H

#include <stdbool.h>

/* From now on, every exit closes the models.  If the report is JSON, a failure
 * writes a document with the error in its place: to output (NULL: stdout) with
 * --dry-run, else to stdout. */
void failure_begin(bool dry_run, bool is_json, const char *output);
/* Call before the report is written, which is then the document. */
void failure_end(void);

#endif
