// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "cmd.h"
#include "reply.h"
#include "request_log.h"
#include "server.h"
#include "serving/service.h"
#include "wire.h"

/* A frame that waits for its answer; the owner of a job. */
struct asked {
	struct asked *next;
	struct envelope from;
	bool in_turn;
	char client[64];
	enum message_kind kind;
	size_t bytes;
	uint64_t came;
	struct frame_job *job;	/* the detector's while it has it */
};

/* ---- Answers ----------------------------------------------------------- */

static struct bytes
text_of(const struct json *j)
{
	return (struct bytes){ (const uint8_t *)j->out.p, j->out.n };
}

/* One part of JSON; frees it. */
static bool
answer_json(struct zmq_server *s, struct envelope *to, struct json *j)
{
	bool sent = !j->out.failed &&
	    envelope_answer(to, s->socket, text_of(j), NULL);

	json_free(j);
	return sent;
}

/* An error has two parts where objects would have them. */
static bool
answer_error(struct zmq_server *s, struct envelope *to, enum message_kind kind,
    const char *why)
{
	static const struct bytes nothing;
	struct json j = { 0 };
	bool sent;

	if (kind != MESSAGE_FRAME) {
		reply_error(&j, why);
		return answer_json(s, to, &j);
	}
	reply_error_header(&j, why);
	sent = !j.out.failed &&
	    envelope_answer(to, s->socket, text_of(&j), &nothing);
	json_free(&j);
	return sent;
}

static bool
answer_rows(struct zmq_server *s, struct envelope *to,
    float rows[REPLY_ROWS][REPLY_COLUMNS])
{
	const struct bytes head = { (const uint8_t *)REPLY_HEADER,
	    sizeof(REPLY_HEADER) - 1 };
	const struct bytes body = { (const uint8_t *)rows,
	    REPLY_ROWS * sizeof(*rows) };

	return envelope_answer(to, s->socket, head, &body);
}

/* ---- Messages without a frame ------------------------------------------- */

static void
answer_booleans(struct json *j, const char *first, bool a,
    const char *second, bool b)
{
	json_object(j);
	json_key(j, first);
	json_bool(j, a);
	json_key(j, second);
	json_bool(j, b);
	json_end_object(j);
}

static bool
is_ours(const struct zmq_server *s, const char *name)
{
	for (size_t i = 0; s->options.names[i] != NULL; i++)
		if (strcmp(s->options.names[i], name) == 0)
			return true;
	return false;
}

static void
write_health(struct zmq_server *s, struct json *j)
{
	struct detector_state now;
	const char *why;

	detector_state(s->detector, &now);
	why = s->ending ? "the server is ending" : now.down ? now.reason :
	    NULL;
	json_object(j);
	json_key(j, "schema");
	json_str(j, "npu-zmq/1");
	json_key(j, "ready");
	json_bool(j, why == NULL);
	json_key(j, "reason");
	json_str(j, why);
	json_key(j, "model");
	json_str(j, s->options.model);
	json_member_uint(j, "requests", s->counters.requests);
	json_member_uint(j, "frames", s->counters.frames);
	json_member_uint(j, "failed", s->counters.failed);
	json_member_uint(j, "lost", s->counters.lost);
	json_member_uint(j, "waiting", now.waiting);
	json_member_uint(j, "in_flight", now.in_flight);
	json_member_uint(j, "device_resets", now.resets);
	json_end_object(j);
}

/* Answers a request that needs no inference, and sets l->outcome. */
static void
answer_now(struct zmq_server *s, struct message *m, const struct header *h,
    struct request_entry *l)
{
	struct json j = { 0 };

	l->outcome = ANSWERED;
	if (h->kind == MESSAGE_HEALTH) {
		write_health(s, &j);
	} else if (h->kind == MESSAGE_UPLOAD) {
		answer_booleans(&j, "model_saved", false, "model_loaded",
		    false);
		l->outcome = REFUSED;
		l->error = "models are not taken; -m names the model";
	} else if (is_ours(s, h->name)) {
		answer_booleans(&j, "model_available", true, "model_loaded",
		    true);
	} else {
		answer_booleans(&j, "model_available", false, "model_loaded",
		    false);
		l->outcome = REFUSED;
		l->error = "another model is asked for; --alias gives this "
		    "model that name";
	}
	if (!answer_json(s, &m->from, &j))
		l->outcome = GONE;
}

/* ---- Frames ------------------------------------------------------------ */

static void
asked_free(struct asked *a)
{
	envelope_close(&a->from);
	free(a);
}

/* Makes the job, whose input is the frame's. */
static int
make_job(struct zmq_server *s, struct message *m, const struct header *h,
    struct frame_job **job, struct npu_err *err)
{
	struct frame_job *j = calloc(1, sizeof(*j));
	int rc;

