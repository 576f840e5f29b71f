// SPDX-License-Identifier: Apache-2.0
#include <arpa/inet.h>
#include <errno.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <microhttpd.h>

#include "base/clock.h"
#include "cmd.h"
#include "connections.h"

enum state {
	IDLE,		/* between requests */
	HEAD,		/* a part of a head has come */
	BODY,
	WORK,
	ANSWER,
};

struct connection {
	struct connection_set *all;
	struct connection *next, *previous;
	struct MHD_Connection *http;
	int fd;
	struct sockaddr_storage address;
	char client[INET6_ADDRSTRLEN + 16];
	enum state state;
	uint64_t since;			/* it is in that state */
	uint64_t received;		/* bytes, when it became idle */
	struct request *request;	/* NULL: none */
	bool ended;			/* shutdown() was called */
};

struct connection_set {
	struct connection_limits limits;
	void (*gone)(struct request *r);
	pthread_mutex_t lock;		/* of all below, and of each one */
	struct connection *first;	/* the newest */
	unsigned n;			/* those not ended */
};

/* ---- Sockets ----------------------------------------------------------- */

/* Bytes that have come so far; 0 where that is not known. */
static uint64_t
received(const struct connection *c)
{
	struct tcp_info info = { 0 };
	socklen_t n = sizeof(info);

	if (c->address.ss_family == AF_UNIX ||
	    getsockopt(c->fd, IPPROTO_TCP, TCP_INFO, &info, &n) < 0)
		return 0;
	return info.tcpi_bytes_received;
}

static void
describe(struct connection *c)
{
	const struct sockaddr_in *v4 = (const void *)&c->address;
	const struct sockaddr_in6 *v6 = (const void *)&c->address;
	char text[INET6_ADDRSTRLEN];

	if (c->address.ss_family == AF_INET)
		snprintf(c->client, sizeof(c->client), "%s:%u", inet_ntop(
		    AF_INET, &v4->sin_addr, text, sizeof(text)),
		    ntohs(v4->sin_port));
	else if (c->address.ss_family == AF_INET6)
		snprintf(c->client, sizeof(c->client), "[%s]:%u", inet_ntop(
		    AF_INET6, &v6->sin6_addr, text, sizeof(text)),
		    ntohs(v6->sin6_port));
	else
		strcpy(c->client, "unix");
}

static bool
same_address(const struct connection *a, const struct connection *b)
{
	const struct sockaddr_in *a4 = (const void *)&a->address;
	const struct sockaddr_in *b4 = (const void *)&b->address;
	const struct sockaddr_in6 *a6 = (const void *)&a->address;
	const struct sockaddr_in6 *b6 = (const void *)&b->address;

	if (a->address.ss_family != b->address.ss_family)
		return false;
	if (a->address.ss_family == AF_INET)
		return a4->sin_addr.s_addr == b4->sin_addr.s_addr;
	/* A network of 64 bits has one owner. */
	return a->address.ss_family == AF_INET6 &&
	    memcmp(&a6->sin6_addr, &b6->sin6_addr, 8) == 0;
}

/* The library then closes it. */
static void
end(struct connection *c)
{
	if (c->ended)
		return;
	c->ended = true;
	c->all->n--;
	shutdown(c->fd, SHUT_RDWR);
}

/* ---- Too many ---------------------------------------------------------- */

/* Which of two makes room first: one without a request, then the older. */
static bool
goes_first(const struct connection *a, const struct connection *b)
{
	return b == NULL || a->state < b->state ||
	    (a->state == b->state && a->since < b->since);
}

/* Ends the connection that waits for longest for its client, of the address of
 * like if that is not NULL.  Where no connection waits, ends the new one. */
static void
make_room(struct connection_set *all, struct connection *new,
    const struct connection *like)
{
	struct connection *chosen = NULL;

	for (struct connection *c = all->first; c != NULL; c = c->next)
		if (c != new && !c->ended && c->state <= BODY &&
		    (like == NULL || same_address(c, like)) &&
		    goes_first(c, chosen))
			chosen = c;
	end(chosen != NULL ? chosen : new);
}

static unsigned
count_address(const struct connection_set *all, const struct connection *like)
{
	unsigned n = 0;

	for (struct connection *c = all->first; c != NULL; c = c->next)
		n += !c->ended && same_address(c, like);
	return n;
}

/* ---- Beginning and end ------------------------------------------------- */

struct connection_set *
connections_open(const struct connection_limits *limits,
    void (*gone)(struct request *r))
{
	struct connection_set *all = cmd_alloc(sizeof(*all));

	*all = (struct connection_set){ .limits = *limits, .gone = gone,
	    .lock = PTHREAD_MUTEX_INITIALIZER };
	return all;
}

