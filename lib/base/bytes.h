/* SPDX-License-Identifier: Apache-2.0 */
/* Bounded views of foreign bytes.  Copy out, never cast in; compare by
 * subtraction, because a sum could wrap.  Little-endian hosts only (npu.h). */
#ifndef BASE_BYTES_H
#define BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct bytes {
	const uint8_t *p;	/* not owned */
	size_t n;
};

/* Sets *out to the len bytes of b from off, if they lie within b.  Does not
 * overflow. */
static inline bool
bytes_sub(struct bytes b, uint64_t off, uint64_t len, struct bytes *out)
{
	if (off > b.n || len > b.n - off)
		return false;
	*out = (struct bytes){ b.p + off, (size_t)len };
	return true;
}

/* Copies the len bytes of b from off to dst, if they lie within b. */
static inline bool
bytes_get(struct bytes b, uint64_t off, void *dst, size_t len)
{
	struct bytes s;

	if (!bytes_sub(b, off, len, &s))
		return false;
	/* s.p is not NULL if s has bytes. */
	/* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker) */
	memcpy(dst, s.p, len);
	return true;
}

static inline bool
bytes_u32(struct bytes b, uint64_t off, uint32_t *v)
{
	return bytes_get(b, off, v, sizeof(*v));
}

static inline bool
bytes_u16(struct bytes b, uint64_t off, uint16_t *v)
{
	return bytes_get(b, off, v, sizeof(*v));
}

/* Compares byte by byte, as strcmp() does; a shorter text comes first. */
static inline int
bytes_compare(struct bytes a, struct bytes b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int c = n > 0 ? memcmp(a.p, b.p, n) : 0;

	return c != 0 ? c : (a.n > b.n) - (a.n < b.n);
}

/* Returns true if b begins with the NUL-terminated string s. */
static inline bool
bytes_start(struct bytes b, const char *s)
{
	size_t n = strlen(s);

	return b.n >= n && memcmp(b.p, s, n) == 0;
}

/* Returns true if b is the NUL-terminated string s. */
static inline bool
bytes_is(struct bytes b, const char *s)
{
	return b.n == strlen(s) && bytes_start(b, s);
}

#endif
