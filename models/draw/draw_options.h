/* SPDX-License-Identifier: Apache-2.0 */
/* The options and output formats that draw-shapes and draw-scenes share. */
#ifndef MODELS_DRAW_OPTIONS_H
#define MODELS_DRAW_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "npu.h"
#include "paint.h"

enum draw_format { FORMAT_TENSOR, FORMAT_PPM, FORMAT_NONE };

struct draw_options {
	uint32_t count, seed, first;
	enum draw_format format;
	bool raw;
	FILE *truth;		/* NULL: not requested */
};

/* The letters of these options, and their rows for getopt_long(). */
#define DRAW_LETTERS "n:S:i:F:rt:h"
#define DRAW_ROWS \
	{ "count", required_argument, NULL, 'n' }, \
	{ "seed", required_argument, NULL, 'S' }, \
	{ "first", required_argument, NULL, 'i' }, \
	{ "format", required_argument, NULL, 'F' }, \
	{ "raw", no_argument, NULL, 'r' }, \
	{ "truth", required_argument, NULL, 't' }, \
	{ "help", no_argument, NULL, 'h' }

/* Parses one of these options, with optarg.  For 'h', prints help and exits.
 * For any other option, exits with status 2. */
void draw_parse_option(struct draw_options *o, int opt, const char *help);

/* Writes a tensor of the label's size, with the label unless raw. */
void write_tensor(const struct npu_label *label, const void *bytes, bool raw);
void write_ppm(const struct canvas *c);

/* Both exit with a message if the line or the file cannot be written. */
void truth_end_line(FILE *f);
void truth_close(FILE *f);		/* NULL is allowed */

#endif
