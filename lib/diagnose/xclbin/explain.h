/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Explains a message that XRT, xdna-run, a Python program or the kernel's log
 * shows when an AMD NPU does not work: which check it belongs to, its cause,
 * and what to do.
 */
#ifndef DIAGNOSE_XCLBIN_EXPLAIN_H
#define DIAGNOSE_XCLBIN_EXPLAIN_H

#include "base/bytes.h"

struct explanation {
	/* The name of a check of xclbin_check() or xclbin_check_machine(), or
	 * "insts". */
	const char *check;
	const char *cause;	/* one line, no full stop */
	const char *next;	/* a command, if one helps; the rest after
				   '#' */
};

/* Only this many characters of a line are read. */
enum { EXPLAIN_LINE = 4096 };

/*
 * Explains one line, without its newline.  Returns NULL if the message is
 * unknown.  Any text may come before and after the message, such as a time
 * stamp, the name of a program, or colours.  Numbers, names and paths in the
 * message may differ.  The result is constant.
 */
const struct explanation *explain(struct bytes line);

/* ---- The rows, for explain.c and tests --------------------------------- */

/*
 * A line fits a row if it has the fixed parts of pattern (the parts between
 * '*'), in order, and error in one of its forms.  '^' at the beginning and '$'
 * at the end of a pattern stand for the ends of the line.  If several rows fit,
 * the row with the most fixed characters applies; if rows are equal, the first
 * row applies.
 */
struct explain_row {
	const char *pattern;
	int error;		/* errno that the line must have; 0: any */
	struct explanation is;
};

extern const struct explain_row explain_file[];	/* about the file */
extern const struct explain_row explain_machine[];	/* about the machine */
extern const struct explain_row explain_run[];	/* of xdna-run */
extern const size_t explain_file_rows, explain_machine_rows, explain_run_rows;

#endif
