/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of xclbin-check. */
#ifndef XCLBIN_CHECK_H
#define XCLBIN_CHECK_H

#include "cmd.h"

/*
 * Explains the messages in text, or with "-" those on stdin, a line each:
 * "CHECK: cause; next: what to do", or plain, the three fields between TABs.
 * Writes to the file output, NULL: stdout.  Returns the exit status.
 */
int check_diagnose(const char *text, bool plain, const char *output);

#endif
