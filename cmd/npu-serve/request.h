/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A request from its head to its answer.  It belongs to one thread at a time:
 * to HTTP's thread while its body comes and its answer goes, to the scheduler
 * from scheduler_add() to scheduler.done().
 */
#ifndef NPU_SERVE_REQUEST_H
#define NPU_SERVE_REQUEST_H

#include "body.h"
#include "catalogue.h"
#include "item.h"

struct request {
	struct server *server;
	const struct route *route;	/* NULL: no such path */
	struct connection *from;
	struct MHD_Connection *http;
	char *word;		/* owned: what '*' in the route's path is */
	struct body body;

	/* The route's. */
	const struct model_name *model;	/* that the request names */
	struct json_in *document;	/* owned: the body */
	int32_t *ids;			/* owned: of items, a row each */
	struct buf tensor;		/* owned: the input of an item */
	/* How numbers are written: as bytes, or their base64; as the model
	 * gives them, not of length 1, not as real numbers. */
	bool base64, as_they_are;
	struct item *item;	/* owned, with in and out */
	size_t items;
	bool refused;		/* by the route, before any item was made */

	/* The answer; status 0: none yet. */
	unsigned status;
	struct buf out;
	const char *type;	/* of its content; NULL: JSON */
	const char *allowed;	/* status 405: the method that is */
	size_t json_bytes;	/* at its beginning, of one with bytes behind
				   the JSON; else 0 */
	size_t answer_bytes;	/* once it is sent */
	unsigned retry_after;	/* s; 0: not said */

	/* The scheduler's, under its lock. */
	struct request *next, *previous;
	size_t left;		/* items that have not ended */
	size_t unbegun;		/* items that are not yet in flight */
	unsigned failed;	/* HTTP status of the first failure, 0: none */
	struct npu_err err;
	bool active;		/* the scheduler has it */
	bool place;		/* it has a place among those that wait */
	bool gone;		/* nobody waits for its answer */

	/* Times, clock_ns(); 0: not yet. */
	uint64_t started, complete, moved, first_begun, ended;
	uint64_t decode_ns, infer_ns;
};

/* Makes room for n items. */
bool request_items(struct request *r, size_t n);
void request_free(struct request *r);

#endif