void
connections_close(struct connection_set *all)
{
	free(all);
}

struct connection *
connection_new(struct connection_set *all, struct MHD_Connection *http)
{
	const union MHD_ConnectionInfo *fd = MHD_get_connection_info(http,
	    MHD_CONNECTION_INFO_CONNECTION_FD);
	struct connection *c = malloc(sizeof(*c));
	socklen_t n = sizeof(c->address);

	if (c == NULL)
		return NULL;
	*c = (struct connection){ .all = all, .http = http,
	    .fd = fd->connect_fd, .since = clock_ns() };
	if (getpeername(c->fd, (struct sockaddr *)&c->address, &n) < 0)
		c->address.ss_family = AF_UNSPEC;
	describe(c);
	/* Nothing says when bytes come over a unix socket. */
	c->state = c->address.ss_family == AF_UNIX ? HEAD : IDLE;
	pthread_mutex_lock(&all->lock);
	c->next = all->first;
	if (c->next != NULL)
		c->next->previous = c;
	all->first = c;
	if (++all->n > all->limits.most)
		make_room(all, c, NULL);
	if (count_address(all, c) > all->limits.most_per_address)
		make_room(all, c, c);
	pthread_mutex_unlock(&all->lock);
	return c;
}

void
connection_end(struct connection *c)
{
	struct connection_set *all = c->all;

	pthread_mutex_lock(&all->lock);
	if (c->previous != NULL)
		c->previous->next = c->next;
	else
		all->first = c->next;
	if (c->next != NULL)
		c->next->previous = c->previous;
	all->n -= !c->ended;
	pthread_mutex_unlock(&all->lock);
	free(c);
}

/* ---- A request --------------------------------------------------------- */

static void
set_state(struct connection *c, enum state state)
{
	c->state = state;
	c->since = clock_ns();
}

void
connection_head(struct connection *c, struct request *r)
{
	pthread_mutex_lock(&c->all->lock);
	c->request = r;
	set_state(c, BODY);
	pthread_mutex_unlock(&c->all->lock);
}

void
connection_body_done(struct connection *c)
{
	pthread_mutex_lock(&c->all->lock);
	set_state(c, WORK);
	pthread_mutex_unlock(&c->all->lock);
}

void
connection_answer(struct connection *c)
{
	pthread_mutex_lock(&c->all->lock);
	set_state(c, ANSWER);
	pthread_mutex_unlock(&c->all->lock);
}

void
connection_request_end(struct connection *c)
{
	pthread_mutex_lock(&c->all->lock);
	c->request = NULL;
	c->received = received(c);
	set_state(c, IDLE);
	pthread_mutex_unlock(&c->all->lock);
}

const char *
connection_client(const struct connection *c)
{
	return c->client;
}

/* ---- Sweeping ---------------------------------------------------------- */

static bool
is_late(const struct connection *c, int32_t ms, uint64_t now)
{
	/* The state may be newer than now. */
	return ms >= 0 && now > c->since + (uint64_t)ms * 1000000;
}

/* The library does not look at a connection while its request is at work. */
static bool
client_left(const struct connection *c)
{
	struct pollfd p = { .fd = c->fd, .events = POLLRDHUP };

	return poll(&p, 1, 0) > 0 &&
	    (p.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

static void
sweep_one(struct connection *c, uint64_t now)
{
	const struct connection_limits *l = &c->all->limits;

	if (c->state == IDLE && received(c) > c->received)
		set_state(c, HEAD);
	switch (c->state) {
	case HEAD:
		if (is_late(c, l->head_ms, now))
			end(c);
		break;
	case BODY:
		if (is_late(c, l->body_ms, now))
			end(c);
		break;
	case WORK:
		if (client_left(c))
			c->all->gone(c->request);
		break;
	default:
		if (is_late(c, l->idle_ms, now))
			end(c);
	}
}

void
connections_sweep(struct connection_set *all)
{
	uint64_t now = clock_ns();

	pthread_mutex_lock(&all->lock);
	for (struct connection *c = all->first; c != NULL; c = c->next)
		if (!c->ended)
			sweep_one(c, now);
	pthread_mutex_unlock(&all->lock);
}

void
connections_end_idle(struct connection_set *all)
{
	pthread_mutex_lock(&all->lock);
	for (struct connection *c = all->first; c != NULL; c = c->next)
		if (c->state == IDLE || c->state == HEAD)
			end(c);
	pthread_mutex_unlock(&all->lock);
}

unsigned
connections_count(struct connection_set *all)
{
	unsigned n;

	pthread_mutex_lock(&all->lock);
	n = all->n;
	pthread_mutex_unlock(&all->lock);
	return n;
}
