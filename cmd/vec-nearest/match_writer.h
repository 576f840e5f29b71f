/* SPDX-License-Identifier: Apache-2.0 */
/* What was found, written: tables, JSON, matrices. */
#ifndef VEC_NEAREST_MATCH_WRITER_H
#define VEC_NEAREST_MATCH_WRITER_H

#include "base/json.h"
#include "search.h"

enum nearest_format {
	NEAREST_TSV,
	NEAREST_JSON,		/* one document */
	NEAREST_JSONL,		/* an object a query */
	NEAREST_LABEL,		/* matrix: a tensor a query */
	NEAREST_NPY,		/* matrix: one of all */
};

struct nearest_writer {
	enum nearest_format format;
	bool null;		/* -0: NUL ends records */
	struct output out;
	struct json json;
	uint64_t queries;	/* written */
	uint64_t found;		/* matches */
	struct buf rows;	/* npy: what waits for their number */
	size_t columns;
	bool closing;		/* nothing can be added any more */
};

void nearest_write_open(struct nearest_writer *w, const char *path);
/* The block at hand. */
void nearest_write(struct nearest_writer *w, const struct nearest *s);
void nearest_write_close(struct nearest_writer *w);
/* Before the end that a failure is, if that was said: what was answered stays,
 * and a document on stdout is whole and has the reason. */
void nearest_write_abandon(struct nearest_writer *w);

#endif
