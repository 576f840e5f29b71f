// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include <microhttpd.h>

#include "base/clock.h"
#include "cmd.h"
#include "route.h"
#include "server.h"

/* ---- The head ---------------------------------------------------------- */

static struct connection *
connection_of(struct MHD_Connection *http)
{
	const union MHD_ConnectionInfo *i = MHD_get_connection_info(http,
	    MHD_CONNECTION_INFO_SOCKET_CONTEXT);

	return i->socket_context;
}

/* What the head alone decides: an answer, or that the body is wanted. */
static void
judge_head(struct request *r, const char *method, const char *path)
{
	struct server *s = r->server;
	unsigned status;

	if (strcmp(method, "OPTIONS") == 0 && s->options.origin != NULL) {
		r->status = 204;
		return;
	}
	r->route = route_find(method, path, &r->word, &status, &r->allowed);
	if (r->route == NULL) {
		route_error(r, status, status == 404 ? "no such path; "
		    "npu-serve(1) lists the paths" : status == 405 ?
		    "the path has another method" : "out of memory");
		return;
	}
	/* A form may have the token in it. */
	if (!r->route->open && r->route->body != BODY_FORM &&
	    !access_allowed(&s->access, r->http)) {
		route_error(r, 401, "the token is missing or wrong");
		return;
	}
	body_open(&r->body, r->route->body, s->options.max_body, r->http);
	if (r->body.status != 0) {
		route_error(r, r->body.status, r->body.err.msg);
	} else if (r->route->read != NULL && scheduler_full(s->scheduler)) {
		r->retry_after = 1;
		route_error(r, 429, "too many inferences wait; try again");
	}
}

/* NULL without memory. */
static struct request *
open_request(struct server *s, struct MHD_Connection *http,
    const char *method, const char *path)
{
	struct connection *from = connection_of(http);
	struct request *r = from != NULL ? malloc(sizeof(*r)) : NULL;

	if (r == NULL)
		return NULL;
	*r = (struct request){ .server = s, .http = http, .from = from,
	    .started = clock_ns() };
	pthread_mutex_lock(&s->requests_lock);
	s->requests++;
	pthread_mutex_unlock(&s->requests_lock);
	connection_head(r->from, r);
	judge_head(r, method, path);
	return r;
}

/* ---- The answer -------------------------------------------------------- */

static void
add_header(struct MHD_Response *response, const char *name, const char *value)
{
	if (value != NULL)
		MHD_add_response_header(response, name, value);
}

static void
add_headers(const struct request *r, struct MHD_Response *response)
{
	char number[24];

	add_header(response, "Content-Type", r->type != NULL ? r->type :
	    "application/json");
	add_header(response, "Allow", r->allowed);
	if (r->server->options.origin != NULL) {
		add_header(response, "Access-Control-Allow-Origin",
		    r->server->options.origin);
		add_header(response, "Access-Control-Allow-Headers",
		    "Authorization, Content-Type, x-api-key");
		add_header(response, "Vary", "Origin");
	}
	if (r->json_bytes > 0) {
		snprintf(number, sizeof(number), "%zu", r->json_bytes);
		add_header(response, "Inference-Header-Content-Length",
		    number);
	}
	if (r->status == 401)
		add_header(response, "WWW-Authenticate", "Bearer");
	if (r->server->stopping)
		add_header(response, "Connection", "close");
	if (r->retry_after > 0) {
		snprintf(number, sizeof(number), "%u", r->retry_after);
		add_header(response, "Retry-After", number);
	}
}

static enum MHD_Result
send_answer(struct request *r)
{
	struct MHD_Response *response;
	enum MHD_Result result;

	if (r->gone)
		return MHD_NO;
	if (r->out.failed) {
		r->status = HTTP_UNAVAILABLE;
		r->json_bytes = 0;
		buf_free(&r->out);
	}
	if (r->ended == 0)
		r->ended = clock_ns();
	connection_answer(r->from);
	r->answer_bytes = r->out.n;
	response = MHD_create_response_from_buffer(r->out.n, r->out.p,
	    r->out.p != NULL ? MHD_RESPMEM_MUST_FREE : MHD_RESPMEM_PERSISTENT);
	if (response == NULL)
		return MHD_NO;
	r->out = (struct buf){ 0 };
	add_headers(r, response);
	result = MHD_queue_response(r->http, r->status, response);
	MHD_destroy_response(response);
	return result;
}

/* ---- The body ---------------------------------------------------------- */

/* The token of a form may be in its head, or as DeepStack's api_key. */
static bool
form_allowed(const struct request *r)
{
	struct bytes key = { 0 };

	return r->route->open || access_allowed(&r->server->access, r->http) ||
	    (body_part(&r->body, "api_key", &key) > 0 &&
	    access_is_token(&r->server->access, key));
}

/* The whole request is there. */
static enum MHD_Result
begin_work(struct request *r)
{
	struct npu_err err;
	unsigned status;

	body_end(&r->body);
	if (r->body.kind == BODY_FORM && !form_allowed(r)) {
		route_error(r, 401, "the token is missing or wrong");
	} else if (r->body.status != 0) {
		route_error(r, r->body.status, r->body.err.msg);
	} else if (r->route->read == NULL) {
		status = r->route->answer(r, &err);
		if (status != 0)
			route_error(r, status, err.msg);
	} else {
		connection_body_done(r->from);
		MHD_suspend_connection(r->http);
		scheduler_add(r->server->scheduler, r);
		return MHD_YES;
	}
	return send_answer(r);
}

