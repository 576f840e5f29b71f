/* SPDX-License-Identifier: Apache-2.0 */
/* Writes findings: as text, as gcc's lines, or as JSON. */
#ifndef CIX_LINT_REPORT_H
#define CIX_LINT_REPORT_H

#include "base/json.h"
#include "lint.h"

#define LINT_SCHEMA "cix-lint/1"

enum report_format { REPORT_TEXT, REPORT_JSON, REPORT_GCC };

struct report {
	enum report_format format;
	struct json json;	/* for the other formats, only json.out is
				   used */
};

void report_begin(struct report *r);
/* Adds a file that was checked. */
void report_file(struct report *r, const struct lint *l);
/* Adds a file that could not be read, with the last message. */
void report_unread(struct report *r, const char *path);
void report_end(struct report *r);

#endif
