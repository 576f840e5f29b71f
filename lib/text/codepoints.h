/* SPDX-License-Identifier: Apache-2.0 */
/* A text as code points, which are Unicode scalar values. */
#ifndef TEXT_CODEPOINTS_H
#define TEXT_CODEPOINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct codepoints {
	uint32_t *p;		/* owned; zero before use; codepoints_free() */
	size_t n, cap;
};

/* Makes room for cap code points in total and keeps the contents.  If out of
 * memory, returns false and changes nothing. */
bool codepoints_reserve(struct codepoints *w, size_t cap);
bool codepoints_add(struct codepoints *w, const uint32_t *p, size_t n);
bool codepoints_has(const struct codepoints *w, uint32_t c);
void codepoints_free(struct codepoints *w);

/* Appends one code point.  Returns false if out of memory. */
static inline bool
codepoints_push(struct codepoints *w, uint32_t c)
{
	if (w->n == w->cap && !codepoints_reserve(w, w->n + 64))
		return false;
	w->p[w->n++] = c;
	return true;
}

static inline void
codepoints_swap(struct codepoints *a, struct codepoints *b)
{
	struct codepoints was = *a;

	*a = *b;
	*b = was;
}

#endif
