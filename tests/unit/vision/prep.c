// SPDX-License-Identifier: Apache-2.0
/*
 * Tests which options of preprocessing are valid, and that --fast does not
 * change the picture of one colour.  tests/cmd/img-tensor.bats tests the
 * results.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#include "base/buf.h"
#include "tap.h"
#include "vision/prep.h"

enum { RED = 200, GREEN = 100, BLUE = 50 };

static const struct prep_recipe plain = { .width = 4, .height = 4,
    .fit = FIT_STRETCH, .filter = FILTER_BILINEAR, .layout = LAYOUT_HWC,
    .divisor = 1, .deviation = { 1, 1, 1 },
    .tensor = { .dtype = NPU_U8, .scale = 1 } };

static void
refused(struct prep_recipe r, const char *says)
{
	struct prep *p = NULL;
	struct npu_err err = { .msg = "" };

	ok(prep_open(&p, &r, &err) == NPU_EUSAGE && p == NULL &&
	    strstr(err.msg, says) != NULL, "a recipe is refused: %s", err.msg);
}

static void
recipes(void)
{
	static const uint32_t sides[][2] = { { 0, 4 }, { 65537, 4 }, { 4, 0 },
	    { 4, 65537 } };
	static const uint32_t cuts[][3] = { { 8, 4, 7 }, { 4, 8, 7 },
	    { 4, 4, 65537 } };
	struct prep_recipe r;

	for (size_t i = 0; i < sizeof(sides) / sizeof(*sides); i++) {
		r = plain;
		r.width = sides[i][0];
		r.height = sides[i][1];
		refused(r, "sides are from 1 to 65536");
	}
	for (size_t i = 0; i < sizeof(cuts) / sizeof(*cuts); i++) {
		r = plain;
		r.width = cuts[i][0];
		r.height = cuts[i][1];
		r.shorter = cuts[i][2];
		refused(r, "cannot be cut out of a picture with a side of");
	}
	r = plain;
	r.mean[1] = NAN;
	refused(r, "mean nan");
	r = plain;
	r.deviation[2] = INFINITY;
	refused(r, "deviation inf");
	r = plain;
	r.deviation[0] = 0;
	refused(r, "deviation 0");
	r = plain;
	r.tensor.dtype = NPU_F64;
	refused(r, "not f64");
}

/* ---- Fast -------------------------------------------------------------- */

static void
make_ppm(struct buf *b, uint32_t w, uint32_t h)
{
	buf_printf(b, "P6 %u %u 255\n", w, h);
	for (size_t i = 0; i < (size_t)w * h; i++)
		buf_add(b, (const uint8_t[]){ RED, GREEN, BLUE }, 3);
}

/* Makes a JPEG with chroma subsampling 4:2:0. */
static void
make_jpeg(struct buf *b, uint32_t w, uint32_t h)
{
	struct jpeg_compress_struct z = { .image_width = 0 };
	struct jpeg_error_mgr errors;
	uint8_t *row = malloc(3 * (size_t)w);
	JSAMPROW at = row;
	unsigned char *p = NULL;
	unsigned long n = 0;

	for (size_t i = 0; i < w; i++)
		memcpy(row + 3 * i, (uint8_t[]){ RED, GREEN, BLUE }, 3);
	z.err = jpeg_std_error(&errors);
	jpeg_create_compress(&z);
	jpeg_mem_dest(&z, &p, &n);
	z.image_width = w;
	z.image_height = h;
	z.input_components = 3;
	z.in_color_space = JCS_RGB;
	jpeg_set_defaults(&z);
	jpeg_set_quality(&z, 100, TRUE);
	jpeg_start_compress(&z, TRUE);
	while (z.next_scanline < h)
		jpeg_write_scanlines(&z, &at, 1);
	jpeg_finish_compress(&z);
	jpeg_destroy_compress(&z);
	buf_add(b, p, n);
	free(p);
	free(row);
}

/* Returns true if all pixels have the picture's only colour. */
static bool
is_plain(const uint8_t *rgb, size_t pixels)
{
	for (; pixels > 0; pixels--, rgb += 3)
		if (abs(rgb[0] - RED) > 2 || abs(rgb[1] - GREEN) > 2 ||
		    abs(rgb[2] - BLUE) > 2)
			return false;
	return true;
}

static void
fast(void)
{
	static const struct {
		const char *what;
		bool jpeg;
		uint32_t w, h, to_w, to_h;
	} row[] = {
		{ "a PPM is converted, as it cannot be decoded at a smaller "
		    "size", false, 64, 64, 4, 4 },
		{ "a JPEG that is wide enough, but not high enough, is "
		    "converted", true, 96, 11, 4, 4 },
		{ "a JPEG that is high enough, but not wide enough, is "
		    "converted", true, 11, 96, 4, 4 },
		{ "a JPEG decoded at an eighth of its size is converted",
		    true, 96, 96, 4, 4 },
		{ "a JPEG decoded to planes is converted", true, 64, 64, 8, 8 },
		{ "a JPEG is converted if a window has more rows than are kept "
		    "of planes", true,
		    256, 12000, 32, 1 },
	};
	const struct prep_limits limits = { .max_pixels = 1 << 24,
	    .fast = true };
	uint8_t out[8 * 8 * 3];
	struct geometry g;

	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct prep_recipe r = plain;
		struct buf b = { 0 };
		struct bytes left;
		struct prep *p;

		r.width = row[i].to_w;
		r.height = row[i].to_h;
		(row[i].jpeg ? make_jpeg : make_ppm)(&b, row[i].w, row[i].h);
		left = (struct bytes){ (const uint8_t *)b.p, b.n };
		if (prep_open(&p, &r, NULL) < 0)
			abort();
		memset(out, 0, sizeof(out));
		ok(prep_picture(p, source_bytes(&left), &limits, out, &g,
		    NULL) == 0 && is_plain(out, (size_t)r.width * r.height),
		    "%s", row[i].what);
		prep_close(p);
		buf_free(&b);
	}
}

int
main(void)
{
	recipes();
	fast();
	return done();
}
