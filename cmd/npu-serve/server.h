/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The server: libmicrohttpd takes the requests, the scheduler runs them.
 *
 *	server_open(&s, fd);
 *	... until it is to end ...
 *	server_close(&s);
 */
#ifndef NPU_SERVE_SERVER_H
#define NPU_SERVE_SERVER_H

#include "access.h"
#include "connections.h"
#include "metrics.h"
#include "scheduler.h"

struct MHD_Daemon;

struct server_options {
	struct connection_limits connections;
	struct scheduler_options scheduler;
	uint64_t max_body;		/* bytes */
	size_t max_items;		/* of a request */
	int32_t drain_ms;
	double conf;			/* where the client names none */
	uint32_t count;			/* objects of a picture, 0: all */
	const char *origin;		/* of pages that may read answers */
};

struct server {
	struct server_options options;
	struct catalogue catalogue;
	struct access access;
	struct metrics metrics;
	int log_fd;

	struct scheduler *scheduler;
	struct connection_set *connections;
	struct MHD_Daemon *daemon;
	pthread_mutex_t requests_lock;
	size_t requests;		/* that are not answered */
	volatile bool stopping;
};

/* Loads the models, then answers those who connect to the socket fd, which the
 * server closes; dies. */
void server_open(struct server *s, int fd);
/* Call it every tenth of a second. */
void server_tick(struct server *s);
/* Takes no new connection from here on. */
void server_quiesce(struct server *s);
/* Whether all requests are answered. */
bool server_is_done(struct server *s);
/* Why it cannot work, in n bytes at room, or in a text that lasts; NULL: it
 * can. */
const char *server_hindrance(struct server *s, char *room, size_t n);
/* Fails those that are not. */
void server_cancel(struct server *s);
void server_close(struct server *s);

#endif
