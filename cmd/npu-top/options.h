/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of npu-top. */
#ifndef NPU_TOP_OPTIONS_H
#define NPU_TOP_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "colour.h"

enum form { VIEW, VIEWS, JSON, PLAIN, ROWS, LINE };

enum format { UNSET, FORMAT_TEXT, FORMAT_PLAIN, FORMAT_JSON, FORMAT_JSONL,
	FORMAT_CSV, FORMAT_TSV };

struct npu_top_options {
	const char *root, *node;
	const char *output;		/* NULL: stdout */
	int64_t count;			/* number of outputs; 0: endless */
	int32_t interval_ms;
	bool json, plain;
	enum format format;
	enum form form;
	char separator;			/* for ROWS */
	char **command;			/* of --during; else NULL */
	enum colour when;		/* --color */
	bool colour_given;
	bool colour;			/* for the view */
};

/* Reads the options into o, which has the defaults.  Wrong usage ends the
 * program. */
void read_top_options(struct npu_top_options *o, int argc, char *argv[]);

#endif
