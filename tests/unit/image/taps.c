// SPDX-License-Identifier: Apache-2.0
/* The ends of windows when an axis is longer than its length in float, which
 * Pillow uses, too; resized pictures are tested in
 * img-tensor-resize.bats. */
#include <string.h>

#include "image/resample.h"
#include "image/taps.h"
#include "tap.h"

/* n samples become as many, each made of itself. */
static void
same(uint32_t n, bool mirrored, uint64_t at, uint32_t first, const char *what)
{
	struct axis a = { FILTER_BOX, n, n, mirrored };
	int32_t k[8] = { 0 };
	struct taps t = { .k = k };

	if (!ok(axis_most(&a) <= 8, "room"))
		return;
	axis_taps(&a, at, &t);
	taps_trim(&t);
	if (!ok(t.n == 1 && t.first == first && k[0] == 1 << TAPS_BITS, "%s",
	    what))
		diag("%u from %u: %d", t.n, t.first, k[0]);
}

/* 33554438 is 33554440 in float: the last sample would be made of the second
 * past the end. */
static void
beyond(bool mirrored)
{
	struct axis a = { FILTER_BOX, 33554438, 33554438, mirrored };
	int32_t k[8] = { 0 };
	struct taps t = { .first = 7, .n = 7, .k = k };

	axis_taps(&a, a.to - 1, &t);
	ok(t.n == 0 && t.first == 0, "a window behind the end is none%s",
	    mirrored ? ", mirrored" : "");
}

/* 33554439 is 33554440 in float: of the four samples around the last one only
 * the first exists, which has no weight. */
static void
weightless(void)
{
	struct axis a = { FILTER_BICUBIC, 33554439, 33554440, false };
	int32_t k[8] = { 7 };
	struct taps t = { .k = k };

	axis_taps(&a, a.to - 1, &t);
	ok(t.n == 1 && t.first == 33554438 && k[0] == 0, "a weight of 0");
	taps_trim(&t);
	ok(t.n == 0 && t.first == 0, "is left out");
}

static void
keep_row(void *arg, uint32_t y, const uint8_t *pixels)
{
	if (y == 0)
		memcpy(arg, pixels, 3);
}

/* The last sample of that axis as a row: it is made as soon as there is any,
 * and black, as nothing adds to it. */
static void
row_of_nothing(void)
{
	const struct resample_spec spec = { .filter = FILTER_BOX, .width = 1,
		.height = 33554438, .orientation = 1, .to_width = 1,
		.to_height = 33554438, .top = 33554437, .columns = 1,
		.rows = 1 };
	uint8_t got[3] = { 7, 7, 7 };
	struct resample *r;
	unsigned most;

	if (!ok(resample_open(&r, &spec, keep_row, got, NULL) == 0, "opened"))
		return;
	memset(resample_room(r, &most), 99, 4);
	resample_add_rows(r, 1);
	resample_close(r);
	ok(got[0] == 0 && got[1] == 0 && got[2] == 0, "a row of nothing");
}

int
main(void)
{
	same(1000, false, 999, 999, "the last of 1000");
	same(1000, true, 999, 0, "mirrored");
	same(33554440, false, 33554439, 33554439, "the last of 33554440");
	beyond(false);
	beyond(true);
	weightless();
	row_of_nothing();
	return done();
}
