// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ordered_pool.h"
#include "text_pool.h"

enum {
	RECORDS = 256,		/* maximum in a batch */
	BYTES = 1 << 16,	/* a batch with this many bytes is full */
	FLIGHT = 64 << 20,	/* bytes in all batches; a single batch may
				   have more */
	KEPT = 1 << 20,		/* larger buffers are freed after use */
};

struct batch {
	struct buf in, out, notes;
	struct text_record record[RECORDS];	/* p: set when in is whole */
	size_t records;
	size_t good;		/* records before the failed record */
	struct npu_err err;	/* why that record failed */
};

struct text_pool {
	struct output *out;
	struct text_pool_spec spec;
	struct ordered_pool *pool;
	size_t flight;		/* bytes of texts not written yet */
	size_t batches;
	uint64_t texts, noted;	/* texts written; notes about them */
	struct batch *batch;	/* the pool's slots */
};

/* ---- A batch ----------------------------------------------------------- */

/* Returns the bytes that a text takes in the batch: a multiple of 8, for the
 * alignment, and at least n + 1, since an empty text must not be at NULL. */
static size_t
padded(size_t n)
{
	return (n + 8) & ~(size_t)7;
}

static void
do_batch(void *arg, unsigned worker, size_t slot)
{
	struct text_pool *p = arg;
	struct batch *b = &p->batch[slot];
	size_t i, at = 0, out, notes;

	for (i = 0; i < b->records; i++) {
		b->record[i].p = b->in.p + at;
		at += padded(b->record[i].n);
	}
	for (i = 0; i < b->records; i++) {
		out = b->out.n;
		notes = b->notes.n;
		if (p->spec.work(p->spec.worker[worker], &b->record[i],
		    &b->out, &b->notes, &b->err))
			continue;
		b->out.n = out;
		b->notes.n = notes;
		break;
	}
	b->good = i;
}

static void
clear(struct buf *b)
{
	if (b->cap > KEPT)
		buf_free(b);
	else
		buf_clear(b);
}

static void
write_batch(struct text_pool *p, struct batch *b)
{
	const struct text_record *r = &b->record[b->good];

	cmd_check_buf(&b->out);
	cmd_check_buf(&b->notes);
	cmd_write(p->out, b->out.p, b->out.n);
	cmd_mark_record(p->out);
	for (size_t at = 0; at < b->notes.n;
	    at += strlen(b->notes.p + at) + 1) {
		cmd_note("%s", b->notes.p + at);
		p->noted++;
	}
	if (b->good < b->records)
		cmd_die("%s: %s %llu: %s", r->name, r->unit,
		    (unsigned long long)r->number, b->err.msg);
	p->texts += b->records;
	p->flight -= b->in.n;
	clear(&b->in);
	clear(&b->out);
	clear(&b->notes);
	b->records = 0;
}

/* ---- Public functions -------------------------------------------------- */

struct text_pool *
text_pool_open(struct output *out, const struct text_pool_spec *spec)
{
	struct text_pool *p = cmd_alloc(sizeof(*p));
	bool alone = spec->threads == 1;

	p->out = out;
	p->spec = *spec;
	p->batches = alone ? 1 : 2 * (size_t)spec->threads;
	p->batch = cmd_alloc(p->batches * sizeof(*p->batch));
	p->pool = ordered_pool_open(&(struct ordered_pool_spec){
	    .threads = alone ? 0 : spec->threads, .all_threads = true,
	    .slots = p->batches, .work = do_batch, .arg = p });
	return p;
}

static void
write_oldest(struct text_pool *p)
{
	size_t i;

	if (!ordered_pool_take(p->pool, &i))
		cmd_die_of_signal();
	write_batch(p, &p->batch[i]);
	ordered_pool_release(p->pool);
}

void
text_pool_add(struct text_pool *p, const struct text_record *r)
{
	struct batch *b = &p->batch[ordered_pool_next(p->pool)];
	size_t n = padded(r->n);
	char *to = buf_reserve(&b->in, n);

	if (to == NULL)
		cmd_die("out of memory");
	if (r->n > 0)
		memcpy(to, r->p, r->n);
	b->in.n += n;
	p->flight += n;
	b->record[b->records++] = *r;
	if (b->records < p->spec.records && b->in.n < BYTES)
		return;
	ordered_pool_submit(p->pool);
	while (ordered_pool_waiting(p->pool) && (ordered_pool_full(p->pool) ||
	    p->flight > FLIGHT || ordered_pool_ready(p->pool)))
		write_oldest(p);
}

void
text_pool_flush(void *arg)
{
	struct text_pool *p = arg;

	if (p->batch[ordered_pool_next(p->pool)].records > 0)
		ordered_pool_submit(p->pool);
	while (ordered_pool_waiting(p->pool))
		write_oldest(p);
	cmd_end_record(p->out);
}

void
text_pool_detail(const struct text_pool *p, bool may_drop)
{
	const char *s = p->texts == 1 ? "" : "s";

	if (!may_drop)
		cmd_detail("%" PRIu64 " text%s", p->texts, s);
	else if (p->noted == 0)
		cmd_detail("%" PRIu64 " text%s, none cut off or left out",
		    p->texts, s);
	else
		cmd_detail("%" PRIu64 " text%s, %" PRIu64 " cut off or left "
		    "out", p->texts, s, p->noted);
}

void
text_pool_close(struct text_pool *p)
{
	if (p == NULL)
		return;
	ordered_pool_close(p->pool);
	for (size_t i = 0; i < p->batches; i++) {
		buf_free(&p->batch[i].in);
		buf_free(&p->batch[i].out);
		buf_free(&p->batch[i].notes);
	}
	free(p->batch);
	free(p);
}
