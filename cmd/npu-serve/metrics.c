// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdio.h>

#include "base/json.h"
#include "cmd.h"
#include "metrics.h"
#include "route.h"
#include "server.h"
#include "serving/service.h"

/* The statuses that are counted apart; any other is the last. */
static const unsigned statuses[METRIC_STATUSES] = { 200, 400, 401, 404, 405,
    408, 413, 415, 422, 429, 499, 500, 501, 503, 0 };

/* Upper bounds, seconds. */
static const double bounds[METRIC_BUCKETS] = { .001, .0025, .005, .01, .025,
    .05, .1, .25, .5, 1, 5, 30 };

static const char *const stages[STAGES] = { "wait", "decode", "infer",
    "total" };

void
metrics_open(struct metrics *m)
{
	pthread_mutex_init(&m->lock, NULL);
}

/* ---- Counting ---------------------------------------------------------- */

static size_t
status_index(unsigned status)
{
	size_t i = 0;

	while (statuses[i] != 0 && statuses[i] != status)
		i++;
	return i;
}

static void
observe(struct time_histogram *h, uint64_t ns)
{
	double s = (double)ns / 1e9;
	size_t i = 0;

	while (i < METRIC_BUCKETS && s > bounds[i])
		i++;
	h->bucket[i]++;
	h->n++;
	h->sum += s;
}

/* The time until the first inference began; 0 where none did. */
static uint64_t
waited(const struct request *r)
{
	return r->first_begun > r->complete ? r->first_begun - r->complete : 0;
}

/* The status that the client got, or would have. */
static unsigned
status_of(const struct request *r)
{
	return r->gone || r->status == 0 ? 499 : r->status;
}

static void
count_times(struct metrics *m, const struct request *r)
{
	struct time_histogram *h;

	if (r->items == 0 || r->first_begun == 0)
		return;
	h = m->histogram[r->item[0].role->kind];
	observe(&h[STAGE_WAIT], waited(r));
	observe(&h[STAGE_DECODE], r->decode_ns);
	observe(&h[STAGE_INFER], r->infer_ns);
	observe(&h[STAGE_TOTAL], r->ended - r->started);
}

/* The row of a route, which is taken when it is first asked for; the last row
 * is for paths that no route has. */
static size_t
row_of(struct metrics *m, const struct route *route)
{
	size_t i = 0;

	while (i < METRIC_ROUTES - 1 && route != NULL &&
	    m->route[i] != NULL && m->route[i] != route)
		i++;
	if (route == NULL || i == METRIC_ROUTES - 1)
		return METRIC_ROUTES - 1;
	m->route[i] = route;
	return i;
}

static bool
failed_to_find(const struct request *r)
{
	return r->route != NULL && r->route->api != NULL &&
	    r->route->api->objects && r->route->read != NULL &&
	    status_of(r) != 200;
}

void
metrics_count(struct metrics *m, const struct request *r)
{
	pthread_mutex_lock(&m->lock);
	m->requests[row_of(m, r->route)][status_index(status_of(r))]++;
	m->failed_detections += failed_to_find(r);
	count_times(m, r);
	pthread_mutex_unlock(&m->lock);
}

/* ---- Writing ----------------------------------------------------------- */

static void
head(struct buf *b, const char *name, const char *type, const char *help)
{
	buf_printf(b, "# HELP npu_serve_%s %s\n# TYPE npu_serve_%s %s\n", name,
	    help, name, type);
}

static void
write_requests(const struct metrics *m, struct buf *b)
{
	head(b, "requests_total", "counter", "Requests by route and status.");
	for (size_t i = 0; i < METRIC_ROUTES; i++)
		for (size_t k = 0; k < METRIC_STATUSES; k++)
			if (m->requests[i][k] > 0)
				buf_printf(b, "npu_serve_requests_total{route="
				    "\"%s\",status=\"%u\"} %" PRIu64 "\n",
				    m->route[i] != NULL ? m->route[i]->path :
				    "none", statuses[k], m->requests[i][k]);
}

