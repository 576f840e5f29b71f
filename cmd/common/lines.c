// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/encoding.h"
#include "base/err.h"
#include "cmd.h"
#include "lines.h"
#include "progress.h"

enum {
	CHUNK = 1 << 16,
	KEPT = 1 << 20,		/* bytes that an idle buffer may keep */
};

void
lines_open(struct lines *l, int fd, const char *name, char delimiter,
    size_t limit)
{
	*l = (struct lines){ .fd = fd, .name = name, .delimiter = delimiter,
	    .limit = limit };
}

/* Makes room for a chunk.  Doubles the buffer, which keeps copying linear. */
static void
make_room(struct lines *l)
{
	if (l->from > 0 && (l->n == 0 || l->from >= l->cap / 2)) {
		memmove(l->p, l->p + l->from, l->n);
		l->from = 0;
	}
	if (l->cap > KEPT && l->n < CHUNK) {
		l->cap = 4 * CHUNK;
		if (l->from > 0)
			memmove(l->p, l->p + l->from, l->n);
		l->from = 0;
		l->p = cmd_realloc(l->p, l->cap);
	}
	if (l->cap - l->from - l->n < CHUNK) {
		l->cap = l->cap == 0 ? 4 * CHUNK : l->cap * 2;
		l->p = cmd_realloc(l->p, l->cap);
	}
}

static ssize_t
read_some(struct lines *l, void *p, size_t n)
{
	ssize_t r;

	if (l->ended)
		return 0;
	if (l->pause != NULL && cmd_would_wait(l->fd))
		l->pause(l->arg);
	do
		r = read(l->fd, p, n);
	while (r < 0 && errno == EINTR && cmd_stop == 0);
	if (r < 0 && cmd_stop == 0)
		npu_fail(&l->err, NPU_ESYSTEM, "%s", strerror(errno));
	l->ended = r <= 0;
	if (r > 0)
		progress_bytes((size_t)r);
	return r < 0 ? 0 : r;
}

/* Calls read() once: a record that has arrived must not wait for the next. */
static bool
fill(struct lines *l)
{
	ssize_t r;

	if (l->ended)
		return false;
	make_room(l);
	r = read_some(l, l->p + l->from + l->n, CHUNK);
	l->n += (size_t)r;
	return r > 0;
}

static void
consume(struct lines *l, size_t n)
{
	l->from += n;
	l->n -= n;
}

bool
lines_next(struct lines *l, char **p, size_t *n)
{
	size_t seen = 0, len;
	char *end = NULL;

	for (;;) {
		if (l->n > seen)
			end = memchr(l->p + l->from + seen, l->delimiter,
			    l->n - seen);
		seen = l->n;
		if (end != NULL || seen > l->limit || !fill(l))
			break;
	}
	/* After a read error or a signal, the rest is not a record. */
	if (end == NULL && (l->n == 0 || l->err.code != 0 || cmd_stop != 0))
		return false;
	l->number++;
	len = end != NULL ? (size_t)(end - l->p) - l->from : l->n;
	if (len > l->limit) {
		npu_fail(&l->err, NPU_EUSAGE, "%s %llu: longer than %zu "
		    "bytes, the limit of one text", lines_unit(l),
		    (unsigned long long)l->number, l->limit);
		return false;
	}
	*p = l->p + l->from;
	*n = len;
	consume(l, len + (end != NULL));
	return true;
}

/* Detects the encoding from the first line, its terminator and the byte after
 * it, which may arrive only with the second line. */
static bool
begin_text(struct lines *l, char **p, size_t *n)
{
	bool is_lines = l->delimiter == '\n';
	size_t behind = (size_t)(l->p + l->from - (*p + *n)) + (l->n > 0);
	struct bytes text = { (const uint8_t *)*p, *n + behind };

	if (l->number > 1) {
		text = (struct bytes){ (const uint8_t *)"\n", 2 };
		return !is_lines || *n == 0 || **p != '\0' ||
		    encoding_begin(&text, true, &l->err) == 0;
	}
	if (encoding_begin(&text, is_lines, &l->err) < 0)
		return false;
	*p += *n + behind - text.n;
	*n = text.n - behind;
	return true;
}

bool
lines_next_name(struct lines *l, char **p, size_t *n)
{
	return lines_next(l, p, n) && (l->number > 2 || begin_text(l, p, n));
}

bool
lines_next_text(struct lines *l, char **p, size_t *n)
{
	if (!lines_next_name(l, p, n))
		return false;
	*n -= l->delimiter == '\n' && *n > 0 && (*p)[*n - 1] == '\r';
	return true;
}

const char *
lines_peek(struct lines *l, size_t n)
{
	while (l->n < n)
		if (!fill(l))
			return NULL;
	return l->p + l->from;
}

size_t
lines_read(struct lines *l, void *p, size_t n)
{
	size_t some, r;

	/* Read a few bytes through the buffer, as each read() has a cost. */
	while (n <= CHUNK && l->n < n && fill(l))
		;
	some = l->n < n ? l->n : n;
	if (some > 0)
		memcpy(p, l->p + l->from, some);
	consume(l, some);
	for (; some < n; some += r)
		if ((r = (size_t)read_some(l, (char *)p + some,
		    n - some)) == 0)
			break;
	return some;
}

const char *
lines_unit(const struct lines *l)
{
	return l->delimiter == '\n' ? "line" : "text";
}

void
lines_close(struct lines *l)
{
	if (l->err.code != 0)
		cmd_die_err(l->name, &l->err);
	free(l->p);
	if (l->fd != STDIN_FILENO)
		close(l->fd);
	*l = (struct lines){ .fd = -1 };
}
