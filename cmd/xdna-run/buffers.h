/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes and directions of a job's buffers: from the stream, or --buffers. */
#ifndef XDNA_RUN_BUFFERS_H
#define XDNA_RUN_BUFFERS_H

#include "device/xdna/xdna.h"
#include "model/txn.h"

/* The argument of --buffers, in:1024,out:1024,-; n 0: not given. */
struct buffers_option {
	struct xdna_buffer buffer[XDNA_BUFFERS];
	unsigned n;
};

/* Parses it, or ends the program with a usage error. */
void buffers_parse(struct buffers_option *o, const char *arg);

/*
 * Sets the buffers of *job as the stream moves data to and from them, or as the
 * option says, which may not say less.  Dies; stream is its name in messages.
 */
void buffers_set(struct xdna_job *job, const struct txn *t,
    const struct buffers_option *o, const char *stream);

/* "in", "out" or "inout" */
const char *buffers_direction(const struct xdna_buffer *b);

#endif