static void
write_histogram(const struct time_histogram *h, const char *role,
    const char *stage, struct buf *b)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < METRIC_BUCKETS; i++) {
		sum += h->bucket[i];
		buf_printf(b, "npu_serve_%s_seconds_bucket{role=\"%s\","
		    "le=\"%g\"} %" PRIu64 "\n", stage, role, bounds[i], sum);
	}
	buf_printf(b, "npu_serve_%s_seconds_bucket{role=\"%s\",le=\"+Inf\"} %"
	    PRIu64 "\nnpu_serve_%s_seconds_sum{role=\"%s\"} %.9g\n"
	    "npu_serve_%s_seconds_count{role=\"%s\"} %" PRIu64 "\n", stage,
	    role, h->n, stage, role, h->sum, stage, role, h->n);
}

static void
write_histograms(const struct metrics *m, const struct catalogue *c,
    struct buf *b)
{
	static const char *const help[STAGES] = {
		"From the whole request to its first inference.",
		"Making the inputs of a request.",
		"The inferences of a request.",
		"From the head of a request to its answer.",
	};
	char name[40];

	for (size_t s = 0; s < STAGES; s++) {
		snprintf(name, sizeof(name), "%s_seconds", stages[s]);
		head(b, name, "histogram", help[s]);
		for (int k = 0; k < ROLES; k++)
			if (c->role[k].path != NULL)
				write_histogram(&m->histogram[k][s],
				    role_words[k], stages[s], b);
	}
}

static void
write_value(struct buf *b, const char *name, const char *type,
    const char *help, double value)
{
	head(b, name, type, help);
	buf_printf(b, "npu_serve_%s %.17g\n", name, value);
}

static void
write_roles(struct buf *b, const char *name, const char *help,
    const struct catalogue *c, const uint64_t value[ROLES])
{
	head(b, name, "counter", help);
	for (int k = 0; k < ROLES; k++)
		if (c->role[k].path != NULL)
			buf_printf(b, "npu_serve_%s{role=\"%s\"} %" PRIu64
			    "\n", name, role_words[k], value[k]);
}

void
metrics_write(struct metrics *m, struct server *s, struct buf *b)
{
	struct scheduler_state now;

	scheduler_state(s->scheduler, &now);
	pthread_mutex_lock(&m->lock);
	write_requests(m, b);
	write_histograms(m, &s->catalogue, b);
	write_value(b, "failed_detections_total", "counter",
	    "Requests for objects that got an error.",
	    (double)m->failed_detections);
	pthread_mutex_unlock(&m->lock);
	write_roles(b, "items_total", "Inferences that ended well.",
	    &s->catalogue, now.items);
	write_roles(b, "items_failed_total", "Inferences that did not.",
	    &s->catalogue, now.failed);
	write_value(b, "waiting", "gauge", "Inferences that have not begun.",
	    (double)now.waiting);
	write_value(b, "in_flight", "gauge", "Inferences that run.",
	    now.in_flight);
	write_value(b, "connections", "gauge", "Open connections.",
	    connections_count(s->connections));
	write_value(b, "device_resets_total", "counter",
	    "Models that were loaded again after a failure.",
	    (double)now.resets);
	write_value(b, "busy_seconds_total", "counter",
	    "Time with an inference in flight.", (double)now.busy_ns / 1e9);
}

/* ---- The log ----------------------------------------------------------- */

void
log_request(const struct request *r, int fd)
{
	struct json j = { 0 };

	service_begin_line(&j);
	json_key(&j, "route");
	json_str(&j, r->route != NULL ? r->route->path : NULL);
	json_member_uint(&j, "status", status_of(r));
	json_member_uint(&j, "bytes", r->body.total);
	json_member_uint(&j, "answer_bytes", r->answer_bytes);
	json_member_uint(&j, "items", r->items);
	service_member_ms(&j, "wait_ms", waited(r));
	service_member_ms(&j, "infer_ms", r->infer_ns);
	service_member_ms(&j, "total_ms", r->ended - r->started);
	json_key(&j, "client");
	json_str(&j, connection_client(r->from));
	service_end_line(&j, fd);
}
