// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "latest_frame.h"
#include "thread.h"

/* A picture and the bytes that it owns. */
struct kept {
	struct picture_item item;
	struct buf bytes, error;
};

struct newest {
	struct pictures *pictures;
	pthread_t thread;
	pthread_mutex_t lock;		/* of what follows */
	pthread_cond_t came, taken;
	struct kept waiting, given;
	bool any;			/* waiting is one */
	bool end;
	uint64_t dropped;
};

/* *k = what the item says; its name lasts as long as the stream. */
static void
keep(struct kept *k, const struct picture_item *item)
{
	buf_clear(&k->bytes);
	buf_clear(&k->error);
	buf_add(&k->bytes, item->bytes.p, item->bytes.n);
	k->item = *item;
	k->item.bytes = (struct bytes){ (uint8_t *)k->bytes.p, k->bytes.n };
	if (item->error != NULL) {
		buf_add(&k->error, item->error, strlen(item->error) + 1);
		k->item.error = k->error.failed ? "out of memory" : k->error.p;
	} else if (k->bytes.failed) {
		k->item.error = "out of memory";
	}
}

/*
 * A picture gives way to a newer one; but what went wrong gives way to nothing,
 * and is no picture that is newer.  No look at cmd_stop: who takes it then ends
 * the process.
 */
static void
await_taken(struct newest *n, const struct picture_item *next)
{
	while (n->any && (n->waiting.item.error != NULL || next->error != NULL))
		pthread_cond_wait(&n->taken, &n->lock);
}

static void *
read_all(void *arg)
{
	struct newest *n = arg;
	struct picture_item item;
	bool more;

	do {
		more = pictures_next(n->pictures, &item);
		pthread_mutex_lock(&n->lock);
		if (more) {
			await_taken(n, &item);
			n->dropped += n->any;
			keep(&n->waiting, &item);
			n->any = true;
		}
		n->end = !more;
		pthread_cond_signal(&n->came);
		pthread_mutex_unlock(&n->lock);
	} while (more);
	return NULL;
}

struct newest *
newest_open(struct pictures *pictures)
{
	struct newest *n = cmd_alloc(sizeof(*n));
	int e;

	n->pictures = pictures;
	pthread_mutex_init(&n->lock, NULL);
	pthread_cond_init(&n->came, NULL);
	pthread_cond_init(&n->taken, NULL);
	if ((e = wait_start(&n->thread, read_all, n)) != 0) {
		free(n);
		cmd_die("no thread can be started: %s", strerror(e));
	}
	return n;
}

bool
newest_next(struct newest *n, struct picture_item *item)
{
	struct kept was = n->given;
	bool got;

	pthread_mutex_lock(&n->lock);
	while (!n->any && !n->end && cmd_stop == 0)
		wait_some(&n->came, &n->lock);
	got = n->any;
	if (got) {
		n->given = n->waiting;
		n->waiting = was;
		n->any = false;
		*item = n->given.item;
		pthread_cond_signal(&n->taken);
	}
	pthread_mutex_unlock(&n->lock);
	return got;
}

uint64_t
newest_dropped(const struct newest *n)
{
	return n->dropped;
}

static void
forget(struct kept *k)
{
	buf_free(&k->bytes);
	buf_free(&k->error);
}

void
newest_close(struct newest *n)
{
	pthread_join(n->thread, NULL);
	forget(&n->waiting);
	forget(&n->given);
	pthread_cond_destroy(&n->came);
	pthread_cond_destroy(&n->taken);
	pthread_mutex_destroy(&n->lock);
	free(n);
}