/* Called for the head, for each piece of the body, for its end, and, where the
 * connection was suspended, once more when it goes on. */
static enum MHD_Result
on_request(void *cls, struct MHD_Connection *http, const char *path,
    const char *method, const char *version, const char *data, size_t *n,
    void **state)
{
	struct request *r = *state;

	(void)version;
	if (r == NULL) {
		*state = r = open_request(cls, http, method, path);
		if (r == NULL)
			return MHD_NO;
		return r->status != 0 ? send_answer(r) : MHD_YES;
	}
	if (*n > 0) {
		body_add(&r->body, data, *n);
		*n = 0;
		return MHD_YES;
	}
	return r->status != 0 || r->gone ? send_answer(r) : begin_work(r);
}

static void
on_completed(void *cls, struct MHD_Connection *http, void **state,
    enum MHD_RequestTerminationCode code)
{
	struct server *s = cls;
	struct request *r = *state;

	(void)http, (void)code;
	if (r == NULL)
		return;
	*state = NULL;
	connection_request_end(r->from);
	if (r->ended == 0)
		r->ended = clock_ns();
	metrics_count(&s->metrics, r);
	if (!cmd_quiet)
		log_request(r, s->log_fd);
	request_free(r);
	pthread_mutex_lock(&s->requests_lock);
	s->requests--;
	pthread_mutex_unlock(&s->requests_lock);
}

/* ---- Connections ------------------------------------------------------- */

static void
on_connection(void *cls, struct MHD_Connection *http, void **context,
    enum MHD_ConnectionNotificationCode code)
{
	struct server *s = cls;

	if (code == MHD_CONNECTION_NOTIFY_STARTED) {
		*context = connection_new(s->connections, http);
	} else if (*context != NULL) {
		connection_end(*context);
		*context = NULL;
	}
}

static void
on_gone(struct request *r)
{
	scheduler_forget(r->server->scheduler, r);
}

/* ---- For the scheduler ------------------------------------------------- */

/* What the system refuses, such as memory, is not the request's fault. */
static unsigned
blame(unsigned status, const struct npu_err *err)
{
	return status != 0 && err->code == NPU_ESYSTEM ? HTTP_UNAVAILABLE :
	    status;
}

static unsigned
read_request(struct request *r, struct npu_err *err)
{
	unsigned status = blame(r->route->read(r, err), err);

	r->refused = status != 0;
	return status;
}

static void
answer_request(struct request *r)
{
	struct npu_err err = r->err;
	const unsigned bad_input = r->route->api->bad_input;
	unsigned status = r->failed != 0 ? r->failed :
	    blame(r->route->answer(r, &err), &err);

	/* The scheduler says 400 of an input that cannot be used. */
	if (r->failed == HTTP_BAD_REQUEST && !r->refused && bad_input != 0)
		status = bad_input;
	if (status != 0)
		route_error(r, status, err.msg);
	r->ended = clock_ns();
	MHD_resume_connection(r->http);
}

/* ---- The server -------------------------------------------------------- */

/* What the library says, such as that a client left. */
static void
on_message(void *cls, const char *format, va_list ap)
{
	char line[400];

	(void)cls;
	vsnprintf(line, sizeof(line), format, ap);
	line[strcspn(line, "\n")] = '\0';
	cmd_detail("%s", line);
}

enum {
	/* Connections that are ended but not yet closed. */
	CLOSING = 64,
	/* The head of a request, and the buffer for what is sent. */
	CONNECTION_MEMORY = 32 << 10,
};

void
server_open(struct server *s, int fd)
{
	metrics_open(&s->metrics);
	pthread_mutex_init(&s->requests_lock, NULL);
	s->options.scheduler.read = read_request;
	s->options.scheduler.answer = answer_request;
	s->scheduler = scheduler_open(&s->options.scheduler, &s->catalogue);
	s->connections = connections_open(&s->options.connections, on_gone);
	s->daemon = MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD |
	    MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, NULL, NULL,
	    on_request, s,
	    MHD_OPTION_EXTERNAL_LOGGER, on_message, NULL,
	    MHD_OPTION_LISTEN_SOCKET, fd,
	    MHD_OPTION_CONNECTION_LIMIT, s->options.connections.most + CLOSING,
	    MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY,
	    MHD_OPTION_NOTIFY_COMPLETED, on_completed, s,
	    MHD_OPTION_NOTIFY_CONNECTION, on_connection, s,
	    MHD_OPTION_STRICT_FOR_CLIENT, 1,
	    MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1,
	    MHD_OPTION_END);
	if (s->daemon == NULL) {
		scheduler_close(s->scheduler);
		cmd_die("the HTTP library does not start; 'ulimit -n' may be "
		    "too low");
	}
}

void
server_tick(struct server *s)
{
	connections_sweep(s->connections);
	scheduler_expire(s->scheduler);
	if (s->stopping)
		connections_end_idle(s->connections);
}

void
server_quiesce(struct server *s)
{
	s->stopping = true;
	MHD_quiesce_daemon(s->daemon);
}

bool
server_is_done(struct server *s)
{
	bool done;

	pthread_mutex_lock(&s->requests_lock);
	done = s->requests == 0;
	pthread_mutex_unlock(&s->requests_lock);
	return done;
}

void
server_cancel(struct server *s)
{
	scheduler_drain(s->scheduler);
}

void
server_close(struct server *s)
{
	scheduler_drain(s->scheduler);
	MHD_stop_daemon(s->daemon);
	scheduler_close(s->scheduler);
	connections_close(s->connections);
	catalogue_close(&s->catalogue);
	access_free(&s->access);
}
