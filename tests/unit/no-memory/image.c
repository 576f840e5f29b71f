// SPDX-License-Identifier: Apache-2.0
/* Pictures without memory: reads, resizes in each way, crops and writes
 * them. */
#include <stdio.h>

#include <jpeglib.h>
#include <png.h>

#include "base/err.h"
#include "image/crop.h"
#include "image/kernels/pass.h"
#include "image/picture_stream.h"
#include "image/planes.h"
#include "image/write.h"
#include "nomem.h"
#include "pieces.h"
#include "sink_buf.h"
#include "vision/prep.h"

enum { SIDE = 40 };

/* Files of SIDE x SIDE pixels, all with red 200, green 100 and blue 50. */
static struct buf jpeg, png, ppm;

static const uint8_t colour[] = { 200, 100, 50 };

/* The bytes II and one entry: orientation, type SHORT, count 1, value 6. */
static const uint8_t exif[] = "Exif\0\0II\x2a\0\x08\0\0\0\1\0\x12\1\3\0\1\0\0\0"
    "\6\0\0\0";

static void
make_jpeg(void)
{
	struct jpeg_compress_struct z = { .image_width = 0 };
	struct jpeg_error_mgr errors;
	uint8_t row[SIDE * 3];
	JSAMPROW at = row;
	unsigned char *p = NULL;
	unsigned long n = 0;

	for (int i = 0; i < SIDE; i++)
		memcpy(row + 3 * i, colour, 3);
	z.err = jpeg_std_error(&errors);
	jpeg_create_compress(&z);
	jpeg_mem_dest(&z, &p, &n);
	z.image_width = z.image_height = SIDE;
	z.input_components = 3;
	z.in_color_space = JCS_RGB;
	jpeg_set_defaults(&z);		/* 4:2:0 */
	jpeg_set_quality(&z, 100, TRUE);
	jpeg_start_compress(&z, TRUE);
	jpeg_write_marker(&z, JPEG_APP0 + 1, exif, sizeof(exif) - 1);
	while (z.next_scanline < z.image_height)
		jpeg_write_scanlines(&z, &at, 1);
	jpeg_finish_compress(&z);
	jpeg_destroy_compress(&z);
	buf_add(&jpeg, p, n);
	free(p);
}

static void
to_png(png_structp z, png_bytep p, size_t n)
{
	buf_add(png_get_io_ptr(z), p, n);
}

static void
flush(png_structp z)
{
	(void)z;
}

/* Makes an interlaced PNG with an orientation in a text, as ImageMagick writes
 * it. */
static void
make_png(void)
{
	png_structp z = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL,
	    NULL, NULL);
	png_infop info = png_create_info_struct(z);
	static uint8_t row[SIDE * 3];
	char key[] = "Raw profile type exif", hex[200] = "\nexif\n32\n";
	png_text text = { .compression = PNG_TEXT_COMPRESSION_zTXt,
	    .key = key, .text = hex };

	for (size_t i = 0; i < sizeof(exif) - 1; i++)
		sprintf(hex + strlen(hex), "%02x", exif[i]);
	png_set_write_fn(z, &png, to_png, flush);
	png_set_IHDR(z, info, SIDE, SIDE, 8, PNG_COLOR_TYPE_RGB,
	    PNG_INTERLACE_ADAM7, PNG_COMPRESSION_TYPE_DEFAULT,
	    PNG_FILTER_TYPE_DEFAULT);
	png_set_text(z, info, &text, 1);
	png_write_info(z, info);
	for (int i = 0; i < SIDE; i++)
		memcpy(row + 3 * i, colour, 3);
	for (int i = png_set_interlace_handling(z); i > 0; i--)
		for (int y = 0; y < SIDE; y++)
			png_write_row(z, row);
	png_write_end(z, NULL);
	png_destroy_write_struct(&z, &info);
}

static void
make_ppm(void)
{
	buf_printf(&ppm, "P6 %d %d 255\n", SIDE, SIDE);
	for (int i = 0; i < SIDE * SIDE; i++)
		buf_add(&ppm, colour, 3);
}

/* ---- Reading ----------------------------------------------------------- */

