/* SPDX-License-Identifier: Apache-2.0 */
/* The vectors of an index as a list, or as arrays and lines. */
#ifndef VEC_INDEX_ROW_WRITER_H
#define VEC_INDEX_ROW_WRITER_H

#include "base/json.h"
#include "cmd.h"
#include "store/index.h"

enum row_form {
	/* What each is called. */
	ROW_TEXT,
	ROW_TSV,
	ROW_JSON,
	ROW_JSONL,
	/* The vectors themselves. */
	ROW_NPY,
	ROW_LINES,
	ROW_CSV,
};

struct row_writer {
	/* Set by the caller. */
	enum row_form form;
	const char *path;		/* NULL: stdout */
	const char *index;		/* in messages */
	const struct index_header *header;	/* NULL: of an empty file */
	uint64_t rows;			/* that will come at most */

	struct output out;
	struct json json;
};

void row_writer_open(struct row_writer *w);
void row_writer_put(struct row_writer *w, const struct index_row *row);
/* error NULL: none. */
void row_writer_close(struct row_writer *w, const char *error);

#endif
