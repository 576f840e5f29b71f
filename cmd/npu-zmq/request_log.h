/* SPDX-License-Identifier: Apache-2.0 */
/* The log: a line of JSON for each message. */
#ifndef NPU_ZMQ_REQUEST_LOG_H
#define NPU_ZMQ_REQUEST_LOG_H

#include "frame_job.h"
#include "header.h"

enum outcome { ANSWERED, REFUSED, FAILED, GONE, DROPPED };

struct request_entry {
	enum message_kind kind;
	enum outcome outcome;
	const char *client, *error;	/* error NULL: none */
	size_t bytes, objects;
	uint64_t came;			/* clock_ns() */
	const struct frame_job *job;	/* NULL: none ran */
};

/* Writes the line, unless -q was given. */
void request_log(int fd, const struct request_entry *l);

#endif
