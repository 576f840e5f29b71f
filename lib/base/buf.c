// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/locale.h"

void *
buf_reserve(struct buf *b, size_t n)
{
	size_t cap;
	char *p;

	if (b->failed)
		return NULL;
	if (b->cap - b->n >= n)
		return b->p + b->n;
	if (n > SIZE_MAX / 4 || b->n > SIZE_MAX / 4) {
		b->failed = true;
		return NULL;
	}
	cap = b->cap < 256 ? 256 : b->cap;
	while (cap - b->n < n)
		cap *= 2;
	if ((p = realloc(b->p, cap)) == NULL) {
		b->failed = true;
		return NULL;
	}
	b->p = p;
	b->cap = cap;
	return b->p + b->n;
}

void
buf_add(struct buf *b, const void *p, size_t n)
{
	void *at;

	if (n == 0 || (at = buf_reserve(b, n)) == NULL)
		return;
	memcpy(at, p, n);
	b->n += n;
}

void
buf_puts(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

void
buf_printf(struct buf *b, const char *fmt, ...)
{
	locale_t before = locale_begin_c();
	va_list ap;
	void *at;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0) {
		b->failed = true;
	} else if ((at = buf_reserve(b, (size_t)n + 1)) != NULL) {
		va_start(ap, fmt);
		vsnprintf(at, (size_t)n + 1, fmt, ap);
		va_end(ap);
		b->n += (size_t)n;
	}
	locale_end(before);
}

void
buf_clear(struct buf *b)
{
	b->n = 0;
	b->failed = false;
}

void
buf_free(struct buf *b)
{
	free(b->p);
	*b = (struct buf){ 0 };
}
