/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages on a ROUTER socket.  Each begins with who sent it: the identity that
 * libzmq gave the connection, the parts that proxies added, and an empty part.
 * An answer begins with the same parts, and libzmq sends it to that connection
 * alone.
 */
#ifndef NPU_ZMQ_WIRE_H
#define NPU_ZMQ_WIRE_H

#include <stdbool.h>

#include <zmq.h>

#include "base/bytes.h"

enum { ENVELOPE_PARTS = 8, MESSAGE_PARTS = 2 };

struct envelope {
	zmq_msg_t part[ENVELOPE_PARTS];	/* the last is empty */
	unsigned n;
};

struct message {
	struct envelope from;
	/* No empty part, or too late: it cannot be answered. */
	bool lost;
	bool in_turn;		/* from a REQ socket, which asks no second time
				   before it has an answer, or left */
	zmq_msg_t part[MESSAGE_PARTS];
	unsigned parts;		/* received; part has the first two */
	size_t bytes;		/* of all parts */
	char client[64];	/* the address; "": not known */
};

/* False: none waits. */
bool message_receive(void *socket, struct message *m);
struct bytes message_part(struct message *m, unsigned i);
/* Also of what message_receive() did not fill. */
void message_close(struct message *m);

/* Moves the parts; from becomes empty. */
void envelope_move(struct envelope *to, struct envelope *from);
void envelope_close(struct envelope *e);
/* Whether both came from the same connection. */
bool envelope_same_peer(struct envelope *a, struct envelope *b);

/* Sends up to two parts, the second of which may be NULL, behind the envelope,
 * which becomes empty.  False: the client is gone, or does not read. */
bool envelope_answer(struct envelope *e, void *socket, struct bytes first,
    const struct bytes *second);

#endif
