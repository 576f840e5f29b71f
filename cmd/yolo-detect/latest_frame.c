// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "cmd.h"
#include "latest_frame.h"
#include "thread.h"

/* A picture, with its own copy of the bytes and of the error. */
struct kept_frame {
	struct picture_item item;
	struct buf bytes;
	struct npu_err err;
};

struct latest_frame {
	struct pictures *pictures;
	pthread_t thread;
	pthread_mutex_t lock;		/* protects all members below */
	pthread_cond_t came, taken;
	struct kept_frame kept[2];	/* the latest, and the item in use */
	unsigned latest;		/* index in kept */
	bool any;			/* the latest has not been taken yet */
	bool end;
	uint64_t dropped;
};

/* Copies *item to *k.  The name is not copied: it is valid as long as the
 * stream. */
static void
copy_item(struct kept_frame *k, const struct picture_item *item)
{
	const char *error = item->error;

	buf_clear(&k->bytes);
	buf_add(&k->bytes, item->bytes.p, item->bytes.n);
	k->item = *item;
	k->item.bytes = (struct bytes){ (uint8_t *)k->bytes.p, k->bytes.n };
	if (error == NULL && k->bytes.failed)
		error = "out of memory";
	if (error != NULL) {
		npu_fail(&k->err, NPU_EFORMAT, "%s", error);
		k->item.error = k->err.msg;
	}
}

/*
 * Waits until the latest item has been taken, unless both it and next are
 * pictures: a newer picture replaces a picture, but errors neither replace
 * anything nor are replaced.  cmd_stop is not checked here: the thread that
 * takes the items checks it, and ends the process.
 */
static void
wait_until_taken(struct latest_frame *l, const struct picture_item *next)
{
	while (l->any && (l->kept[l->latest].item.error != NULL ||
	    next->error != NULL))
		pthread_cond_wait(&l->taken, &l->lock);
}

static void *
read_all(void *arg)
{
	struct latest_frame *l = arg;
	struct picture_item item;
	bool more;

	do {
		more = pictures_next(l->pictures, &item);
		pthread_mutex_lock(&l->lock);
		if (more) {
			wait_until_taken(l, &item);
			l->dropped += l->any;
			copy_item(&l->kept[l->latest], &item);
			l->any = true;
		}
		l->end = !more;
		pthread_cond_signal(&l->came);
		pthread_mutex_unlock(&l->lock);
	} while (more);
	return NULL;
}

struct latest_frame *
latest_frame_open(struct pictures *pictures)
{
	struct latest_frame *l = cmd_alloc(sizeof(*l));
	int e;

	*l = (struct latest_frame){ .pictures = pictures,
	    .lock = PTHREAD_MUTEX_INITIALIZER,
	    .came = PTHREAD_COND_INITIALIZER,
	    .taken = PTHREAD_COND_INITIALIZER };
	if ((e = thread_start(&l->thread, read_all, l)) != 0) {
		free(l);
		cmd_die("no thread can be started: %s", strerror(e));
	}
	return l;
}

bool
latest_frame_next(struct latest_frame *l, struct picture_item *item)
{
	bool got;

	pthread_mutex_lock(&l->lock);
	while (!l->any && !l->end && cmd_stop == 0)
		cond_wait_100ms(&l->came, &l->lock);
	got = l->any;
	if (got) {
		*item = l->kept[l->latest].item;
		l->latest = 1 - l->latest;
		l->any = false;
		pthread_cond_signal(&l->taken);
	}
	pthread_mutex_unlock(&l->lock);
	return got;
}

uint64_t
latest_frame_dropped(const struct latest_frame *l)
{
	return l->dropped;
}

void
latest_frame_close(struct latest_frame *l)
{
	pthread_join(l->thread, NULL);
	buf_free(&l->kept[0].bytes);
	buf_free(&l->kept[1].bytes);
	free(l);
}
