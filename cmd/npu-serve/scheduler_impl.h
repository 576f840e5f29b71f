/* SPDX-License-Identifier: Apache-2.0 */
/* What the threads of the scheduler share. */
#ifndef NPU_SERVE_SCHEDULER_IMPL_H
#define NPU_SERVE_SCHEDULER_IMPL_H

#include <pthread.h>

#include "scheduler.h"
#include "serving/reopening.h"

struct item_list {
	struct item *first, *last;
	size_t n;
};

struct request_list {
	struct request *first, *last;
};

/* The inferences of one role. */
struct lane {
	struct role *role;
	struct item_list waiting;	/* to be made into inputs */
	struct item_list ready;		/* to be run */
	unsigned preparing;		/* taken from waiting, not yet ready */
	/* In flight, oldest first; the device's thread's. */
	struct item *flight[NPU_QUEUE_MAX];
	unsigned n_flight;
	uint64_t oldest_since;	/* flight[0] may run, clock_ns() */
	struct reopening reopening;
	uint64_t items, failed;
};

struct scheduler {
	struct scheduler_options options;
	pthread_mutex_t lock;		/* of all below */
	pthread_cond_t work;		/* for the threads */
	pthread_cond_t ready;		/* for the device's thread */
	struct request_list to_read, to_answer, active;
	struct lane lane[ROLES];
	unsigned prepare_turn, run_turn;
	size_t requests;		/* active ones */
	size_t places;			/* inferences and requests that wait */
	unsigned in_flight;
	uint64_t resets, busy_ns, busy_since;
	uint64_t call_since;		/* the device's thread is in the
					   vendor's library; 0: it is not */
	bool ending;			/* no request is taken any more */
	bool abandon;		/* ending, and not waiting for inferences */
	bool stop;
	bool opened;			/* the models were loaded, or ... */
	struct npu_err err;		/* ... why not; code 0: not yet tried */
	unsigned started;
	pthread_t *thread;		/* owned */
	pthread_t device;
};

/* ---- Under the lock ----------------------------------------------------- */

void item_list_add(struct item_list *l, struct item *i);
struct item *item_list_take(struct item_list *l);
void request_list_add(struct request_list *l, struct request *r);
void request_list_remove(struct request_list *l, struct request *r);
struct request *request_list_take(struct request_list *l);

/* An active request can be answered. */
void request_to_answer(struct scheduler *s, struct request *r);

/* An item will not be touched again; the last one ends its request. */
void item_ended(struct scheduler *s, struct item *i);
/* Its request fails with an HTTP status, unless it has before; its
 * items that have not begun are dropped. */
void request_fail(struct scheduler *s, struct request *r, unsigned status,
    const struct npu_err *err);
/* A place among those that wait is free again. */
void leave_place(struct scheduler *s);

/* ---- Threads ----------------------------------------------------------- */

void *device_thread(void *scheduler);

#endif
