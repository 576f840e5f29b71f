// SPDX-License-Identifier: Apache-2.0
/* The ends of windows when an axis is longer than its length as a float.
 * Pillow uses floats.  img-tensor-resize.bats tests resized pictures. */
#include <string.h>

#include "image/resample.h"
#include "image/taps.h"
#include "tap.h"

/* Resizes n samples to n samples: each result has a single source sample. */
static void
same(uint32_t n, bool mirrored, uint64_t at, uint32_t first, const char *what)
{
	struct axis a = { FILTER_BOX, n, n, mirrored };
	int32_t k[8] = { 0 };
	struct taps t = { .k = k };

	if (!ok(axis_most(&a) <= 8, "the taps fit into the array"))
		return;
	axis_taps(&a, at, &t);
	taps_trim(&t);
	if (!ok(t.n == 1 && t.first == first && k[0] == 1 << TAPS_BITS, "%s",
	    what))
		diag("%u from %u: %d", t.n, t.first, k[0]);
}

/* 33554438 becomes 33554440 as a float.  The last sample would be made from the
 * second sample behind the end. */
static void
beyond(bool mirrored)
{
	struct axis a = { FILTER_BOX, 33554438, 33554438, mirrored };
	int32_t k[8] = { 0 };
	struct taps t = { .first = 7, .n = 7, .k = k };

	axis_taps(&a, a.to - 1, &t);
	ok(t.n == 0 && t.first == 0, "a window behind the end has no samples%s",
	    mirrored ? ", mirrored" : "");
}

/* 33554439 becomes 33554440 as a float.  Of the four samples around the last
 * sample only the first exists, and its weight is 0. */
static void
weightless(void)
{
	struct axis a = { FILTER_BICUBIC, 33554439, 33554440, false };
	int32_t k[8] = { 7 };
	struct taps t = { .k = k };

	axis_taps(&a, a.to - 1, &t);
	ok(t.n == 1 && t.first == 33554438 && k[0] == 0,
	    "the only sample of the last window has the weight 0");
	taps_trim(&t);
	ok(t.n == 0 && t.first == 0,
	    "taps_trim() removes the sample with the weight 0");
}

static void
keep_row(void *arg, uint32_t y, const uint8_t *pixels)
{
	if (y == 0)
		memcpy(arg, pixels, 3);
}

/* The last sample of this axis as a row.  The row is made as soon as any row is
 * added, and it is black because no sample adds to it. */
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

	if (!ok(resample_open(&r, &spec, keep_row, got, NULL) == 0,
	    "the resampler is opened"))
		return;
	memset(resample_room(r, &most), 99, 4);
	resample_add_rows(r, 1);
	resample_close(r);
	ok(got[0] == 0 && got[1] == 0 && got[2] == 0,
	    "a row without any source sample is black");
}

int
main(void)
{
	same(1000, false, 999, 999,
	    "the last of 1000 samples comes from the last sample");
	same(1000, true, 999, 0,
	    "the last of 1000 mirrored samples comes from the first sample");
	same(33554440, false, 33554439, 33554439,
	    "the last of 33554440 samples comes from the last sample");
	beyond(false);
	beyond(true);
	weightless();
	row_of_nothing();
	return done();
}