/* Returns true if the pixel has the colour, to the precision of a JPEG. */
static bool
is_colour(const uint8_t *p)
{
	return abs(p[0] - 200) < 3 && abs(p[1] - 100) < 3 &&
	    abs(p[2] - 50) < 3;
}

static int
read_one(const struct buf *b, struct npu_err *err)
{
	struct bytes left = { (const uint8_t *)b->p, b->n };
	struct picture_source s = { read_piece, &left };
	struct image m = { .rgb = NULL };
	int rc = picture_read(s, SIDE * SIDE, &m, err);

	if (rc == 0 && !is_colour(m.rgb))
		rc = NOMEM_WRONG;
	free(m.rgb);
	return rc;
}

static int
read_jpeg(struct npu_err *err)
{
	return read_one(&jpeg, err);
}

static int
read_png(struct npu_err *err)
{
	return read_one(&png, err);
}

static int
read_ppm(struct npu_err *err)
{
	return read_one(&ppm, err);
}

static int
read_stream(struct npu_err *err)
{
	struct bytes left = { (const uint8_t *)jpeg.p, jpeg.n }, one;
	struct picture_stream *f;
	int rc = picture_stream_open(&f, PICTURE_STREAM_MJPEG,
	    (struct picture_source){ read_piece, &left }, 1 << 20, err);

	if (rc < 0)
		return rc;
	rc = picture_stream_next(f, &one, err);
	if (rc > 0)
		rc = one.n == jpeg.n ? 0 : NOMEM_WRONG;
	picture_stream_close(f);
	return rc;
}

/* ---- Resizing ---------------------------------------------------------- */

/* Counts the rows that begin with the colour. */
static void
count(void *arg, uint32_t y, const uint8_t *pixels)
{
	(void)y;
	*(int *)arg += is_colour(pixels);
}

static const struct resample_spec spec = { .filter = FILTER_BILINEAR,
    .width = SIDE, .height = SIDE, .orientation = 1, .to_width = 10,
    .to_height = 10, .columns = 10, .rows = 10 };

static int
resize(const struct resample_spec *s, struct npu_err *err)
{
	struct resample *r;
	unsigned most;
	int rows = 0, rc = resample_open(&r, s, count, &rows, err);
	uint8_t *to;

	if (rc < 0)
		return rc;
	for (uint32_t y = 0; y < s->height; y += most) {
		to = resample_room(r, &most);
		if (most > s->height - y)
			most = s->height - y;
		for (size_t i = 0; i < (size_t)most * s->width; i++)
			memcpy(to + 4 * i, colour, 3);
		resample_add_rows(r, most);
	}
	resample_close(r);
	return rows == (int)s->rows ? 0 : NOMEM_WRONG;
}

/* Resizes with an invalid orientation, which counts as upright. */
static int
resize_plain(struct npu_err *err)
{
	struct resample_spec s = spec;

	s.orientation = 9;
	return resize(&s, err);
}

/* Resizes a picture that is turned by 90 degrees, with sums in floats. */
static int
resize_turned(struct npu_err *err)
{
	struct resample_spec s = spec;

	s.orientation = 6;
	s.floats = true;
	return resize(&s, err);
}

/* Resizes with more rows in a window than are kept: only their sums are
 * kept. */
static int
resize_tall(struct npu_err *err)
{
	struct resample_spec s = spec;

	s.height = 300000;
	s.to_height = 2;
	s.rows = 2;
	return resize(&s, err);
}

static int
resize_tall_turned(struct npu_err *err)
{
	struct resample_spec s = spec;

	s.orientation = 8;
	s.floats = true;
	s.height = 60000;
	s.to_width = 2;
	s.columns = 2;
	return resize(&s, err);
}

