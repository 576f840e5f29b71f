/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The number of inferences that fit into the device's memory at a time.  It
 * becomes known only when one does not fit.  Another program may have held the
 * memory, so one more is tried after 100 inferences; each time it does not fit,
 * the wait until the next attempt doubles.
 */
#ifndef DEVICE_QUEUE_ROOM_H
#define DEVICE_QUEUE_ROOM_H

#include <stdbool.h>

struct queue_room {
	unsigned depth;		/* how many are wanted */
	unsigned n;		/* how many fit; depth until one did not fit */
	unsigned noted;		/* the smallest n that was reported */
	unsigned got, try_after; /* inferences since n changed, and the number
				    after which to try one more */
	bool trying;		/* one more is tried, and n have not begun
				   since */
};

void room_open(struct queue_room *r, unsigned depth);
/* Call when an inference did not fit beside held others.  Returns true if the
 * user should be notified. */
bool room_lower(struct queue_room *r, unsigned held);
/* Call after each inference that was got. */
void room_raise(struct queue_room *r);
/* Call when held inferences have begun. */
void room_confirm(struct queue_room *r, unsigned held);

#endif
