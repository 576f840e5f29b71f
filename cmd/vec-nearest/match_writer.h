/* SPDX-License-Identifier: Apache-2.0 */
/* Writes matches: tables, JSON, matrices. */
#ifndef VEC_NEAREST_MATCH_WRITER_H
#define VEC_NEAREST_MATCH_WRITER_H

#include "base/json.h"
#include "search.h"

enum match_format {
	MATCH_TSV,
	MATCH_CSV,
	MATCH_JSON,		/* one document */
	MATCH_JSONL,		/* an object for each query */
	MATCH_LABEL,		/* matrix: a tensor for each query */
	MATCH_NPY,		/* matrix: a single array */
};

struct match_writer {
	enum match_format format;
	bool null;		/* -0: records end with NUL */
	struct output out;
	struct json json;
	uint64_t queries;	/* written */
	uint64_t found;		/* matches written */
	struct buf rows;	/* npy: all rows; the header counts them */
	size_t columns;
	bool closing;		/* the document is already complete */
};

void match_writer_open(struct match_writer *w, const char *path,
    enum match_format format, bool null, bool matrix);
/* Writes the matches of all queries of the current block. */
void match_writer_put(struct match_writer *w, const struct search *s);
void match_writer_close(struct match_writer *w);
/* Call before the program ends with an error that was reported.  Keeps the
 * results written so far; completes a JSON document with the error. */
void match_writer_abandon(struct match_writer *w);

#endif
