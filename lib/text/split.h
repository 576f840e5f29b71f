/* SPDX-License-Identifier: Apache-2.0 */
/* The word pattern of openai/CLIP, clip/simple_tokenizer.py. */
#ifndef TEXT_SPLIT_H
#define TEXT_SPLIT_H

#include <stdbool.h>
#include <stddef.h>

struct text_word {
	const char *p;		/* within the text */
	size_t n;		/* bytes, more than 0 */
};

/*
 * Finds the next word of the text from *at to end, and moves *at past it.  The
 * text must be clean and therefore valid UTF-8.  Returns false at the end.  The
 * marks "<|startoftext|>" and "<|endoftext|>" are words if marked is true.
 */
bool text_word(const char **at, const char *end, bool marked,
    struct text_word *w);

#endif
