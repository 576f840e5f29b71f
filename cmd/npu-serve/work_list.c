// SPDX-License-Identifier: Apache-2.0
/* work_list.c - the scheduler's requests and items, how they fail and end.
 * Every function is called under its lock. */
#include "base/clock.h"
#include "scheduler_impl.h"

/* ---- Lists ------------------------------------------------------------- */

void
item_list_add(struct item_list *l, struct item *i)
{
	i->next = NULL;
	if (l->last != NULL)
		l->last->next = i;
	else
		l->first = i;
	l->last = i;
	l->n++;
}

struct item *
item_list_take(struct item_list *l)
{
	struct item *i = l->first;

	l->first = i->next;
	if (l->first == NULL)
		l->last = NULL;
	l->n--;
	return i;
}

void
request_list_add(struct request_list *l, struct request *r)
{
	r->next = NULL;
	r->previous = l->last;
	if (l->last != NULL)
		l->last->next = r;
	else
		l->first = r;
	l->last = r;
}

void
request_list_remove(struct request_list *l, struct request *r)
{
	if (r->previous != NULL)
		r->previous->next = r->next;
	else
		l->first = r->next;
	if (r->next != NULL)
		r->next->previous = r->previous;
	else
		l->last = r->previous;
}

struct request *
request_list_take(struct request_list *l)
{
	struct request *r = l->first;

	request_list_remove(l, r);
	return r;
}

/* ---- Requests and their items ------------------------------------------ */

void
leave_place(struct scheduler *s)
{
	s->places--;
}

void
request_to_answer(struct scheduler *s, struct request *r)
{
	request_list_remove(&s->active, r);
	request_list_add(&s->to_answer, r);
	pthread_cond_signal(&s->work);
}

void
item_ended(struct scheduler *s, struct item *i)
{
	if (--i->request->left == 0)
		request_to_answer(s, i->request);
}

/* Takes the items of r out of a list; their number. */
static size_t
drop_from(struct item_list *l, const struct request *r)
{
	struct item_list all = *l;
	size_t dropped = 0;

	*l = (struct item_list){ 0 };
	while (all.n > 0) {
		struct item *i = item_list_take(&all);

		if (i->request == r)
			dropped++;
		else
			item_list_add(l, i);
	}
	return dropped;
}

static void
drop_items(struct scheduler *s, struct request *r)
{
	size_t dropped = 0;

	for (int k = 0; k < ROLES; k++) {
		dropped += drop_from(&s->lane[k].waiting, r);
		dropped += drop_from(&s->lane[k].ready, r);
	}
	s->places -= dropped;
	r->left -= dropped;
	if (dropped > 0 && r->left == 0)
		request_to_answer(s, r);
}

void
request_fail(struct scheduler *s, struct request *r, unsigned status,
    const struct npu_err *err)
{
	if (r->failed != 0)
		return;
	r->failed = status;
	r->err = *err;
	if (r->left > 0)
		drop_items(s, r);
}
