/* SPDX-License-Identifier: Apache-2.0 */
/* Receives messages, and answers each that it accepts. */
#ifndef NPU_ZMQ_SERVER_H
#define NPU_ZMQ_SERVER_H

#include "detections/decode.h"
#include "detector.h"
#include "frame.h"

struct zmq_server_options {
	const char *const *names;	/* that the model has; NULL last */
	const char *model;		/* its name, for messages */
	size_t max_message;		/* bytes of a part */
	int32_t drain_ms;		/* < 0: no limit */
};

struct counters {
	uint64_t requests;	/* all messages */
	uint64_t frames;	/* answered with objects, or with none */
	uint64_t failed;	/* answered with an error */
	uint64_t lost;		/* not answered: the client was gone, asked
				   something else, or cannot be answered */
};

struct zmq_server {
	struct zmq_server_options options;
	struct detection_decoder decoder;
	struct frame_format format;
	struct detector *detector;
	int log_fd;

	void *context, *socket;		/* of libzmq */
	struct counters counters;
	struct asked *asked;	/* frames that are with the detector */
	bool ending;
};

/* Listens on fd, whose address is url; dies. */
void server_open(struct zmq_server *s, int fd, const char *url);
/* Works until a signal comes, or until (clock_ns(); 0: no limit); false: a
 * signal.  With an end, it also stops when each frame has its answer. */
bool server_work(struct zmq_server *s, int signal_fd, uint64_t until);
/* Refuses further frames with an error.  The socket still listens: libzmq
 * cannot close the port and keep the connections. */
void server_quiesce(struct zmq_server *s);
/* Answers the frames that still wait with an error. */
void server_cancel(struct zmq_server *s);
/* Sends the last answers, for two seconds at most, and closes the socket. */
void server_close(struct zmq_server *s);

#endif
