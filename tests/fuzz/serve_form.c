// SPDX-License-Identifier: Apache-2.0
/*
 * A form, parsed by libmicrohttpd: its parts lie within the data that was sent,
 * and the routes that take forms accept it or refuse it with a reason.  The
 * first byte chooses the route.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <microhttpd.h>

#include "servefake.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static const struct route *chosen;
static bool answered;

static enum MHD_Result
end(struct MHD_Connection *http, unsigned status)
{
	struct MHD_Response *response = MHD_create_response_from_buffer(0,
	    NULL, MHD_RESPMEM_PERSISTENT);
	enum MHD_Result result;

	MHD_add_response_header(response, "Connection", "close");
	result = MHD_queue_response(http, status, response);
	MHD_destroy_response(response);
	answered = true;
	return result;
}

static void
check(struct request *r)
{
	struct npu_err err = { 0 };
	unsigned status;
	size_t sum = 0;

	body_end(&r->body);
	for (size_t i = 0; i < r->body.parts; i++)
		sum += strlen(r->body.part[i].name) +
		    r->body.part[i].data.n;
	if (sum > r->body.total)
		abort();
	if (r->body.status != 0) {
		fake_check(r, r->body.status, &r->body.err);
		return;
	}
	status = r->route->read(r, &err);
	fake_check(r, status, &err);
}

static enum MHD_Result
on_request(void *cls, struct MHD_Connection *http, const char *path,
    const char *method, const char *version, const char *data, size_t *n,
    void **state)
{
	struct request *r = *state;

	(void)cls, (void)path, (void)method, (void)version;
	if (r == NULL) {
		*state = r = fake_request(chosen);
		body_open(&r->body, BODY_FORM, 1 << 20, http);
		return MHD_YES;
	}
	if (*n > 0) {
		body_add(&r->body, data, *n);
		*n = 0;
		return MHD_YES;
	}
	check(r);
	return end(http, 200);
}

static void
on_completed(void *cls, struct MHD_Connection *http, void **state,
    enum MHD_RequestTerminationCode code)
{
	(void)cls, (void)http, (void)code;
	if (*state != NULL)
		request_free(*state);
	*state = NULL;
	answered = true;
}

static void
send_form(int fd, const uint8_t *p, size_t n)
{
	char head[200];
	int bytes = snprintf(head, sizeof(head), "POST / HTTP/1.1\r\nHost: x"
	    "\r\nContent-Type: multipart/form-data; boundary=BB\r\n"
	    "Content-Length: %zu\r\n\r\n", n);

	if (write(fd, head, (size_t)bytes) != bytes ||
	    write(fd, p, n) != (ssize_t)n)
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	static struct MHD_Daemon *daemon;
	struct sockaddr address = { .sa_family = AF_UNIX };
	int pair[2];

	if (n == 0)
		return 0;
	if (daemon == NULL)
		daemon = MHD_start_daemon(MHD_USE_NO_LISTEN_SOCKET, 0, NULL,
		    NULL, on_request, NULL, MHD_OPTION_NOTIFY_COMPLETED,
		    on_completed, NULL, MHD_OPTION_END);
	if (daemon == NULL || socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0)
		abort();
	chosen = p[0] % 2 == 0 ? &routes_immich[0] : &routes_deepstack[0];
	answered = false;
	send_form(pair[0], p + 1, n - 1);
	shutdown(pair[0], SHUT_WR);
	if (MHD_add_connection(daemon, pair[1], &address,
	    sizeof(address)) != MHD_YES)
		abort();
	while (!answered)
		MHD_run_wait(daemon, 1);
	close(pair[0]);
	MHD_run_wait(daemon, 0);
	return 0;
}