static int
resize_planes(bool turned, struct npu_err *err)
{
	struct resample_spec s = spec;
	struct planes *p;
	int rows = 0, rc;
	size_t stride;
	uint8_t *to;

	s.orientation = turned ? 6 : 1;
	if ((rc = planes_open(&p, &s, count, &rows, err)) < 0)
		return rc;
	for (int y = 0; y < SIDE; y += PICTURE_BAND) {
		to = planes_room(p, &stride);
		/* JFIF: Y 124.2, Cb 86.1, Cr 182.1. */
		memset(to, 124, PICTURE_BAND * stride);
		to += PICTURE_BAND * stride;
		for (int i = 0; i < PICTURE_BAND / 2; i++, to += stride) {
			memset(to, 86, stride / 2);
			memset(to + stride / 2, 182, stride / 2);
		}
		planes_add_band(p);
	}
	planes_close(p);
	return rows == 10 ? 0 : NOMEM_WRONG;
}

static int
planes_upright(struct npu_err *err)
{
	return resize_planes(false, err);
}

static int
planes_turned(struct npu_err *err)
{
	return resize_planes(true, err);
}

/* Prepares a picture from its file, as with --fast. */
static int
prepare_planes(struct npu_err *err)
{
	const struct prep_recipe recipe = { .width = 5, .height = 5,
	    .fit = FIT_STRETCH, .filter = FILTER_BILINEAR,
	    .layout = LAYOUT_HWC, .divisor = 1, .deviation = { 1, 1, 1 },
	    .tensor = { .dtype = NPU_U8, .scale = 1 } };
	const struct prep_limits limits = { SIDE * SIDE, true };
	struct bytes left = { (const uint8_t *)jpeg.p, jpeg.n };
	struct picture_source s = { read_piece, &left };
	uint8_t out[5 * 5 * 3];
	struct geometry g;
	struct prep *p;
	int rc = prep_open(&p, &recipe, err);

	if (rc < 0)
		return rc;
	rc = prep_picture(p, s, &limits, out, &g, err);
	prep_close(p);
	return rc < 0 || is_colour(out) ? rc : NOMEM_WRONG;
}

/* ---- Writing ----------------------------------------------------------- */

static int
write_as(enum picture_format format, struct npu_err *err)
{
	static uint8_t rgb[30] = { 1, 2, 3 };
	struct image image = { 5, 2, rgb };
	struct buf b = { 0 };
	int rc = picture_write(&image, format, WRITE_QUALITY, sink_buf(&b),
	    err);

	if (rc == 0 && b.n < sizeof(rgb))
		rc = NOMEM_WRONG;
	buf_free(&b);
	return rc;
}

static int
write_jpeg(struct npu_err *err)
{
	return write_as(PICTURE_JPEG, err);
}

static int
write_png(struct npu_err *err)
{
	return write_as(PICTURE_PNG, err);
}

static int
write_ppm(struct npu_err *err)
{
	return write_as(PICTURE_PPM, err);
}

static int
cut(struct npu_err *err)
{
	static uint8_t rgb[12] = { 0, 0, 0, 1, 2, 3 };
	const struct image image = { 2, 2, rgb };
	struct image part;
	int rc = image_crop(&image, (struct rect){ 1, 0, 5, 1 }, &part, err);

	if (rc < 0)
		return rc;
	rc = part.width == 1 && part.height == 1 &&
	    memcmp(part.rgb, rgb + 3, 3) == 0 ? 0 : NOMEM_WRONG;
	free(part.rgb);
	return rc;
}

int
main(void)
{
	make_jpeg();
	make_png();
	make_ppm();
	nomem("reading a JPEG with EXIF", read_jpeg);
	nomem("reading an interlaced PNG with a text", read_png);
	nomem("reading a PPM", read_ppm);
	nomem("reading a stream of JPEGs", read_stream);
	nomem("resizing", resize_plain);
	nomem("resizing a turned picture", resize_turned);
	nomem("resizing a tall picture", resize_tall);
	nomem("resizing a tall turned picture", resize_tall_turned);
	nomem("resizing planes", planes_upright);
	nomem("resizing turned planes", planes_turned);
	resample_close(NULL);
	nomem("preparing an input from planes", prepare_planes);
	nomem("writing a JPEG", write_jpeg);
	nomem("writing a PNG", write_png);
	nomem("writing a PPM", write_ppm);
	nomem("cropping a picture", cut);
	buf_free(&jpeg);
	buf_free(&png);
	buf_free(&ppm);
	return done();
}
