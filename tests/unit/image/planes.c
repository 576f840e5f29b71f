// SPDX-License-Identifier: Apache-2.0
/* The planes of a JPEG, and the weights that resize them.
 * tests/cmd/img-tensor-fast.bats tests the results. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#include "base/err.h"
#include "image/picture.h"
#include "image/planes.h"
#include "image/ycc.h"
#include "tap.h"

enum { WIDTH = 17, HEIGHT = 19, STRIDE = 64, PIXELS = WIDTH * HEIGHT };

/* Makes a JPEG whose pixels have red 200, green 100 and blue 50, or a grey
 * JPEG.  v rows and h columns of Y share a value of Cb and Cr. */
static unsigned long
make_jpeg(unsigned char **p, int colours, int h, int v)
{
	struct jpeg_compress_struct z = { .image_width = 0 };
	struct jpeg_error_mgr errors;
	uint8_t row[WIDTH * 3];
	JSAMPROW at = row;
	unsigned long n = 0;

	for (int i = 0; i < WIDTH; i++)
		memcpy(row + 3 * i, (uint8_t[]){ 200, 100, 50 }, 3);
	z.err = jpeg_std_error(&errors);
	jpeg_create_compress(&z);
	jpeg_mem_dest(&z, p, &n);
	z.image_width = WIDTH;
	z.image_height = HEIGHT;
	z.input_components = colours;
	z.in_color_space = colours == 3 ? JCS_RGB : JCS_GRAYSCALE;
	jpeg_set_defaults(&z);
	jpeg_set_quality(&z, 100, TRUE);
	z.comp_info[0].h_samp_factor = h;
	z.comp_info[0].v_samp_factor = v;
	jpeg_start_compress(&z, TRUE);
	while (z.next_scanline < z.image_height)
		jpeg_write_scanlines(&z, &at, 1);
	jpeg_finish_compress(&z);
	jpeg_destroy_compress(&z);
	return n;
}

static struct picture *
opened(struct bytes *b)
{
	struct picture *p = NULL;

	ok(picture_open(&p, source_bytes(b), PIXELS, NULL) == 0,
	    "picture_open() accepts the JPEG");
	return p;
}

/* Returns true if the n bytes at p are v, to the precision of a JPEG. */
static bool
all(const uint8_t *p, size_t n, int v)
{
	for (size_t i = 0; i < n; i++)
		if (abs(p[i] - v) > 1)
			return false;
	return true;
}

/* JFIF: Y 124.2, Cb 86.1, Cr 182.1. */
static bool
has_colour(const uint8_t *band, int rows)
{
	bool good = true;

	for (int y = 0; y < rows; y++)
		good &= all(band + (size_t)y * STRIDE, WIDTH, 124);
	band += PICTURE_BAND * STRIDE;
	for (int y = 0; y < (rows + 1) / 2; y++, band += STRIDE)
		good &= all(band, (WIDTH + 1) / 2, 86) &&
		    all(band + STRIDE / 2, (WIDTH + 1) / 2, 182);
	return good;
}

static void
test_bands(void)
{
	unsigned char *jpeg = NULL;
	size_t n = make_jpeg(&jpeg, 3, 2, 2);
	struct bytes b = { jpeg, n };
	uint8_t band[PICTURE_BAND_ROWS * STRIDE];
	struct picture *p = opened(&b);
	struct npu_err err;

	ok(picture_planes(p) && picture_planes(p),
	    "a JPEG with 4:2:0 can be read in planes");
	ok(picture_shrink(p, 2, &err) == NPU_EUSAGE,
	    "a picture that is read in planes cannot be shrunk");
	ok(picture_rows(p, band, 1, &err) == NPU_EUSAGE &&
	    strcmp(err.msg, "this picture comes in planes") == 0, "a picture "
	    "that is read in planes cannot be read in rows");
	ok(picture_band(p, band, 0, &err) == NPU_EUSAGE &&
	    picture_band(p, band, 40, &err) == NPU_EUSAGE,
	    "picture_band() refuses a wrong stride");
	ok(picture_band(p, band, STRIDE, &err) == 16 && has_colour(band, 16),
	    "the first band has 16 rows of the right colour");
	memset(band, 0, sizeof(band));
	ok(picture_band(p, band, STRIDE, &err) == 3 && has_colour(band, 3),
	    "the last band has 3 rows of the right colour");
	ok(picture_band(p, band, STRIDE, &err) == 0 &&
	    picture_band(p, band, STRIDE, &err) == 0,
	    "after the last band, picture_band() returns 0 each time");
	picture_close(p);

	b = (struct bytes){ jpeg, n - 2 };
	p = opened(&b);
	ok(picture_planes(p) && picture_band(p, band, STRIDE, &err) == 16,
	    "a JPEG without its end gives a first band");
	while ((n = (size_t)picture_band(p, band, STRIDE, &err)) - 1 < 16)
		;
	ok((int)n == NPU_EFORMAT && strncmp(err.msg, "JPEG: ", 6) == 0,
	    "a JPEG without its end is refused at the end: %s", err.msg);
	ok(picture_band(p, band, STRIDE, &err) == NPU_EUSAGE,
	    "after an error, picture_band() fails");
	picture_close(p);
	free(jpeg);
}

