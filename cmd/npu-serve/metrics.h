/* SPDX-License-Identifier: Apache-2.0 */
/* What /metrics counts, and the line of the log that each request gets. */
#ifndef NPU_SERVE_METRICS_H
#define NPU_SERVE_METRICS_H

#include <pthread.h>

#include "request.h"
#include "route.h"

enum {
	METRIC_ROUTES = 48,	/* and a row for other paths */
	METRIC_STATUSES = 16,
	METRIC_BUCKETS = 12,
};

enum stage { STAGE_WAIT, STAGE_DECODE, STAGE_INFER, STAGE_TOTAL, STAGES };

struct time_histogram {
	uint64_t bucket[METRIC_BUCKETS + 1];	/* the last: beyond all */
	uint64_t n;
	double sum;		/* s */
};

struct metrics {
	pthread_mutex_t lock;
	const struct route *route[METRIC_ROUTES];	/* NULL: none yet */
	uint64_t requests[METRIC_ROUTES][METRIC_STATUSES];
	struct time_histogram histogram[ROLES][STAGES];
	uint64_t failed_detections;
};

void metrics_open(struct metrics *m);
/* Counts a request that has its answer. */
void metrics_count(struct metrics *m, const struct request *r);
/* Adds them as Prometheus reads them. */
void metrics_write(struct metrics *m, struct server *s, struct buf *out);

/* Writes the request's line to fd: a JSON object.  Without any text, file
 * name or token of the client. */
void log_request(const struct request *r, int fd);

#endif
