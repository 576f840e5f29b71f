/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the vectors of an index: as a list of names, or with their numbers as
 * arrays and lines. */
#ifndef VEC_INDEX_ROW_WRITER_H
#define VEC_INDEX_ROW_WRITER_H

#include "base/json.h"
#include "cmd.h"
#include "store/index.h"

enum row_form {
	/* Lists of names. */
	ROW_TEXT,
	ROW_TSV,
	ROW_TABLE,		/* the same as CSV, with a header */
	ROW_JSON,
	ROW_JSONL,
	/* The numbers of the vectors. */
	ROW_NPY,
	ROW_LINES,
	ROW_CSV,
};

struct row_writer {
	/* Set by the caller. */
	enum row_form form;
	const char *path;		/* NULL: stdout */
	const char *index;		/* the index's name in messages */
	const struct index_header *header;	/* NULL: the file is empty */
	uint64_t rows;			/* ROW_NPY: how many will be written */

	struct output out;
	struct json json;
};

void row_writer_open(struct row_writer *w);
void row_writer_put(struct row_writer *w, const struct index_row *row);
/* Ends the output; ROW_JSON includes the error unless it is NULL. */
void row_writer_close(struct row_writer *w, const char *error);

#endif
