/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The connections and their limits.  The times count from the first byte of a
 * request, not from the last one, as a client may send a byte a second for
 * ever; libmicrohttpd has no such limits.  Where there are as many connections
 * as may be, a new connection takes the place of the connection that has been
 * without a whole request for longest.  Thus slow clients keep nobody out.
 */
#ifndef NPU_SERVE_CONNECTIONS_H
#define NPU_SERVE_CONNECTIONS_H

#include <stdint.h>

struct MHD_Connection;
struct connection;
struct connection_set;
struct request;

struct connection_limits {
	unsigned most, most_per_address;
	/* Milliseconds; < 0: no limit. */
	int32_t head_ms, body_ms, idle_ms;
};

/* gone() is called, under the lock of the connections, when the client of a
 * request that is being answered has left. */
struct connection_set *connections_open(const struct connection_limits *limits,
    void (*gone)(struct request *r));
/* All connections were closed before. */
void connections_close(struct connection_set *c);

/* What libmicrohttpd says of a connection: that it is there, or closed.  NULL
 * without memory. */
struct connection *connection_new(struct connection_set *c,
    struct MHD_Connection *http);
void connection_end(struct connection *c);

/* ---- A request of a connection ------------------------------------------ */

/* Its head is there; the body, the work and the answer follow. */
void connection_head(struct connection *c, struct request *r);
void connection_body_done(struct connection *c);
void connection_answer(struct connection *c);
void connection_request_end(struct connection *c);

/* "127.0.0.1:53122", or "unix". */
const char *connection_client(const struct connection *c);

/* Looks at all connections; call it every tenth of a second. */
void connections_sweep(struct connection_set *c);
unsigned connections_count(struct connection_set *c);
/* Ends those that have no request. */
void connections_end_idle(struct connection_set *c);

#endif
