// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdlib.h>

#include "base/err.h"
#include "image/picture_stream.h"

enum {
	PIECE = 1 << 16,	/* bytes read at a time */
	DIGITS = 10,		/* maximum in a header's number, as in ppm.c */
};

/* Returned instead of a byte or an offset. */
enum { CUT = -1, FAILED = -2, TOO_LARGE = -3 };

struct picture_stream {
	enum picture_stream_kind kind;
	struct picture_source source;
	uint64_t limit, skipped;
	uint8_t *p;		/* owned */
	size_t from, n, cap;	/* p[from .. n) is still needed */
	size_t returned;	/* size of the last picture, at from */
	uint64_t drop;		/* bytes still to be skipped in a picture that
				 * is too large */
	bool ended;
	bool foreign;		/* skipped more than white space */
	struct npu_err err;	/* after FAILED */
	int rc;
};

/* ---- Bytes ------------------------------------------------------------- */

/* Makes room for PIECE bytes after p[n). */
static bool
make_room(struct picture_stream *s)
{
	size_t cap = s->cap;
	uint8_t *p;

	if (s->from > 0)
		memmove(s->p, s->p + s->from, s->n - s->from);
	s->n -= s->from;
	s->from = 0;
	while (cap - s->n < PIECE)
		cap += cap / 2 + PIECE;
	if (cap == s->cap)
		return true;
	if ((p = realloc(s->p, cap)) == NULL) {
		s->rc = npu_fail(&s->err, NPU_ESYSTEM, "out of memory");
		return false;
	}
	s->p = p;
	s->cap = cap;
	return true;
}

/* Reads more bytes, as many as are available.  Returns 1, CUT or FAILED. */
static int
fill(struct picture_stream *s)
{
	int64_t got;

	if (s->ended)
		return CUT;
	if (s->cap - s->n < PIECE && !make_room(s))
		return FAILED;
	got = s->source.read(s->source.arg, s->p + s->n, s->cap - s->n,
	    &s->err);
	if (got < 0) {
		s->rc = (int)got;
		return FAILED;
	}
	s->ended = got == 0;
	s->n += (size_t)got;
	return got == 0 ? CUT : 1;
}

/* Returns the byte at offset at of the current picture, or CUT, FAILED or
 * TOO_LARGE. */
static int
peek(struct picture_stream *s, uint64_t at)
{
	int rc;

	if (at >= s->limit)
		return TOO_LARGE;
	while (at >= s->n - s->from)
		if ((rc = fill(s)) < 0)
			return rc;
	return s->p[s->from + at];
}

/* Returns the offset of the next byte c, from offset at on. */
static int64_t
find(struct picture_stream *s, uint64_t at, uint8_t c)
{
	const uint8_t *start, *p;
	int rc;

	for (;;) {
		if ((rc = peek(s, at)) < 0)
			return rc;
		start = s->p + s->from;
		p = memchr(start + at, c, s->n - s->from - at);
		if (p != NULL)
			return p - start;
		at = s->n - s->from;
	}
}

/* ---- JPEG -------------------------------------------------------------- */

enum {			/* markers (T.81, table B.1) */
	TEM = 0x01, SOF0 = 0xc0, RST0 = 0xd0, RST7 = 0xd7, SOI = 0xd8,
	EOI = 0xd9, SOS = 0xda,
};

/* Returns whether offset at has an SOI, followed by the marker that must
 * follow. */
static int
jpeg_starts(struct picture_stream *s, uint64_t at)
{
	int a = peek(s, at + 1), b = a == SOI ? peek(s, at + 2) : 0;

	return a < 0 ? a : b < 0 ? b : a == SOI && b == 0xff;
}

/* Returns whether a marker is invalid at the start of a segment: the markers
 * before SOF0 are reserved, and not in use. */
static bool
is_reserved(int marker)
{
	return marker < SOF0 && marker != TEM;
}

static bool
has_no_length(int marker)
{
	return marker == TEM || (marker >= RST0 && marker <= RST7);
}

/* Returns the offset of the next marker after coded data that begins at at. */
static int64_t
skip_coded(struct picture_stream *s, int64_t at)
{
	int marker;

	while ((at = find(s, (uint64_t)at, 0xff)) >= 0) {
		if ((marker = peek(s, (uint64_t)at + 1)) < 0)
			return marker;
		if (marker != 0 && marker != 0xff && !has_no_length(marker))
			break;
		at += marker == 0xff ? 1 : 2;
	}
	return at;
}

/* Returns the length of the segment with the marker at at, or 0 if it is not
 * valid. */
static int64_t
segment(struct picture_stream *s, uint64_t at)
{
	int high = peek(s, at + 2), low = peek(s, at + 3);

	if (high < 0 || low < 0)
		return high < 0 ? high : low;
	return (high << 8 | low) < 2 ? 0 : high << 8 | low;
}

