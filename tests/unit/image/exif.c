// SPDX-License-Identifier: Apache-2.0
/* Reads the orientation in EXIF: each type of TIFF 6.0, valid, odd and
 * truncated data. */
#include <stdlib.h>

#include "image/exif.h"
#include "tap.h"

enum { ORIENTATION = 274, SIZE = 34 };

/* A header, a directory with one entry at offset 8, and 8 bytes of values at
 * offset 26. */
struct tiff {
	uint8_t p[SIZE];
	bool big;
};

static void
put(struct tiff *t, size_t at, size_t n, uint64_t v)
{
	for (size_t i = 0; i < n; i++)
		t->p[at + (t->big ? n - 1 - i : i)] = (uint8_t)(v >> 8 * i);
}

static struct tiff
tiff(bool big, unsigned tag, unsigned type, uint32_t count)
{
	struct tiff t = { .big = big };

	memcpy(t.p, big ? "MM\0*" : "II*", 4);
	put(&t, 4, 4, 8);
	put(&t, 8, 2, 1);
	put(&t, 10, 2, tag);
	put(&t, 12, 2, type);
	put(&t, 14, 4, count);
	return t;
}

static uint8_t
says(const struct tiff *t)
{
	return exif_orientation((struct bytes){ t->p, SIZE });
}

static uint64_t
bits_of_double(double d)
{
	uint64_t v;

	memcpy(&v, &d, sizeof(v));
	return v;
}

static uint64_t
bits_of_float(float f)
{
	uint32_t v;

	memcpy(&v, &f, sizeof(v));
	return v;
}

/* size is the size of an element in bytes.  low is the only value or the
 * numerator, high the denominator. */
static void
each_type(void)
{
	const struct {
		const char *what;
		unsigned type, size;
		uint64_t low, high;
		uint8_t want;
	} row[] = {
		{ "a SHORT", 3, 2, 6, 0, 6 },
		{ "a SHORT of 0", 3, 2, 0, 0, 1 },
		{ "a SHORT of 9", 3, 2, 9, 0, 1 },
		{ "a LONG", 4, 4, 8, 0, 8 },
		{ "a BYTE, which Pillow reads as bytes", 1, 1, 6, 0, 1 },
		{ "text", 2, 1, '6', 0, 1 },
		{ "UNDEFINED", 7, 1, 6, 0, 1 },
		{ "an SBYTE", 6, 1, 3, 0, 3 },
		{ "a LONG8", 16, 8, 5, 0, 5 },
		{ "an unknown type", 17, 1, 6, 0, 0 },
		{ "6/1", 5, 8, 6, 1, 6 },
		{ "12/2", 5, 8, 12, 2, 6 },
		{ "7/2", 5, 8, 7, 2, 1 },
		{ "6/0", 5, 8, 6, 0, 1 },
		{ "an SRATIONAL", 10, 8, 4, 1, 4 },
		{ "3.0", 11, 4, bits_of_float(3), 0, 3 },
		{ "3.5", 11, 4, bits_of_float(3.5f), 0, 1 },
		{ "0.5", 11, 4, bits_of_float(.5f), 0, 1 },
		{ "9.0", 11, 4, bits_of_float(9), 0, 1 },
		{ "3.0 in 64 bits", 12, 8, bits_of_double(3), 0, 3 },
		{ "3.5 in 64 bits", 12, 8, bits_of_double(3.5), 0, 1 },
		{ "0.5 in 64 bits", 12, 8, bits_of_double(.5), 0, 1 },
		{ "9.0 in 64 bits", 12, 8, bits_of_double(9), 0, 1 },
	};

	for (size_t i = 0; i < 2 * sizeof(row) / sizeof(*row); i++) {
		const size_t k = i / 2;
		struct tiff t = tiff(i % 2, ORIENTATION, row[k].type, 1);
		bool pair = row[k].type == 5 || row[k].type == 10;

		if (row[k].size > 4)
			put(&t, 18, 4, 26);
		if (pair) {
			put(&t, 26, 4, row[k].low);
			put(&t, 30, 4, row[k].high);
		} else {
			put(&t, row[k].size > 4 ? 26 : 18, row[k].size,
			    row[k].low);
		}
		ok(says(&t) == row[k].want, "%s, %s: orientation %d",
		    row[k].what, t.big ? "big-endian" : "little-endian",
		    row[k].want);
	}
}

/* Truncates the data at each byte; nothing is read beyond the end. */
static void
cut(void)
{
	struct tiff t = tiff(false, ORIENTATION, 3, 1);
	size_t good = 0;

	put(&t, 18, 2, 6);
	for (size_t n = 0; n <= SIZE; n++) {
		/* The allocation has this size, which lets a sanitizer find
		 * reads beyond the end. */
		uint8_t *p = malloc(n + (n == 0));

		memcpy(p, t.p, n);
		good += exif_orientation((struct bytes){ p, n }) ==
		    (n == 0 ? 0 : n < 8 ? 1 : n < 22 ? 0 : 6);
		free(p);
	}
	ok(good == SIZE + 1,
	    "data that is cut at any byte has the expected orientation");
}

static void
odd(void)
{
	struct tiff t = tiff(true, ORIENTATION + 1, 3, 1);

	put(&t, 18, 2, 6);
	ok(says(&t) == 0, "another tag has no orientation");
	t = tiff(true, ORIENTATION, 3, 0);
	ok(says(&t) == 0, "an entry with 0 values has no orientation");
	t = tiff(true, ORIENTATION, 5, 1);
	put(&t, 18, 4, 27);
	ok(says(&t) == 0,
	    "an entry whose value is behind the end has no orientation");
	t = tiff(true, ORIENTATION, 3, UINT32_MAX);
	ok(says(&t) == 0,
	    "an entry with more values than the data has no orientation");
	t = tiff(true, ORIENTATION, 3, 1);
	put(&t, 4, 4, UINT32_MAX);
	ok(says(&t) == 0, "a directory behind the end has no orientation");
	memcpy(t.p, "MM*", 4);
	put(&t, 4, 4, 8);
	put(&t, 18, 2, 2);
	ok(says(&t) == 2,
	    "a header with the bytes MM*, in the wrong order, is accepted");
	memcpy(t.p, "MMMM", 4);
	ok(says(&t) == 1, "a header with the bytes MMMM is not accepted");
}

int
main(void)
{
	each_type();
	cut();
	odd();
	return done();
}
