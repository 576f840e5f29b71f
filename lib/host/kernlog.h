/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of the kernel's log that contain given words.  Reading never waits
 * and removes nothing from the log. */
#ifndef HOST_KERNLOG_H
#define HOST_KERNLOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "npu.h"

enum {
	HOST_LOG_LINE = 256,	/* bytes of a line's text, with the NUL */
	HOST_LOG_LINES = 256,	/* lines kept at most */
};

struct host_kernlog_line {
	uint64_t us;		/* since the start of the machine */
	bool timed;		/* false: us is unknown */
	char text[HOST_LOG_LINE];	/* printable ASCII, other bytes as
					   \x1b; longer ones are cut */
};

struct host_kernlog {
	struct host_kernlog_line line[HOST_LOG_LINES];	/* oldest first */
	size_t n;
	size_t left_out;	/* in the middle: the oldest and the newest
				   half of line are kept */
	char hidden[96];	/* who may read it, if we may not; else "" */
};

/*
 * Reads the lines that contain one of words, in any case; NULL ends them.  A
 * word counts only where no letter or digit stands before it, so that "npu" is
 * not found in "input".  Lines that processes wrote into the log are left out.
 *
 * With root "" the log is /dev/kmsg; else the text in root's dev/kmsg or
 * var/log/dmesg, in the form of /dev/kmsg, dmesg(1) or dmesg -r, where a first
 * line "open EPERM" or "open EACCES" stands for that error.  At most 16 MiB are
 * read.
 *
 * Fails with NPU_ESYSTEM, errno as the detail and no lines if no log can be
 * read.
 */
int host_read_kernlog(const char *root, const char *const *words,
    struct host_kernlog *log, struct npu_err *err);

/*
 * Parses a line, or a record of /dev/kmsg, without its end.  False, and *out as
 * it was, if it is no message of the kernel's or contains none of words.
 */
bool host_parse_kernlog(struct bytes line, const char *const *words,
    struct host_kernlog_line *out);

/* Whether text contains word, as host_read_kernlog() looks for it. */
bool host_log_has(struct bytes text, const char *word);

#endif
