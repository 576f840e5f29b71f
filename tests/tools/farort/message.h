/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The messages between farort.so and its server, over one socket a session:
 * numbers of this machine, then the bytes they count.
 *
 *	question	an enum question, then
 *	  LOAD		whether it is a file; its path, or the model: bytes
 *	  RUN		for each input: a tensor, bytes
 *	  STOP		nothing, and no answer: the RUN before ends
 *	answer to LOAD	bytes: why it failed, or none; then the numbers of
 *			inputs and outputs, and for each of them a tensor and
 *			bytes, its name
 *	answer to RUN	bytes: why it failed, or none; then for each output a
 *			tensor and bytes
 *
 * bytes: their number, and themselves.
 */
#ifndef FARORT_MESSAGE_H
#define FARORT_MESSAGE_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>

enum question { LOAD = 1, RUN, STOP };

enum { DIMS = 32, PORTS = 256, SERVER_FD = 3 };

struct tensor {
	int64_t type;			/* of ONNX; 0: not a tensor */
	uint64_t ndim;
	int64_t dim[DIMS];
};

struct bytes {
	uint64_t n;
	void *p;
};

static inline bool
send_all(int fd, const void *p, size_t n)
{
	while (n > 0) {
		ssize_t sent = send(fd, p, n, MSG_NOSIGNAL);

		if (sent < 0 && errno != EINTR)
			return false;
		if (sent > 0) {
			p = (const char *)p + sent;
			n -= (size_t)sent;
		}
	}
	return true;
}

static inline bool
send_bytes(int fd, const void *p, size_t n)
{
	uint64_t count = n;

	return send_all(fd, &count, sizeof(count)) && send_all(fd, p, n);
}

static inline bool
receive_all(int fd, void *p, size_t n)
{
	while (n > 0) {
		ssize_t got = recv(fd, p, n, 0);

		if (got == 0 || (got < 0 && errno != EINTR))
			return false;
		if (got > 0) {
			p = (char *)p + got;
			n -= (size_t)got;
		}
	}
	return true;
}

/* Into memory of its own, with a NUL after it. */
static inline bool
receive_bytes(int fd, struct bytes *b)
{
	*b = (struct bytes){ 0 };
	if (!receive_all(fd, &b->n, sizeof(b->n)))
		return false;
	if ((b->p = calloc(1, b->n + 1)) == NULL)
		abort();
	if (receive_all(fd, b->p, b->n))
		return true;
	free(b->p);
	return false;
}

#endif
