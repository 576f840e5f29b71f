/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a message means that XRT, xdna-run, a Python program or the kernel's log
 * shows when an AMD NPU does not work: which check it belongs to, its cause,
 * and what to do.
 */
#ifndef DIAGNOSE_XCLBIN_EXPLAIN_H
#define DIAGNOSE_XCLBIN_EXPLAIN_H

#include "base/bytes.h"

struct explanation {
	/* A check of xclbin_check(), "insts", or a check of
	 * xclbin_check_machine(). */
	const char *check;
	const char *cause;	/* one line, no full stop */
	const char *next;	/* a command, where one helps; words after
				   '#' */
};

/* Characters of a line that count; the rest is not looked at. */
enum { EXPLAIN_LINE = 4096 };

/*
 * Explains one line, without its newline; NULL: the message is not known.  The
 * message may have anything before and after it, such as a time stamp, the
 * name of a program, or colours.  Numbers, names and paths in it may differ.
 * The result is constant.
 */
const struct explanation *explain(struct bytes line);

/* ---- The rows, for explain.c and tests --------------------------------- */

/*
 * A line fits if it has the fixed parts of pattern, between '*', in order, and
 * error in one of its forms.  '^' first and '$' last in a pattern stand for the
 * ends of the line.  Of the rows that fit, the row with the most fixed
 * characters counts, and of equal ones the first.
 */
struct explain_row {
	const char *pattern;
	int error;		/* errno that the line must name; 0: any */
	struct explanation is;
};

extern const struct explain_row explain_file[];	/* about the file */
extern const struct explain_row explain_machine[];	/* about the machine */
extern const struct explain_row explain_run[];	/* of xdna-run */
extern const size_t explain_file_rows, explain_machine_rows, explain_run_rows;

#endif
