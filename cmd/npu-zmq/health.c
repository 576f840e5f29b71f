// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <zmq.h>

#include "base/err.h"
#include "cmd.h"
#include "endpoint.h"
#include "health.h"
#include "serving/json_in.h"

enum { ANSWER = 4096, PATIENCE_MS = 5000, VALUES = 64 };

static const char question[] = "{\"health\":true}";

static void
set(void *socket, int option, int value)
{
	zmq_setsockopt(socket, option, &value, sizeof(value));
}

/* An endpoint with a star as its host, as libzmq connects to it. */
static char *
connectable(const char *endpoint)
{
	static const char any[] = "tcp://*:";
	const size_t n = sizeof(any) - 1;

	return strncmp(endpoint, any, n) == 0 ?
	    cmd_text("tcp://127.0.0.1:%s", endpoint + n) : cmd_copy(endpoint);
}

/* The bytes of the answer, which is cut if it is longer; -1 with errno. */
static int
ask(void *context, const char *endpoint, char answer[ANSWER])
{
	void *socket = context != NULL ? zmq_socket(context, ZMQ_REQ) : NULL;
	char *to = connectable(endpoint);
	int n = -1, why;

	if (socket == NULL)
		goto end;
	set(socket, ZMQ_LINGER, 0);
	set(socket, ZMQ_SNDTIMEO, PATIENCE_MS);
	set(socket, ZMQ_RCVTIMEO, PATIENCE_MS);
	set(socket, ZMQ_IPV6, 1);
	if (zmq_connect(socket, to) == 0 &&
	    zmq_send(socket, question, sizeof(question) - 1, 0) >= 0)
		n = zmq_recv(socket, answer, ANSWER, 0);
end:
	why = errno;
	if (socket != NULL)
		zmq_close(socket);
	free(to);
	errno = why;
	return n < ANSWER ? n : ANSWER;
}

static int
judge(const char *endpoint, struct bytes answer, bool ready)
{
	struct npu_err err;
	struct json_in *v = json_in_parse(answer, VALUES, &err);
	struct bytes why = json_in_string(json_in_member(v, "reason"));
	int status = EXIT_FAILED;

	if (json_in_kind(json_in_member(v, "ready")) != IN_BOOL)
		cmd_warn("%s: what answers is not npu-zmq", endpoint);
	else if (ready && !json_in_true(json_in_member(v, "ready")))
		cmd_warn("%s: %s", endpoint, why.p != NULL ?
		    (const char *)why.p : "it cannot work");
	else
		status = EXIT_DONE;
	json_in_free(v);
	return status;
}

static void
print(struct bytes answer)
{
	struct output o;

	cmd_open_output(&o, NULL, false);
	cmd_write(&o, answer.p, answer.n);
	cmd_write(&o, "\n", 1);
	cmd_close_output(&o);
}

int
health_ask(const char *endpoint, bool ready, bool json)
{
	char answer[ANSWER];
	void *context;
	int fd, n, why, status;

	/* libzmq would wait for a server that is yet to come. */
	if ((fd = listen_connect(&endpoint_form, &endpoint)) < 0)
		cmd_die("%s: no server answers: %s", endpoint,
		    strerror(errno));
	close(fd);
	context = zmq_ctx_new();
	n = ask(context, endpoint, answer);
	why = errno;
	if (context != NULL)
		zmq_ctx_term(context);
	if (n < 0)
		cmd_die("%s: no answer: %s", endpoint, why == EAGAIN ?
		    "the server takes too long" : zmq_strerror(why));
	status = judge(endpoint, (struct bytes){ (uint8_t *)answer,
	    (size_t)n }, ready);
	if (json)
		print((struct bytes){ (uint8_t *)answer, (size_t)n });
	return status;
}
