// SPDX-License-Identifier: Apache-2.0
/* top_k.c - keeps the k best matches; the order is the same in every run. */
#include <stdlib.h>
#include <string.h>

#include "search.h"

/* Returns true if a is better than b: by score, then by the bytes of the name,
 * then by the position in the base. */
static bool
is_better(const struct match *a, const struct match *b)
{
	size_t n = a->id_n < b->id_n ? a->id_n : b->id_n;
	int order;

	if (a->score != b->score)
		return a->score > b->score;
	order = n > 0 ? memcmp(a->id, b->id, n) : 0;
	if (order != 0)
		return order < 0;
	if (a->id_n != b->id_n)
		return a->id_n < b->id_n;
	return a->number < b->number;
}

static void
swap(struct match *a, struct match *b)
{
	struct match m = *a;

	*a = *b;
	*b = m;
}

/* Moves the i-th match up in the heap while it is worse than its parent. */
static void
sift_up(struct match *m, size_t i)
{
	for (; i > 0 && is_better(&m[(i - 1) / 2], &m[i]); i = (i - 1) / 2)
		swap(&m[i], &m[(i - 1) / 2]);
}

/* Moves the first of n matches down in the heap while a child is worse. */
static void
sift_down(struct match *m, size_t n)
{
	size_t i = 0, worst;

	for (;;) {
		worst = i;
		for (size_t k = 2 * i + 1; k < n && k <= 2 * i + 2; k++)
			if (is_better(&m[worst], &m[k]))
				worst = k;
		if (worst == i)
			return;
		swap(&m[i], &m[worst]);
		i = worst;
	}
}

static void
copy_match(struct match *to, const struct match *m)
{
	*to = *m;
	to->id = cmd_alloc(m->id_n + 1);
	memcpy(to->id, m->id, m->id_n);
}

void
top_k_add(struct top_k *t, const struct match *m, size_t most)
{
	if (t->n == most) {
		if (!is_better(m, &t->match[0]))
			return;
		free(t->match[0].id);
		copy_match(&t->match[0], m);
		sift_down(t->match, t->n);
		return;
	}
	if (t->n == t->cap) {
		t->cap = t->cap == 0 ? 16 : t->cap * 2;
		t->match = cmd_realloc(t->match, t->cap * sizeof(*t->match));
	}
	copy_match(&t->match[t->n++], m);
	sift_up(t->match, t->n - 1);
}

static int
compare_matches(const void *a, const void *b)
{
	return is_better(b, a) - is_better(a, b);
}

void
top_k_remove(struct top_k *t, size_t i)
{
	free(t->match[i].id);
	t->match[i] = t->match[--t->n];
}

void
top_k_sort(struct top_k *t, size_t most)
{
	if (t->n > 1)
		qsort(t->match, t->n, sizeof(*t->match), compare_matches);
	while (t->n > most)
		top_k_remove(t, t->n - 1);
}

void
top_k_clear(struct top_k *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->match[i].id);
	t->n = 0;
}

void
top_k_free(struct top_k *t)
{
	top_k_clear(t);
	free(t->match);
	*t = (struct top_k){ 0 };
}
