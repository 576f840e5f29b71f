// SPDX-License-Identifier: Apache-2.0
/* record.c - splits a stream into records of detections. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/encoding.h"
#include "base/err.h"
#include "vision/record_impl.h"

enum {
	BLOCK = 65536,
	FIRST = 4,		/* bytes needed to detect the encoding */
};

/* A position in a stream of records. */
enum where {
	BETWEEN,		/* between records, or at the start */
	OPENED,			/* after '[' */
	SEPARATED,		/* after ',' in an array */
	FOLLOWED,		/* after a record in an array */
	INSIDE,			/* in a record */
};

struct records {
	struct picture_source source;
	struct buf text;	/* the current record */
	struct parsed parsed;	/* the last record */
	uint64_t number;	/* of records begun */
	uint64_t offset;	/* bytes before block */
	enum where where;
	bool array;		/* in an array */
	bool had_array;

	/* Inside a record. */
	bool string, escaped;
	unsigned depth, values;

	size_t at, n;		/* bytes of block: used, available */
	char block[BLOCK];
};

int
records_open(struct records **records, struct picture_source source,
    struct npu_err *err)
{
	struct records *r = calloc(1, sizeof(*r));

	if (r == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	r->source = source;
	*records = r;
	return 0;
}

bool
records_had_array(const struct records *r)
{
	return r->had_array;
}

void
records_close(struct records *r)
{
	if (r == NULL)
		return;
	parsed_free(&r->parsed);
	buf_free(&r->text);
	free(r);
}

static int
unexpected(const struct records *r, char c, struct npu_err *err)
{
	char shown[16] = "";

	if (c > ' ' && c <= '~')
		snprintf(shown, sizeof(shown), "'%c'", c);
	else
		snprintf(shown, sizeof(shown), "byte 0x%02x",
		    (unsigned char)c);
	return npu_fail(err, NPU_EFORMAT, "%s at byte %" PRIu64 ", where a "
	    "record of detections should %s; yolo-detect -F json or jsonl "
	    "writes them", shown, r->offset + r->at,
	    r->where == FOLLOWED ? "end or follow" : "begin");
}

/* Handles a byte between records. */
static int
outside(struct records *r, char c, struct npu_err *err)
{
	if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
		return 0;
	if (c == '{' && r->where != FOLLOWED) {
		r->where = INSIDE;
		r->number++;
		r->depth = r->values = 0;
		buf_clear(&r->text);
	} else if (c == '[' && r->where == BETWEEN) {
		r->where = OPENED;
		r->array = r->had_array = true;
	} else if (c == ',' && r->where == FOLLOWED) {
		r->where = SEPARATED;
	} else if (c == ']' && (r->where == FOLLOWED || r->where == OPENED)) {
		r->where = BETWEEN;
		r->array = false;
	} else {
		return unexpected(r, c, err);
	}
	return 0;
}

/* Handles a byte of a record.  Returns 1 if it is the last byte. */
static int
inside(struct records *r, char c, struct npu_err *err)
{
	if (r->string) {
		r->string = r->escaped || c != '"';
		r->escaped = !r->escaped && c == '\\';
		return 0;
	}
	switch (c) {
	case '"':
		r->string = true;
		return 0;
	case '{': case '[':
		if (++r->depth > RECORD_MAX_DEPTH)
			return npu_fail(err, NPU_EFORMAT, "record %" PRIu64
			    ": nested more than %d deep", r->number,
			    RECORD_MAX_DEPTH);
		/* FALLTHROUGH */
	case ',':
		if (++r->values > RECORD_MAX_VALUES)
			return npu_fail(err, NPU_EFORMAT, "record %" PRIu64
			    ": more than %d values", r->number,
			    RECORD_MAX_VALUES);
		return 0;
	case '}': case ']':
		return --r->depth == 0;
	}
	return 0;
}

/* Collects bytes of the block until a record is complete, then returns 1.
 * Returns 0 if the block is used up. */
static int
collect(struct records *r, struct npu_err *err)
{
	size_t from = r->at;
	int rc = 0;

	while (r->at < r->n && rc == 0) {
		if (r->where != INSIDE) {
			from = r->at;
			rc = outside(r, r->block[r->at], err);
			if (r->where != INSIDE) {
				r->at += rc == 0;
				continue;
			}
		}
		rc = inside(r, r->block[r->at++], err);
	}
	if (rc < 0 || r->where != INSIDE)
		return rc;
	if (r->text.n + (r->at - from) > RECORD_MAX_BYTES)
		return npu_fail(err, NPU_EFORMAT, "record %" PRIu64 ": longer "
		    "than %d bytes", r->number, RECORD_MAX_BYTES);
	buf_add(&r->text, r->block + from, r->at - from);
	if (r->text.failed)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	if (rc > 0)
		r->where = r->array ? FOLLOWED : BETWEEN;
	return rc;
}

/* Fills the block.  Returns 1, or 0 at the end. */
static int
fill(struct records *r, struct npu_err *err)
{
	const bool is_first = r->offset + r->n == 0;
	struct bytes text;
	int64_t n;

	r->offset += r->n;
	r->at = r->n = 0;
	do {
		n = r->source.read(r->source.arg, r->block + r->n,
		    BLOCK - r->n, err);
		if (n < 0)
			return (int)n;
		r->n += (size_t)n;
	} while (is_first && n > 0 && r->n < FIRST);
	/* Always the first bytes, no matter how many a read returned. */
	bytes_sub((struct bytes){ (const uint8_t *)r->block, r->n }, 0,
	    r->n < FIRST ? r->n : FIRST, &text);
	if (is_first && encoding_begin(&text, true, err) < 0)
		return NPU_EFORMAT;
	r->at = (size_t)(text.p - (const uint8_t *)r->block);
	if (r->n > 0)
		return 1;
	if (r->where == INSIDE)
		return npu_fail(err, NPU_EFORMAT, "record %" PRIu64 ": cut "
		    "short after %" PRIu64 " bytes", r->number, r->offset);
	if (r->array)
		return npu_fail(err, NPU_EFORMAT, "cut short after record %"
		    PRIu64 ": the array has no end", r->number);
	return 0;
}

int
records_next(struct records *r, struct detection_record *record,
    struct npu_err *err)
{
	int rc;

	while ((rc = collect(r, err)) == 0)
		if ((rc = fill(r, err)) <= 0)
			return rc;
	if (rc < 0)
		return rc;
	parsed_free(&r->parsed);
	rc = parsed_read(&r->parsed, (struct bytes){ (void *)r->text.p,
	    r->text.n }, record, err);
	if (rc < 0)
		return npu_prefix(err, rc, "record %" PRIu64, r->number);
	record->number = r->number;
	return 1;
}
