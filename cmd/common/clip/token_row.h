/* SPDX-License-Identifier: Apache-2.0 */
/* Turns a text into a row of token ids, which holds a limited number. */
#ifndef CMD_CLIP_TOKEN_ROW_H
#define CMD_CLIP_TOKEN_ROW_H

#include "base/buf.h"
#include "cmd.h"

struct text_record {
	const char *name;	/* where the text is from: "stdin" */
	const char *unit;	/* "line" */
	uint64_t number;
	const char *p;		/* n bytes; work is aligned to 8 */
	size_t n;
	bool raw;		/* the record is not text; not used here */
};

enum overlong { REFUSE, TRUNCATE, SKIP };

struct token_limit {
	size_t length;		/* ids in a row */
	enum overlong overlong;	/* what to do with a longer text */
	bool no_choice;		/* the program has no --overlong option to
				   recommend */
	bool quiet;		/* print no notes */
};

/* The ids of a text, including start and end. */
struct token_ids {
	const int32_t *id;	/* owned by the tokenizer; valid until its
				   next call */
	size_t n;
	size_t kept;		/* fewer than n: the text is cut, and the
				   last id becomes the end; 0: the text is
				   skipped */
};

/* Fails if the text has too many ids and is refused. */
bool token_ids_read(struct npu_tokenizer *t, const struct token_limit *limit,
    const struct text_record *r, struct token_ids *ids, struct npu_err *err);
/* Appends a row of limit->length ids to *out. */
void token_ids_add_row(const struct token_ids *ids,
    const struct token_limit *limit, struct buf *out);
/* Appends to *notes, with its NUL, what the user should know about ids that
 * were not kept.  Afterwards ids->id is invalid. */
bool token_ids_note(const struct token_ids *ids, struct npu_tokenizer *t,
    const struct token_limit *limit, const struct text_record *r,
    struct buf *notes, struct npu_err *err);

#endif
