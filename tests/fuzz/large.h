/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AddressSanitizer gets each large buffer from the kernel and gives it back.
 * This takes most of the time in code that allocates 1 MiB for a few bytes: 50
 * of the 60 ms for an input of tests/fuzz/machine.c.  This header keeps freed
 * buffers for the next allocation that fits.  The beginning of a free buffer is
 * poisoned, and the bytes after the end of a buffer always are.  Link a target
 * that includes this header with --wrap=malloc, calloc, realloc and free.
 */
#ifndef TESTS_FUZZ_LARGE_H
#define TESTS_FUZZ_LARGE_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#endif
#endif
#ifndef ASAN_POISON_MEMORY_REGION
#define ASAN_POISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#define ASAN_UNPOISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#endif

enum {
	LARGE = 1 << 16, KEPT = 32,
	BEGINNING = 1 << 17,	/* more than any input */
};

static struct large {
	void *p;		/* NULL: not allocated yet */
	size_t room, n;		/* n: bytes in use */
	bool taken;
} kept[KEPT];

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t each);
void *__real_realloc(void *p, size_t n);
void __real_free(void *p);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t each);
void *__wrap_realloc(void *p, size_t n);
void __wrap_free(void *p);

/* Returns how many bytes to poison in a free buffer of n bytes. */
static size_t
beginning(size_t n)
{
	return n < BEGINNING ? n : BEGINNING;
}

static struct large *
kept_at(const void *p)
{
	for (size_t i = 0; p != NULL && i < KEPT; i++)
		if (kept[i].p == p)
			return &kept[i];
	return NULL;
}

void *
__wrap_malloc(size_t n)
{
	size_t room = LARGE;

	while (room < n && room < (size_t)1 << 30)
		room *= 2;
	for (size_t i = 0; n >= LARGE && n <= room && i < KEPT; i++) {
		struct large *l = &kept[i];

		if (l->taken || (l->p != NULL && l->room != room))
			continue;
		if (l->p == NULL && (l->p = __real_malloc(room)) == NULL)
			return NULL;
		if (l->n != n) {
			ASAN_POISON_MEMORY_REGION(l->p, room);
			ASAN_UNPOISON_MEMORY_REGION(l->p, n);
		}
		*l = (struct large){ l->p, room, n, true };
		ASAN_UNPOISON_MEMORY_REGION(l->p, beginning(n));
		return l->p;
	}
	return __real_malloc(n);
}

void *
__wrap_calloc(size_t n, size_t each)
{
	size_t all;
	void *p;

	if (__builtin_mul_overflow(n, each, &all) || all < LARGE)
		return __real_calloc(n, each);
	if ((p = __wrap_malloc(all)) != NULL)
		memset(p, 0, all);
	return p;
}

void
__wrap_free(void *p)
{
	struct large *l = kept_at(p);

	if (l == NULL) {
		__real_free(p);
		return;
	}
	if (!l->taken)
		abort();
	l->taken = false;
	ASAN_POISON_MEMORY_REGION(p, beginning(l->n));
}

void *
__wrap_realloc(void *p, size_t n)
{
	struct large *l = kept_at(p);
	void *to;

	if (p == NULL)
		return __wrap_malloc(n);
	if (l == NULL)
		return __real_realloc(p, n);
	if ((to = __wrap_malloc(n)) != NULL) {
		memcpy(to, p, n < l->n ? n : l->n);
		__wrap_free(p);
	}
	return to;
}

#endif
