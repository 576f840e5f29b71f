// SPDX-License-Identifier: Apache-2.0
#include "device/queue_room.h"

enum { TRY_AFTER = 100, TRY_AFTER_MAX = 1 << 20 };

void
room_open(struct queue_room *r, unsigned depth)
{
	*r = (struct queue_room){ .depth = depth, .n = depth, .noted = depth,
	    .try_after = TRY_AFTER };
}

bool
room_lower(struct queue_room *r, unsigned held)
{
	if (r->trying && r->try_after < TRY_AFTER_MAX)
		r->try_after *= 2;
	r->trying = false;
	r->n = held;
	r->got = 0;
	if (r->n >= r->noted)
		return false;
	r->noted = r->n;
	return true;
}

void
room_raise(struct queue_room *r)
{
	if (r->n == r->depth || ++r->got < r->try_after)
		return;
	r->trying = true;
	r->n++;
	r->got = 0;
}

void
room_confirm(struct queue_room *r, unsigned held)
{
	if (!r->trying || held < r->n)
		return;
	r->trying = false;
	r->try_after = TRY_AFTER;
}
