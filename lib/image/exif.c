// SPDX-License-Identifier: Apache-2.0
/* Reads EXIF like Pillow's getexif(), which tolerates many errors. */
#include "image/exif.h"

enum { ORIENTATION = 274 };

struct tiff {
	struct bytes b;
	bool big;		/* big-endian */
};

static bool
get(const struct tiff *t, uint64_t off, unsigned size, uint64_t *v)
{
	struct bytes s;

	if (!bytes_sub(t->b, off, size, &s))
		return false;
	*v = 0;
	for (unsigned i = 0; i < size; i++)
		*v = *v << 8 | s.p[t->big ? i : size - 1 - i];
	return true;
}

/* Reads the header.  The third and fourth variants are wrong, but occur. */
static bool
read_header(struct tiff *t)
{
	static const char heads[][4] = {
		"MM\0\x2a", "II\x2a\0", "MM\x2a\0", "II\0\x2a", "MM\0\x2b",
	};

	for (unsigned i = 0; i < sizeof(heads) / sizeof(*heads); i++)
		if (t->b.n >= 8 && memcmp(t->b.p, heads[i], 4) == 0) {
			t->big = heads[i][0] == 'M';
			return true;
		}
	return false;
}

/* Returns the bytes in an element of a type (TIFF 6.0, 2; 13 IFD, 16 LONG8). */
static unsigned
type_size(uint64_t type)
{
	static const uint8_t size[] = {
		[1] = 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, [16] = 8,
	};

	return type < sizeof(size) ? size[type] : 0;
}

/* Returns the first element of type at off if it is a number from 1 to 8;
 * otherwise 1. */
static uint8_t
element(const struct tiff *t, uint64_t type, uint64_t off)
{
	uint64_t v = 0, one;
	uint32_t bits;
	float f;
	double d;

	if (!get(t, off, type_size(type), &v))
		return 1;
	switch (type) {
	case 1: case 2: case 7:		/* bytes and text, not numbers */
		return 1;
	case 5: case 10:		/* a fraction */
		if (!get(t, off, 4, &v) || !get(t, off + 4, 4, &one) ||
		    one == 0 || v % one != 0)
			return 1;
		v /= one;
		break;
	case 11:
		bits = (uint32_t)v;
		memcpy(&f, &bits, sizeof(f));
		v = f >= 1 && f <= 8 && (float)(int)f == f ? (uint64_t)f : 1;
		break;
	case 12:
		memcpy(&d, &v, sizeof(d));
		v = d >= 1 && d <= 8 && (double)(int)d == d ? (uint64_t)d : 1;
		break;
	}
	return v >= 1 && v <= 8 ? (uint8_t)v : 1;
}

uint8_t
exif_orientation(struct bytes tiff)
{
	struct tiff t = { .b = tiff };
	uint64_t at, n, tag, type, count, size, off;
	uint8_t found = 0;

	if (tiff.n == 0)
		return 0;
	if (!read_header(&t))
		return 1;
	if (!get(&t, 4, 4, &at) || !get(&t, at, 2, &n))
		return 0;
	for (at += 2; n > 0; n--, at += 12) {
		if (!get(&t, at, 2, &tag) || !get(&t, at + 2, 2, &type) ||
		    !get(&t, at + 4, 4, &count) || !get(&t, at + 8, 4, &off))
			break;
		if ((size = type_size(type) * count) == 0)
			continue;
		if (size <= 4)
			off = at + 8;
		else if (!bytes_sub(tiff, off, size, &(struct bytes){ 0 }))
			break;
		if (tag == ORIENTATION)
			found = element(&t, type, off);
	}
	return found;
}
