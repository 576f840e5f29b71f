/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For how many inferences at a time the device has memory: known only from one
 * that did not fit.  Another program may have held the memory, so one more is
 * tried after 100 inferences; after twice as many each time that it does not
 * fit.
 */
#ifndef DEVICE_QUEUE_ROOM_H
#define DEVICE_QUEUE_ROOM_H

#include <stdbool.h>

struct queue_room {
	unsigned depth;		/* as many are wanted */
	unsigned n;		/* for so many there is memory; depth until one
				   did not fit */
	unsigned noted;		/* the least that was noted */
	unsigned got, try_after; /* inferences since n changed, and when to try
				   one more */
	bool trying;		/* one more, and n have not begun since */
};

void room_open(struct queue_room *r, unsigned depth);
/* One more than held did not fit: whether that is to be noted. */
bool room_lower(struct queue_room *r, unsigned held);
/* An inference was got. */
void room_raise(struct queue_room *r);
/* So many have begun. */
void room_confirm(struct queue_room *r, unsigned held);

#endif
