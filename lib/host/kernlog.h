/* SPDX-License-Identifier: Apache-2.0 */
/* Reads lines of the kernel's log that contain given words, without waiting and
 * without removing anything from the log. */
#ifndef HOST_KERNLOG_H
#define HOST_KERNLOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "npu.h"

enum {
	HOST_LOG_LINE = 256,	/* bytes of a line's text, with the NUL */
	HOST_LOG_LINES = 256,	/* most lines kept */
};

struct host_kernlog_line {
	uint64_t us;		/* since the start of the machine */
	bool timed;		/* false: us is unknown */
	char text[HOST_LOG_LINE];	/* printable ASCII, other bytes as \x1b;
					   cut if longer */
};

struct host_kernlog {
	struct host_kernlog_line line[HOST_LOG_LINES];	/* oldest first */
	size_t n;
	size_t left_out;	/* in the middle: line has the oldest half and
				   the newest half */
	char hidden[96];	/* who may read the log, if we may not; else
				   "" */
};

/*
 * Reads the lines that contain one of words, in upper or lower case; NULL ends
 * the words.  A word is found only if no letter or digit stands before it:
 * "npu" is not found in "input".  Lines that processes wrote into the log are
 * left out.
 *
 * With root "" the log is /dev/kmsg; otherwise it is a text in root's dev/kmsg
 * or var/log/dmesg, in the format of /dev/kmsg, dmesg(1) or dmesg -r, where a
 * first line "open EPERM" or "open EACCES" stands for that error.  At most 16
 * MiB are read.
 *
 * Fails with NPU_ESYSTEM, with errno as the detail and without lines, if no log
 * can be read.
 */
int host_read_kernlog(const char *root, const char *const *words,
    struct host_kernlog *log, struct npu_err *err);

/*
 * Parses a line, or a record of /dev/kmsg, without its end.  Returns false and
 * leaves *out unchanged if it is not a message of the kernel, or contains none
 * of words.
 */
bool host_parse_kernlog(struct bytes line, const char *const *words,
    struct host_kernlog_line *out);

/* Returns whether text contains word, by the rule of host_read_kernlog(). */
bool host_log_has(struct bytes text, const char *word);

#endif