static void
test_others(void)
{
	static const int kind[][3] = { { 1, 1, 1 }, { 3, 1, 1 }, { 3, 2, 1 },
	    { 3, 1, 2 }, { 3, 4, 1 } };
	uint8_t band[PICTURE_BAND_ROWS * STRIDE], row[WIDTH * 4];
	struct npu_err err;

	for (size_t i = 0; i < sizeof(kind) / sizeof(*kind); i++) {
		unsigned char *jpeg = NULL;
		size_t n = make_jpeg(&jpeg, kind[i][0], kind[i][1],
		    kind[i][2]);
		struct bytes b = { jpeg, n };
		struct picture *p = opened(&b);

		ok(!picture_planes(p), "a JPEG with %d components and %d x %d "
		    "samples of Y has no planes",
		    kind[i][0], kind[i][1], kind[i][2]);
		ok(picture_band(p, band, STRIDE, &err) == NPU_EUSAGE &&
		    picture_rows(p, row, 1, &err) == 1,
		    "a JPEG without planes is read in rows");
		picture_close(p);
		free(jpeg);
	}
}

static void
test_too_late(void)
{
	unsigned char *jpeg = NULL;
	size_t n = make_jpeg(&jpeg, 3, 2, 2);
	struct bytes b = { jpeg, n };
	struct bytes ppm = { (const uint8_t *)"P6 1 1 255\nabc", 14 };
	uint8_t row[WIDTH * 4];
	struct picture *p = opened(&b);

	ok(picture_rows(p, row, 1, NULL) == 1 && !picture_planes(p),
	    "after the first row, a picture has no planes");
	picture_close(p);
	b = (struct bytes){ jpeg, n };
	p = opened(&b);
	ok(picture_shrink(p, 2, NULL) == 0 && !picture_planes(p),
	    "after it is shrunk, a picture has no planes");
	picture_close(p);
	p = opened(&ppm);
	ok(!picture_planes(p), "a PPM has no planes");
	picture_close(p);
	free(jpeg);
}

/* ---- Resizing ---------------------------------------------------------- */

/*
 * Returns value x of a line of n values after doubling, in quarters.  All n
 * values are 0 except the value at index 'one' (libjpeg-turbo, jdsample.c:
 * h2v1_fancy_upsample()).
 */
static int
doubled(uint32_t n, uint32_t one, uint32_t x)
{
	uint32_t near = x / 2, next = near;

	if (x % 2 == 0 && near > 0)
		next = near - 1;
	else if (x % 2 == 1 && near + 1 < n)
		next = near + 1;
	return 3 * (near == one) + (next == one);
}

static bool
halved(const struct taps *t, uint32_t n)
{
	int32_t k[64] = { 0 };
	struct taps half = { .k = k };
	double sum;

	taps_halve(t, n, &half);
	if (half.n > t->n / 2 + 2 || half.first + half.n > n)
		return false;
	for (uint32_t one = 0; one < n; one++) {
		sum = 0;
		for (uint32_t i = 0; i < t->n; i++)
			sum += doubled(n, one, t->first + i) * t->k[i] / 4.0;
		if (one >= half.first && one < half.first + half.n)
			sum -= k[one - half.first];
		if (sum > 0.5 || sum < -0.5)
			return false;
	}
	return true;
}

static void
test_taps(void)
{
	int32_t k[40] = { 1000, 3, 77777, -5, 1234, 999, 4, 8000 };
	struct taps t = { .k = k };
	unsigned bad = 0;

	for (int i = 8; i < 40; i++)
		k[i] = 400 * i + 1;
	for (uint32_t n = 3; n < 20; n++)
		for (t.first = 0; t.first < 2 * n - 1; t.first++)
			for (t.n = 1; t.first + t.n <= 2 * n; t.n++)
				bad += !halved(&t, n);
	ok(bad == 0,
	    "halved taps have the effect of libjpeg's doubling: %u wrong", bad);
}

/* A window's result is the sum of products of values with 7 fractional bits and
 * weights with 14. */
