/* SPDX-License-Identifier: Apache-2.0 */
/* Writes matches: tables, JSON, matrices. */
#ifndef VEC_NEAREST_MATCH_WRITER_H
#define VEC_NEAREST_MATCH_WRITER_H

#include "base/json.h"
#include "search.h"

enum match_format {
	MATCH_TSV,
	MATCH_JSON,		/* one document */
	MATCH_JSONL,		/* an object a query */
	MATCH_LABEL,		/* matrix: a tensor a query */
	MATCH_NPY,		/* matrix: one of all */
};

struct match_writer {
	enum match_format format;
	bool null;		/* -0: NUL ends records */
	struct output out;
	struct json json;
	uint64_t queries;	/* written */
	uint64_t found;		/* matches */
	struct buf rows;	/* npy: until their number is known */
	size_t columns;
	bool closing;		/* nothing more can be added */
};

void match_writer_open(struct match_writer *w, const char *path,
    enum match_format format, bool null);
/* Writes the block at hand. */
void match_writer_put(struct match_writer *w, const struct search *s);
void match_writer_close(struct match_writer *w);
/* Before the program ends with an error that was reported: keeps the earlier
 * answers; a JSON document is completed and has the reason. */
void match_writer_abandon(struct match_writer *w);

#endif
