// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "text/codepoints.h"

bool
codepoints_reserve(struct codepoints *w, size_t cap)
{
	uint32_t *p;

	if (cap <= w->cap)
		return true;
	if (cap < w->cap + w->cap / 2)
		cap = w->cap + w->cap / 2;
	if (cap > SIZE_MAX / sizeof(*p) ||
	    (p = realloc(w->p, cap * sizeof(*p))) == NULL)
		return false;
	w->p = p;
	w->cap = cap;
	return true;
}

bool
codepoints_add(struct codepoints *w, const uint32_t *p, size_t n)
{
	if (n > SIZE_MAX - w->n || !codepoints_reserve(w, w->n + n))
		return false;
	if (n > 0)
		memcpy(w->p + w->n, p, n * sizeof(*p));
	w->n += n;
	return true;
}

bool
codepoints_has(const struct codepoints *w, uint32_t c)
{
	for (size_t i = 0; i < w->n; i++)
		if (w->p[i] == c)
			return true;
	return false;
}

void
codepoints_free(struct codepoints *w)
{
	free(w->p);
	*w = (struct codepoints){ 0 };
}