static bool
along_is_right(size_t groups)
{
	enum { SAMPLES = 8, MOST = 3 * YCC_GROUP, VALUES = 50 };
	int16_t s16[VALUES + MOST], k[SAMPLES * MOST];
	uint32_t first[SAMPLES];
	struct ycc_windows w = { SAMPLES, groups, first, k };
	size_t n = groups * YCC_GROUP;
	float out[SAMPLES];
	bool good = true;

	for (int i = 0; i < VALUES + MOST; i++)
		s16[i] = (int16_t)(i % 7 == 0 ? 255 << 7 : i * i % 32000);
	for (uint32_t i = 0; i < SAMPLES; i++) {
		first[i] = i * 7;
		for (size_t j = 0; j < n; j++)
			k[i * n + j] = (int16_t)((i * 31 + j * j * 17) %
			    ((1 << 14) / n));
	}
	ycc_along(&w, s16, out);
	for (uint32_t i = 0; i < SAMPLES; i++) {
		int32_t sum = 0;

		for (size_t j = 0; j < n; j++)
			sum += s16[first[i] + j] * k[i * n + j];
		good &= out[i] == (float)sum / (1 << 21);
	}
	return good;
}

/* Weights of 0 at both ends are dropped, and all weights if all are 0. */
static void
test_trim(void)
{
	int32_t k[] = { 0, 0, 5, 0, 7, 0 }, zeros[3] = { 0 };
	struct taps t = { .first = 10, .n = 6, .k = k };

	taps_trim(&t);
	ok(t.first == 12 && t.n == 3 && k[0] == 5 && k[1] == 0 && k[2] == 7,
	    "taps_trim() removes weights of 0 at both ends");
	t = (struct taps){ .first = 10, .n = 3, .k = zeros };
	taps_trim(&t);
	ok(t.first == 0 && t.n == 0,
	    "taps_trim() removes all weights if all are 0");
}

/* No weight differs by more than 1 from its exact value, and the sum is
 * exact. */
static void
test_s16(void)
{
	int32_t k[] = { 1000, 3, 77777, 0, 1234, 999, 4, 80000, 1 }, were[9];
	struct taps t = { .n = 9, .k = k };
	double all = 0;
	int sum = 0;
	bool near = true;

	for (int i = 0; i < 9; i++)
		all += were[i] = k[i];
	taps_to_s16(&t);
	for (int i = 0; i < 9; i++) {
		sum += k[i];
		near &= k[i] >= 0 && fabs(k[i] - were[i] / all * 16384) <= 1;
	}
	ok(near && sum == 16384, "weights for s16 have the sum 1");
	k[0] = 0;
	t.n = 1;
	taps_to_s16(&t);
	ok(k[0] == 0, "weights that are all 0 stay 0");
	for (size_t groups = 1; groups <= 3; groups++)
		ok(along_is_right(groups), "ycc_along() adds the right sums "
		    "for %zu groups of 8 weights",
		    groups);
}

/* JFIF: red is Y + 1.402 (Cr - 128), blue is Y + 1.772 (Cb - 128), and green
 * follows from Y; all are limited to 0 to 255. */
static void
test_colours(void)
{
	static const struct {
		float y, cb, cr;
		int rgb[3];
	} row[] = {
		{ 128, 128, 128, { 128, 128, 128 } },
		{ 255, 255, 255, { 255, 121, 255 } },
		{ 0, 0, 0, { 0, 135, 0 } },
		{ 76.245f, 84.972f, 255, { 254, 0, 0 } },
	};
	enum { N = sizeof(row) / sizeof(*row) };
	float y[N], cb[N], cr[N];
	_Alignas(uint32_t) uint8_t out[N][4];
	bool good = true;

	for (size_t i = 0; i < N; i++) {
		y[i] = row[i].y;
		cb[i] = row[i].cb;
		cr[i] = row[i].cr;
	}
	ycc_write(y, cb, cr, N, (uint32_t *)(void *)out);
	for (size_t i = 0; i < N; i++)
		for (int c = 0; c < 3; c++)
			good &= abs(out[i][c] - row[i].rgb[c]) <= 1;
	ok(good, "colours are limited to 0 to 255");
}

static void
test_fit(void)
{
	struct resample_spec s = { .filter = FILTER_BILINEAR, .width = 4000,
	    .height = 3000, .orientation = 1, .to_width = 640,
	    .to_height = 480 };

	ok(planes_fit(&s),
	    "a picture of 12 megapixels can be resized in planes");
	s.orientation = 6;
	s.to_width = 480;
	s.to_height = 640;
	ok(planes_fit(&s),
	    "a turned picture of 12 megapixels can be resized in planes");
	s.height = 65500;
	s.to_width = 64;
	ok(!planes_fit(&s), "a window with too many rows cannot be used");
	s.height = 3000;
	s.to_width = 480;
	ok(planes_fit(&s),
	    "a turned picture with a smaller window can be resized in planes");
	s.filter = FILTER_BICUBIC;
	ok(!planes_fit(&s), "a filter with negative weights cannot be used");
}

int
main(void)
{
	test_bands();
	test_others();
	test_too_late();
	test_taps();
	test_trim();
	test_s16();
	test_colours();
	test_fit();
	planes_close(NULL);
	return done();
}
