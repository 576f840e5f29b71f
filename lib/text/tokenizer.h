/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by encoding and decoding. */
#ifndef TEXT_TOKENIZER_H
#define TEXT_TOKENIZER_H

#include "base/buf.h"
#include "npu.h"
#include "text/cache.h"
#include "text/clean.h"
#include "text/merge.h"

struct npu_tokenizer {
	const struct npu_bpe *bpe;	/* the caller's */
	struct merger merger;
	struct cleaner cleaner;
	/* The text under construction, and the last result, which the caller
	 * may pass as the next text. */
	struct buf clean, text;
	struct buf raw;			/* a text to be split at spaces */
	int32_t *id;			/* owned; ids of the last text */
	size_t n, cap;
	bool special;			/* marks are single tokens */
	struct cache cache;
};

/* Frees a large buffer: one huge text must not occupy memory forever. */
void tokenizer_shrink(struct buf *b);

#endif