	if (j == NULL ||
	    (j->in = malloc(s->format.recipe.tensor.size)) == NULL)
		rc = npu_fail(err, NPU_ESYSTEM, "out of memory");
	else if (m->parts != MESSAGE_PARTS)
		rc = npu_fail(err, NPU_EFORMAT, "a frame comes in %d parts, "
		    "not %u", MESSAGE_PARTS, m->parts);
	else
		rc = frame_convert(&s->format, h, message_part(m, 1), j->in,
		    err);
	if (rc < 0)
		job_free(j);
	else
		*job = j;
	return rc;
}

static int
ask(struct zmq_server *s, struct message *m, const struct header *h,
    uint64_t came, struct npu_err *err)
{
	struct frame_job *job = NULL;
	struct asked *a;
	int rc = make_job(s, m, h, &job, err);

	if (rc < 0)
		return rc;
	a = calloc(1, sizeof(*a));
	rc = a == NULL ? npu_fail(err, NPU_ESYSTEM, "out of memory") :
	    detector_add(s->detector, job, err);
	if (rc < 0) {
		job_free(job);
		free(a);
		return rc;
	}
	/* The detector gives the job back in this thread alone. */
	job->owner = a;
	*a = (struct asked){ .next = s->asked, .in_turn = m->in_turn,
	    .kind = h->kind, .bytes = m->bytes, .came = came, .job = job };
	memcpy(a->client, m->client, sizeof(a->client));
	envelope_move(&a->from, &m->from);
	s->asked = a;
	return 0;
}

static void
forget(struct zmq_server *s, struct asked *a)
{
	struct asked **p = &s->asked;

	while (*p != a)
		p = &(*p)->next;
	*p = a->next;
}

/* Decodes what came out, and answers; l->outcome is ANSWERED before. */
static void
answer_objects(struct zmq_server *s, struct asked *a, struct request_entry *l,
    struct npu_err *err)
{
	const struct prep_recipe *r = &s->format.recipe;
	float rows[REPLY_ROWS][REPLY_COLUMNS];
	const struct detection *found;
	struct geometry g;
	int rc;

	/* The frame is the model's input: boxes need no scaling. */
	geometry_fit(&g, FIT_STRETCH, r->width, r->height, r->width,
	    r->height);
	rc = yolo_decode(s->decoder.yolo, a->job->out, &g,
	    &s->decoder.options, &found, &l->objects, NULL, err);
	if (rc == 0)
		rc = yolo_check(s->decoder.yolo, a->job->out, &g,
		    &s->decoder.options, err);
	if (rc < 0) {
		a->job->rc = rc;
		l->objects = 0;
		return;
	}
	reply_rows(rows, found, l->objects, r->width, r->height);
	if (!answer_rows(s, &a->from, rows))
		l->outcome = GONE;
}

static void
count_frame(struct zmq_server *s, enum outcome outcome)
{
	s->counters.frames += outcome == ANSWERED;
	s->counters.failed += outcome == FAILED || outcome == REFUSED;
	s->counters.lost += outcome == GONE || outcome == DROPPED;
}

static void
finish(struct zmq_server *s, struct frame_job *job)
{
	struct asked *a = job->owner;
	struct npu_err err = job->err;
	struct request_entry l = { .kind = a->kind, .client = a->client,
	    .bytes = a->bytes, .came = a->came, .job = job };

	forget(s, a);
	if (a->from.n == 0)
		l.outcome = GONE;
	else if (job->rc == 0)
		answer_objects(s, a, &l, &err);
	if (job->rc < 0 && l.outcome != GONE) {
		l.outcome = FAILED;
		l.error = err.msg;
		if (!answer_error(s, &a->from, a->kind, err.msg))
			l.outcome = GONE;
	}
	count_frame(s, l.outcome);
	request_log(s->log_fd, &l);
	job_free(job);
	asked_free(a);
}

/* Drops the frames of a client that asks again before it has its answer: an old
 * answer must not reach it as the answer to the new request. */
static void
supersede(struct zmq_server *s, struct message *m)
{
	struct asked *next;

	for (struct asked *a = s->asked; a != NULL; a = next) {
		next = a->next;
		if (!a->in_turn || !envelope_same_peer(&a->from, &m->from))
			continue;
		envelope_close(&a->from);
		if (detector_withdraw(s->detector, a->job))
			finish(s, a->job);
	}
}

/* ---- A message --------------------------------------------------------- */

static int
read_header(struct message *m, struct header *h, struct npu_err *err)
{
	*h = (struct header){ .kind = MESSAGE_BAD };
	if (m->parts == 0)
		return npu_fail(err, NPU_EFORMAT, "the message has no part");
	return header_read(h, message_part(m, 0), err);
}

/* Does what the header asks for; 0: a frame is with the detector, or it was
 * answered as l->outcome says. */
static int
act(struct zmq_server *s, struct message *m, struct header *h,
    struct request_entry *l, struct npu_err *err)
{
	int rc = read_header(m, h, err);

