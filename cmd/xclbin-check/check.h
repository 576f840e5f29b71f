/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of xclbin-check. */
#ifndef XCLBIN_CHECK_H
#define XCLBIN_CHECK_H

#include "cmd.h"

#define CHECK_SCHEMA "xclbin-check/1"

struct check_options {
	bool json, plain, colour, colour_given, machine_given, no_machine;
	const char *insts;		/* a stream's file; NULL: not given */
	const char *root;		/* NULL: this machine */
	const char *diagnose;		/* a text, or "-"; NULL: not given */
	const char *output;		/* NULL: stdout */
};

/* Checks the files, NULL last, and the machine; writes the answer.  Returns the
 * exit status. */
int check_all(const struct check_options *o, char *const *files);

/*
 * Explains the messages in text, or with "-" those on stdin, a line each:
 * "CHECK: cause; next: what to do", or plain, the three fields between TABs.
 * Writes to the file output, NULL: stdout.  Returns the exit status.
 */
int check_diagnose(const char *text, bool plain, const char *output);

#endif
