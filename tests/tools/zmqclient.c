// SPDX-License-Identifier: Apache-2.0
/*
 * zmqclient [OPTION]... ENDPOINT PART... - sends a message of these parts to a
 * server over ZeroMQ, and prints the reply: for each part a line with its text,
 * if it begins with '{', or else its size.  A PART is a text, or @FILE, which
 * stands for the file's contents.
 *
 *	-d	uses a DEALER socket: the message has only these parts; if it
 *		shall begin with an empty part, the first PART is empty
 *	-i ID	the identity of the socket
 *	-o FILE	writes the second part of the reply to FILE
 *	-t MS	waits at least this long before it gives up (60000)
 *	-n N	sends the message N times, and receives N replies (-d)
 *
 * Status 0: a reply came; 4: no reply came; 1: an error.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <zmq.h>

enum { NO_REPLY = 4, MOST = 32 << 20 };

struct options {
	int type, patience_ms, times;
	const char *identity, *output;
};

static void
fail(const char *what)
{
	fprintf(stderr, "zmqclient: %s: %s\n", what, zmq_strerror(zmq_errno()));
	exit(1);
}

static size_t
read_file(const char *path, char *p)
{
	FILE *f = fopen(path, "rb");
	size_t n;

	if (f == NULL) {
		perror(path);
		exit(1);
	}
	n = fread(p, 1, MOST, f);
	fclose(f);
	return n;
}

static void
send_part(void *socket, const char *part, bool more)
{
	const int flags = more ? ZMQ_SNDMORE : 0;
	char *p;
	int sent;

	if (*part != '@') {
		sent = zmq_send(socket, part, strlen(part), flags);
	} else {
		if ((p = malloc(MOST)) == NULL)
			fail("memory");
		sent = zmq_send(socket, p, read_file(part + 1, p), flags);
		free(p);
	}
	if (sent < 0)
		fail("send");
}

static void
save(const char *path, zmq_msg_t *part)
{
	FILE *f = fopen(path, "wb");

	if (f == NULL || fwrite(zmq_msg_data(part), 1, zmq_msg_size(part),
	    f) != zmq_msg_size(part) || fclose(f) != 0) {
		perror(path);
		exit(1);
	}
}

static void
print(zmq_msg_t *part)
{
	const char *p = zmq_msg_data(part);
	const size_t n = zmq_msg_size(part);

	if (n > 0 && *p == '{')
		printf("%.*s\n", (int)n, p);
	else
		printf("%zu bytes\n", n);
}

/* Returns false if no reply came in time. */
static bool
receive(void *socket, const struct options *o)
{
	zmq_msg_t part;
	int more = 1;

	for (int i = o->type == ZMQ_DEALER ? -1 : 0; more != 0; i++) {
		zmq_msg_init(&part);
		if (zmq_msg_recv(&part, socket, 0) < 0)
			return false;
		more = zmq_msg_more(&part);
		if (i >= 0)
			print(&part);
		if (i == 1 && o->output != NULL)
			save(o->output, &part);
		zmq_msg_close(&part);
	}
	return true;
}

static void *
open_socket(void *context, const struct options *o, const char *endpoint)
{
	void *socket = zmq_socket(context, o->type);
	const int no = 0;

	if (socket == NULL)
		fail("socket");
	zmq_setsockopt(socket, ZMQ_LINGER, &no, sizeof(no));
	zmq_setsockopt(socket, ZMQ_RCVTIMEO, &o->patience_ms,
	    sizeof(o->patience_ms));
	if (o->identity != NULL)
		zmq_setsockopt(socket, ZMQ_ROUTING_ID, o->identity,
		    strlen(o->identity));
	if (zmq_connect(socket, endpoint) < 0)
		fail(endpoint);
	return socket;
}

static int
talk(const struct options *o, char **words)
{
	void *context = zmq_ctx_new();
	void *socket = open_socket(context, o, words[0]);
	int status = 0;

	for (int n = 0; n < o->times; n++)
		for (char **p = words + 1; *p != NULL; p++)
			send_part(socket, *p, p[1] != NULL);
	for (int n = 0; n < o->times && status == 0; n++)
		if (!receive(socket, o))
			status = NO_REPLY;
	zmq_close(socket);
	zmq_ctx_term(context);
	return status;
}

int
main(int argc, char *argv[])
{
	struct options o = { .type = ZMQ_REQ, .patience_ms = 60000,
	    .times = 1 };
	int opt;

	while ((opt = getopt(argc, argv, "di:n:o:t:")) != -1)
		switch (opt) {
		case 'd': o.type = ZMQ_DEALER; break;
		case 'i': o.identity = optarg; break;
		case 'n': o.times = atoi(optarg); break;
		case 'o': o.output = optarg; break;
		case 't': o.patience_ms = atoi(optarg); break;
		default: return 1;
		}
	if (argc - optind < 2)
		return 1;
	return talk(&o, argv + optind);
}
