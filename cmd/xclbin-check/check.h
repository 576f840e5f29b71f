/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of xclbin-check that main() calls. */
#ifndef XCLBIN_CHECK_H
#define XCLBIN_CHECK_H

#include "cmd.h"

#define CHECK_SCHEMA "xclbin-check/1"

struct check_options {
	bool json, plain, colour, colour_given, machine_given, no_machine;
	const char *insts;		/* file of --insts; NULL: not given */
	const char *root;		/* NULL: this machine */
	const char *diagnose;		/* text of --diagnose, or "-" for stdin;
					   NULL: not given */
	const char *output;		/* NULL: stdout */
};

/* Checks the files, NULL last, and the machine, and writes the results.
 * Returns the exit status. */
int check_all(const struct check_options *o, char *const *files);

/*
 * Explains the messages in text, or on stdin if text is "-".  For each line
 * with a known message, writes a line "CHECK: cause; next: what to do" or, with
 * plain, the three fields with TABs between them.  Writes to the file output,
 * or to stdout if it is NULL.  Returns the exit status.
 */
int check_diagnose(const char *text, bool plain, const char *output);

#endif