static int64_t search(struct picture_stream *s, uint64_t at);

/* Returns the size of the current JPEG, which may be damaged. */
static int64_t
jpeg_size(struct picture_stream *s)
{
	int64_t at = 2, last = 2, n;
	int c, marker;

	while (at >= 0) {
		if ((c = peek(s, (uint64_t)at)) < 0)
			return c;
		if ((marker = peek(s, (uint64_t)at + 1)) < 0)
			return marker;
		/* The segment before was truncated, or its length is wrong. */
		if (c != 0xff || is_reserved(marker))
			return search(s, (uint64_t)last);
		if (marker == EOI)
			return at + 2;
		if (marker == SOI)
			return at;	/* truncated; here the next begins */
		if (marker == 0xff || has_no_length(marker)) {
			at += marker == 0xff ? 1 : 2;
			continue;
		}
		if ((n = segment(s, (uint64_t)at)) <= 0)
			return n < 0 ? n : search(s, (uint64_t)at + 2);
		last = at + 2;
		at += 2 + n;
		if (marker == SOS)
			at = skip_coded(s, at);
	}
	return at;
}

/* ---- PPM --------------------------------------------------------------- */

static bool
is_space(int c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static int
ppm_starts(struct picture_stream *s, uint64_t at)
{
	int a = peek(s, at + 1);
	int b = a >= '1' && a <= '6' ? peek(s, at + 2) : 0;

	return a < 0 ? a : b < 0 ? b : is_space(b);
}

/* Returns the next byte of a header.  Skips comments, which end with the
 * line. */
static int
header_byte(struct picture_stream *s, uint64_t *at)
{
	int c;

	while ((c = peek(s, (*at)++)) == '#')
		do
			c = peek(s, (*at)++);
		while (c >= 0 && c != '\n' && c != '\r');
	return c;
}

/* Reads the next number and the white space after it.  Returns 1, or 0 if there
 * is not a number. */
static int
number(struct picture_stream *s, uint64_t *at, uint64_t *v)
{
	unsigned digits = 0;
	int c;

	*v = 0;
	for (;;) {
		if ((c = header_byte(s, at)) < 0)
			return c;
		if (is_space(c) && digits > 0)
			return 1;
		if (is_space(c))
			continue;
		if (c < '0' || c > '9' || ++digits > DIGITS)
			return 0;
		*v = *v * 10 + (unsigned)(c - '0');
	}
}

/* Reads the next value of a plain bitmap, in which values need no space between
 * them. */
static int
bit(struct picture_stream *s, uint64_t *at)
{
	int c;

	do
		c = header_byte(s, at);
	while (is_space(c));
	return c < 0 ? c : c == '0' || c == '1';
}

/* Returns the end of the current picture after a byte that is not part of a
 * number.  That byte, before at, may begin the next picture. */
static int64_t
broken(struct picture_stream *s, uint64_t at)
{
	return search(s, at - 1);
}

/* Returns the end of n text values that begin at at.  The size of the text is
 * not known, but its values can be counted. */
static int64_t
plain_end(struct picture_stream *s, bool bitmap, uint64_t at, uint64_t n)
{
	uint64_t v;
	int rc;

	for (; n > 0; n--)
		if ((rc = bitmap ? bit(s, &at) : number(s, &at, &v)) <= 0)
			return rc < 0 ? rc : broken(s, at);
	return (int64_t)at;
}

/* Returns the number of values in a row, or the number of bytes if it is
 * raw. */
static uint64_t
row_size(int kind, uint64_t width, uint64_t maxval)
{
	if (kind == 4)
		return (width + 7) / 8;
	return width * (kind % 3 == 0 ? 3 : 1) *
	    (kind > 3 && maxval > 255 ? 2 : 1);
}

/* Returns the size of the current picture, which may be damaged. */
static int64_t
ppm_size(struct picture_stream *s)
{
	uint64_t at = 2, v[3] = { 0, 0, 1 }, row;
	int kind = s->p[s->from + 1] - '0', rc;

	for (int i = 0; i < (kind % 3 == 1 ? 2 : 3); i++)
		if ((rc = number(s, &at, &v[i])) <= 0)
			return rc < 0 ? rc : broken(s, at);
	if (v[0] > UINT32_MAX || v[1] > UINT32_MAX)
		return TOO_LARGE;
	row = row_size(kind, v[0], v[2]);
	if (row != 0 && v[1] > s->limit / row)
		return TOO_LARGE;
	if (kind < 4)
		return plain_end(s, kind == 1, at, row * v[1]);
	at += row * v[1];
	rc = peek(s, at - 1);
	return rc < 0 ? rc : (int64_t)at;
}

/* ---- Pictures ---------------------------------------------------------- */

static const struct {
	uint8_t first;		/* the first byte of each picture */
	/* Returns whether a picture may start at at: 1, 0, or CUT, FAILED or
	 * TOO_LARGE if that is not known. */
	int (*starts)(struct picture_stream *s, uint64_t at);
	int64_t (*size)(struct picture_stream *s);
} kinds[] = {
	[PICTURE_STREAM_MJPEG] = { 0xff, jpeg_starts, jpeg_size },
	[PICTURE_STREAM_PPM] = { 'P', ppm_starts, ppm_size },
};

/* Returns the offset where the next picture begins, from at on, within a
 * damaged picture. */
static int64_t
search(struct picture_stream *s, uint64_t at)
{
	int64_t where;
	int rc;

	for (; (where = find(s, at, kinds[s->kind].first)) >= 0;
	    at = (uint64_t)where + 1) {
		rc = kinds[s->kind].starts(s, (uint64_t)where);
		if (rc != 0)
			return rc < 0 ? rc : where;
	}
	return where;
}

static void
skip(struct picture_stream *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		s->foreign |= !is_space(s->p[s->from + i]);
	s->from += n;
	s->skipped += n;
}

/* Skips bytes that are known to be useless, as they arrive.  Returns 1, CUT or
 * FAILED. */
static int
drop(struct picture_stream *s)
{
	size_t n;
	int rc;

	while (s->drop > 0) {
		if (s->from == s->n && (rc = fill(s)) < 0)
			return rc;
		n = s->n - s->from;
		if (n > s->drop)
			n = (size_t)s->drop;
		s->from += n;
		s->drop -= n;
	}
	return 1;
}

/* Skips to the start of a picture and forgets the bytes before it.  Returns 1,
 * CUT or FAILED. */
static int
go_to_start(struct picture_stream *s)
{
	const uint8_t *p;
	int rc;

	if ((rc = drop(s)) < 0)
		return rc;
	for (;;) {
		if (peek(s, 0) == FAILED)
			return FAILED;
		p = s->n == s->from ? NULL : memchr(s->p + s->from,
		    kinds[s->kind].first, s->n - s->from);
		skip(s, (p != NULL ? (size_t)(p - s->p) : s->n) - s->from);
		if (p == NULL && s->ended)
			return CUT;
		if (p == NULL)
			continue;
		if ((rc = kinds[s->kind].starts(s, 0)) == 1 || rc == FAILED)
			return rc;
		skip(s, 1);
	}
}

static int
too_large(struct picture_stream *s, struct npu_err *err)
{
	/* For a JPEG, skip all bytes that were examined.  The end of a PPM is
	 * not known, as its size may be wrong. */
	s->drop = s->kind == PICTURE_STREAM_PPM ? 2 : s->limit;
	return npu_fail(err, NPU_EFORMAT, "a picture of more than %" PRIu64
	    " bytes, which is the limit", s->limit);
}

/* Returns whether the skipped bytes count as a picture.  Other bytes between
 * JPEGs are allowed.  Between PPMs they count as a damaged picture, except
 * after a picture that is too large, to which they still belong. */
static bool
is_foreign(const struct picture_stream *s, bool behind_large)
{
	return s->kind == PICTURE_STREAM_PPM && s->foreign && !behind_large;
}

int
picture_stream_next(struct picture_stream *s, struct bytes *picture,
    struct npu_err *err)
{
	bool behind_large = s->drop > 0;
	int64_t size;

	s->from += s->returned;
	s->returned = 0;
	s->skipped = 0;
	s->foreign = false;
	size = go_to_start(s);
	if (size != FAILED && is_foreign(s, behind_large))
		return npu_fail(err, NPU_EFORMAT, "no PPM in %" PRIu64
		    " bytes", s->skipped);
	if (size == CUT)
		return 0;
	if (size == 1)
		size = kinds[s->kind].size(s);
	if (size == TOO_LARGE)
		return too_large(s, err);
	if (size == FAILED) {
		*err = s->err;
		return s->rc;
	}
	s->returned = size == CUT ? s->n - s->from : (size_t)size;
	*picture = (struct bytes){ s->p + s->from, s->returned };
	return 1;
}

uint64_t
picture_stream_skipped(const struct picture_stream *s)
{
	return s->skipped;
}

int
picture_stream_open(struct picture_stream **stream,
    enum picture_stream_kind kind, struct picture_source source, uint64_t limit,
    struct npu_err *err)
{
	struct picture_stream *s = calloc(1, sizeof(*s));

	if (s == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	s->kind = kind;
	s->source = source;
	s->limit = limit;
	*stream = s;
	return 0;
}

void
picture_stream_close(struct picture_stream *s)
{
	if (s == NULL)
		return;
	free(s->p);
	free(s);
}
