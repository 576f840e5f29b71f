/* SPDX-License-Identifier: Apache-2.0 */
/* Gets the sizes and directions of a job's buffers from the stream or from
 * --buffers. */
#ifndef XDNA_RUN_BUFFERS_H
#define XDNA_RUN_BUFFERS_H

#include "device/xdna/xdna.h"
#include "model/txn.h"

/* The argument of --buffers, such as in:1024,out:1024,-; n 0: not given. */
struct buffers_option {
	struct xdna_buffer buffer[XDNA_BUFFERS];
	unsigned n;
};

/* Parses the argument of --buffers, or ends the program with a usage error. */
void buffers_parse(struct buffers_option *o, const char *arg);

/*
 * Sets the buffers of *job: as the option describes them, or, without the
 * option, as the stream moves data to and from them.  Dies if the option allows
 * less than the stream does.  stream is the stream's name in messages.
 */
void buffers_set(struct xdna_job *job, const struct txn *t,
    const struct buffers_option *o, const char *stream);

/* Returns "in", "out" or "inout", or "-" for an unused buffer. */
const char *buffers_direction(const struct xdna_buffer *b);

#endif
