// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <string.h>

#include "wire.h"

/* ---- Envelopes --------------------------------------------------------- */

void
envelope_close(struct envelope *e)
{
	while (e->n > 0)
		zmq_msg_close(&e->part[--e->n]);
}

void
envelope_move(struct envelope *to, struct envelope *from)
{
	for (to->n = 0; to->n < from->n; to->n++) {
		zmq_msg_init(&to->part[to->n]);
		zmq_msg_move(&to->part[to->n], &from->part[to->n]);
	}
	envelope_close(from);
}

static bool
same(zmq_msg_t *a, zmq_msg_t *b)
{
	return zmq_msg_size(a) == zmq_msg_size(b) &&
	    memcmp(zmq_msg_data(a), zmq_msg_data(b), zmq_msg_size(a)) == 0;
}

bool
envelope_same_peer(struct envelope *a, struct envelope *b)
{
	return a->n > 0 && b->n > 0 && same(&a->part[0], &b->part[0]);
}

/* ---- Receiving --------------------------------------------------------- */

static bool
receive_part(void *socket, zmq_msg_t *part)
{
	zmq_msg_init(part);
	if (zmq_msg_recv(part, socket, ZMQ_DONTWAIT) >= 0)
		return true;
	zmq_msg_close(part);
	return false;
}

/* What libzmq knows of the client. */
static void
note_peer(struct message *m, zmq_msg_t *part)
{
	const char *type = zmq_msg_gets(part, "Socket-Type");
	const char *address = zmq_msg_gets(part, "Peer-Address");

	m->in_turn = type != NULL && strcmp(type, "REQ") == 0;
	if (address != NULL)
		snprintf(m->client, sizeof(m->client), "%s", address);
}

/* Puts a part where it belongs, or drops it. */
static void
take_part(struct message *m, zmq_msg_t *part, bool *inside)
{
	zmq_msg_t *to = NULL;

	if (!*inside) {
		*inside = m->from.n > 0 && zmq_msg_size(part) == 0;
		m->lost |= m->from.n == ENVELOPE_PARTS;
		if (!m->lost)
			to = &m->from.part[m->from.n++];
	} else {
		if (m->parts < MESSAGE_PARTS)
			to = &m->part[m->parts];
		m->parts++;
		m->bytes += zmq_msg_size(part);
	}
	if (to == NULL)
		return;
	zmq_msg_init(to);
	zmq_msg_move(to, part);
}

bool
message_receive(void *socket, struct message *m)
{
	bool inside = false, more = true;
	zmq_msg_t part;

	*m = (struct message){ 0 };
	while (more && receive_part(socket, &part)) {
		more = zmq_msg_more(&part);
		if (m->from.n == 1 && !inside)
			note_peer(m, &part);
		take_part(m, &part, &inside);
		zmq_msg_close(&part);
	}
	m->lost |= !inside;
	return m->from.n > 0;
}

struct bytes
message_part(struct message *m, unsigned i)
{
	if (i >= m->parts || i >= MESSAGE_PARTS)
		return (struct bytes){ 0 };
	return (struct bytes){ zmq_msg_data(&m->part[i]),
	    zmq_msg_size(&m->part[i]) };
}

void
message_close(struct message *m)
{
	envelope_close(&m->from);
	while (m->parts > MESSAGE_PARTS)
		m->parts--;
	while (m->parts > 0)
		zmq_msg_close(&m->part[--m->parts]);
}

/* ---- Sending ----------------------------------------------------------- */

static bool
send_copy(void *socket, struct bytes b, int more)
{
	return zmq_send(socket, b.p, b.n, ZMQ_DONTWAIT | more) >= 0;
}

bool
envelope_answer(struct envelope *e, void *socket, struct bytes first,
    const struct bytes *second)
{
	bool sent = e->n > 0;

	/* The first part finds the connection; the rest does not fail. */
	for (unsigned i = 0; i < e->n && sent; i++)
		sent = zmq_msg_send(&e->part[i], socket, ZMQ_DONTWAIT |
		    ZMQ_SNDMORE) >= 0;
	sent = sent && send_copy(socket, first, second != NULL ?
	    ZMQ_SNDMORE : 0);
	if (sent && second != NULL)
		sent = send_copy(socket, *second, 0);
	envelope_close(e);
	return sent;
}