	/* Who sends two parts expects two. */
	if (h->kind == MESSAGE_BAD && m->parts > 1)
		h->kind = MESSAGE_FRAME;
	l->kind = h->kind;
	if (rc < 0)
		return rc;
	if (h->kind == MESSAGE_FRAME)
		return ask(s, m, h, l->came, err);
	answer_now(s, m, h, l);
	return 0;
}

static void
take_wanted(struct zmq_server *s, struct message *m, struct request_entry *l,
    struct npu_err *err)
{
	struct header h;
	int rc;

	if (m->in_turn)
		supersede(s, m);
	rc = act(s, m, &h, l, err);
	if (rc == 0 && h.kind == MESSAGE_FRAME)
		return;
	if (rc < 0) {
		l->outcome = err->code == NPU_EFORMAT ? REFUSED : FAILED;
		l->error = err->msg;
		if (!answer_error(s, &m->from, h.kind, err->msg))
			l->outcome = GONE;
		count_frame(s, l->outcome);
	}
	request_log(s->log_fd, l);
}

static void
take(struct zmq_server *s, struct message *m)
{
	struct request_entry l = { .client = m->client, .bytes = m->bytes,
	    .came = clock_ns() };
	struct npu_err err;

	s->counters.requests++;
	if (!m->lost) {
		take_wanted(s, m, &l, &err);
		return;
	}
	l.outcome = DROPPED;
	l.error = "no empty part ends who asks";
	count_frame(s, l.outcome);
	request_log(s->log_fd, &l);
}

/* ---- The loop ---------------------------------------------------------- */

enum { TICK_MS = 100, MOST_AT_ONCE = 16 };

/* Takes a few messages at a time: ended jobs must not wait until no message is
 * left. */
static void
take_messages(struct zmq_server *s)
{
	struct message m;

	for (int i = 0; i < MOST_AT_ONCE &&
	    message_receive(s->socket, &m); i++) {
		take(s, &m);
		message_close(&m);
	}
}

static void
finish_ended(struct zmq_server *s)
{
	struct frame_job *job;

	while ((job = detector_ended(s->detector)) != NULL)
		finish(s, job);
}

bool
server_work(struct zmq_server *s, int signal_fd, uint64_t until)
{
	zmq_pollitem_t items[] = {
		{ .socket = s->socket, .events = ZMQ_POLLIN },
		{ .fd = signal_fd, .events = ZMQ_POLLIN },
		{ .fd = detector_fd(s->detector), .events = ZMQ_POLLIN },
	};
	uint64_t last = 0;

	while (until == 0 || (s->asked != NULL && clock_ns() < until)) {
		zmq_poll(items, 3, TICK_MS);
		if (items[1].revents != 0)
			return false;
		finish_ended(s);
		take_messages(s);
		detector_expire(s->detector);
		service_watchdog(&last, !detector_is_stuck(s->detector));
	}
	return true;
}

/* ---- Opening and closing ----------------------------------------------- */

static void
set(struct zmq_server *s, int option, int value)
{
	if (zmq_setsockopt(s->socket, option, &value, sizeof(value)) < 0)
		cmd_die("libzmq refuses option %d: %s", option,
		    zmq_strerror(errno));
}

/* Messages that wait in libzmq, for each client: it asks for one at a time. */
enum { QUEUE = 4, LAST_ANSWERS_MS = 2000 };

void
server_open(struct zmq_server *s, int fd, const char *url)
{
	const int64_t most = (int64_t)s->options.max_message;

	s->context = zmq_ctx_new();
	s->socket = s->context != NULL ? zmq_socket(s->context, ZMQ_ROUTER) :
	    NULL;
	if (s->socket == NULL)
		cmd_die("libzmq does not start: %s", zmq_strerror(errno));
	zmq_setsockopt(s->socket, ZMQ_MAXMSGSIZE, &most, sizeof(most));
	set(s, ZMQ_ROUTER_MANDATORY, 1);
	set(s, ZMQ_RCVHWM, QUEUE);
	set(s, ZMQ_SNDHWM, QUEUE);
	set(s, ZMQ_LINGER, LAST_ANSWERS_MS);
	set(s, ZMQ_TCP_KEEPALIVE, 1);
	set(s, ZMQ_USE_FD, fd);
	if (zmq_bind(s->socket, url) < 0)
		cmd_die("%s: %s", url, zmq_strerror(errno));
}

void
server_quiesce(struct zmq_server *s)
{
	s->ending = true;
	detector_quiesce(s->detector, false);
}

void
server_cancel(struct zmq_server *s)
{
	detector_quiesce(s->detector, true);
}

void
server_close(struct zmq_server *s)
{
	finish_ended(s);
	take_messages(s);
	while (s->asked != NULL) {
		struct asked *a = s->asked;

		s->asked = a->next;
		asked_free(a);
	}
	zmq_close(s->socket);
	zmq_ctx_term(s->context);
	detector_close(s->detector);
}
