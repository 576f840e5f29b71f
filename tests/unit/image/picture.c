// SPDX-License-Identifier: Apache-2.0
/* What picture.h promises to callers.  tests/cmd/img-tensor-formats.bats tests
 * the formats. */
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>
#include <jerror.h>

#include "base/buf.h"
#include "base/err.h"
#include "image/jpeg_text.h"
#include "image/orient.h"
#include "image/picture.h"
#include "pieces.h"
#include "tap.h"

static const char ppm[] = "P6 2 3 255\nabcdefghijklmnopqr";

static struct bytes
text(const char *s)
{
	return (struct bytes){ (const uint8_t *)s, strlen(s) };
}

static void
test_rows(void)
{
	struct bytes b = text(ppm);
	struct picture *p = NULL;
	uint8_t rows[2 * 4 * 3];
	struct npu_err err;

	ok(picture_open(&p, source_bytes(&b), 6, &err) == 0,
	    "a picture with as many pixels as the limit is opened");
	ok(picture_info(p)->format == PICTURE_PPM &&
	    picture_info(p)->width == 2 && picture_info(p)->height == 3 &&
	    picture_info(p)->orientation == 1,
	    "picture_info() returns format, size and orientation");
	ok(picture_rows(p, rows, 2, &err) == 2 &&
	    memcmp(rows + 4, "def", 3) == 0 &&
	    memcmp(rows + 8, "ghi", 3) == 0, "picture_rows() returns two rows "
	    "with 4 bytes for each pixel");
	ok(picture_rows(p, rows, 2, &err) == 1 &&
	    memcmp(rows + 4, "pqr", 3) == 0, "picture_rows() returns the last "
	    "row");
	ok(picture_rows(p, rows, 2, &err) == 0 &&
	    picture_rows(p, rows, 2, &err) == 0,
	    "after the last row, picture_rows() returns 0 each time");
	picture_close(p);
	picture_close(NULL);
}

static void
test_misuse(void)
{
	struct bytes b = text(ppm);
	struct picture *p = NULL;
	uint8_t rows[2 * 4 * 3];
	struct npu_err err;

	ok(picture_open(&p, source_bytes(&b), 5, &err) == NPU_EFORMAT &&
	    p == NULL && strcmp(err.msg, "PPM: 2 x 3 pixels are more than the "
	    "limit of 5; --max-pixels=6 reads it") == 0,
	    "a picture with more pixels than the limit is refused");
	b = text(ppm);
	picture_open(&p, source_bytes(&b), 6, NULL);
	ok(picture_shrink(p, 3, &err) == NPU_EUSAGE,
	    "picture_shrink() refuses the factor 3");
	ok(picture_shrink(p, 8, &err) == 0 && picture_info(p)->width == 2,
	    "picture_shrink() does not change the size of a PPM");
	ok(picture_rows(p, rows, 0, &err) == NPU_EUSAGE,
	    "picture_rows() refuses a buffer for 0 rows");
	ok(picture_rows(p, rows, 3, &err) == 3,
	    "after refused calls, all rows can be read");
	picture_close(p);
}

/* An error of the source is passed on unchanged, before and within the
 * picture. */
static void
test_source(void)
{
	static const size_t some[] = { 0, 1, 8, 15, 28 };
	struct bytes b;
	struct image m = { .rgb = NULL };
	struct npu_err err;

	for (size_t i = 0; i < sizeof(some) / sizeof(*some); i++) {
		b = (struct bytes){ (const uint8_t *)ppm, some[i] };
		ok(picture_read((struct picture_source){ read_bad, &b }, 6, &m,
		    &err) == NPU_ESYSTEM && m.rgb == NULL &&
		    strcmp(err.msg, "Input/output error") == 0,
		    "a read error after %zu bytes is passed on", some[i]);
	}
	b = (struct bytes){ (const uint8_t *)ppm, sizeof(ppm) - 1 };
	ok(picture_read((struct picture_source){ read_bad, &b }, 6, &m,
	    &err) == 0 && m.width == 2 && m.height == 3 &&
	    memcmp(m.rgb, ppm + 11, 18) == 0,
	    "a read error behind the picture is not noticed");
	free(m.rgb);
}

/* For each kind of text, a read error anywhere is reported. */
static void
test_text(void)
{
	static const char *const texts[] = { "P3 1 1 9\n# \n1 2 3 ",
	    "P1 2 1\n0#\n1 ", "P5#\n1 1 9\na" };
	struct bytes b;
	struct image m;
	struct npu_err err;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		size_t failed = 0, n = strlen(texts[i]);

		for (size_t k = 0; k < n; k++) {
			b = (struct bytes){ (const uint8_t *)texts[i], k };
			failed += picture_read(
			    (struct picture_source){ read_bad, &b }, 9, &m,
			    &err) == NPU_ESYSTEM;
		}
		/* The white space at the end may be missing. */
		ok(failed >= n - 1,
		    "a read error anywhere in a P%c is reported: %zu",
		    texts[i][1], failed);
	}
}

/* Calculated by hand: the upper byte of a grey value of 16 bits counts, for
 * every maximum value. */
static void
test_ppm(void)
{
	static const struct {
		const char *bytes, *says;
		size_t n;
		uint8_t first;
	} row[] = {
#define PPM(s, says, first) { s, says, sizeof(s) - 1, first }
		PPM("P5 1 1 65535\n\x12\x34", NULL, 0x12),
		PPM("P2 1 1 65535 4660", NULL, 0x12),
		PPM("P5 1 1 255\n\x12", NULL, 0x12),
		PPM("P6 1 0 255\n", "1 x 0 pixels: nothing to see", 0),
		PPM("P6 1 9999999 255\n", "1 x 9999999 pixels: a side is "
		    "longer than", 0),
		PPM("P0 1 1 255\na", "not a JPEG, PNG or PPM picture", 0),
#undef PPM
	};
	struct npu_err err;

	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct bytes b = { (const uint8_t *)row[i].bytes, row[i].n };
		struct image m = { .rgb = NULL };
		int rc = picture_read(source_bytes(&b), 9, &m, &err);

		ok(row[i].says != NULL ? rc == NPU_EFORMAT &&
		    strstr(err.msg, row[i].says) != NULL : rc == 0 &&
		    m.rgb[0] == row[i].first, "picture %.3s(row %zu) is read "
		    "or refused%s%s", row[i].bytes, i,
		    row[i].says != NULL ? ": " : "",
		    row[i].says != NULL ? row[i].says : "");
		free(m.rgb);
	}
}

/* source_bytes() can also be read without a decoder, in pieces. */
static void
test_bytes(void)
{
	struct bytes b = text("abc");
	struct picture_source s = source_bytes(&b);
	char p[4] = "";

	ok(s.read(s.arg, p, 2, NULL) == 2 && s.read(s.arg, p + 2, 2,
	    NULL) == 1 && s.read(s.arg, p, 2, NULL) == 0 &&
	    strcmp(p, "abc") == 0, "source_bytes() returns the bytes in "
	    "pieces, then 0");
}

/* ---- A JPEG ------------------------------------------------------------ */

static unsigned long
make_jpeg(unsigned char **p, bool progressive, bool arithmetic)
{
	struct jpeg_compress_struct z = { .image_width = 0 };
	struct jpeg_error_mgr errors;
	uint8_t row[17] = { 0, 255 };
	JSAMPROW at = row;
	unsigned long n = 0;

	z.err = jpeg_std_error(&errors);
	jpeg_create_compress(&z);
	jpeg_mem_dest(&z, p, &n);
	z.image_width = 17;
	z.image_height = 16;
	z.input_components = 1;
	z.in_color_space = JCS_GRAYSCALE;
	jpeg_set_defaults(&z);
	if (progressive)
		jpeg_simple_progression(&z);
	z.arith_code = arithmetic;
	jpeg_start_compress(&z, TRUE);
	while (z.next_scanline < z.image_height)
		jpeg_write_scanlines(&z, &at, 1);
	jpeg_finish_compress(&z);
	jpeg_destroy_compress(&z);
	return n;
}

static void
test_jpeg(void)
{
	unsigned char *jpeg = NULL;
	size_t n = make_jpeg(&jpeg, false, false);
	struct bytes b = { jpeg, n };
	struct picture *p = NULL;
	struct npu_err err;
	uint8_t row[17 * 4];

	ok(picture_open(&p, source_bytes(&b), 17 * 16, &err) == 0 &&
	    picture_shrink(p, 2, &err) == 0 &&
	    picture_info(p)->width == 9 && picture_info(p)->height == 8,
	    "a JPEG of 17 x 16 pixels is shrunk to 9 x 8");
	ok(picture_rows(p, row, 1, &err) == 1,
	    "picture_rows() returns a row of a shrunk JPEG");
	ok(picture_shrink(p, 2, &err) == NPU_EUSAGE,
	    "after the first row, a JPEG cannot be shrunk");
	ok(picture_rows(p, row, 1, &err) == NPU_EUSAGE,
	    "after a refused picture_shrink(), reading fails");
	picture_close(p);

	b = (struct bytes){ jpeg, n };
	picture_open(&p, source_bytes(&b), 17 * 16, NULL);
	while (picture_rows(p, row, 1, &err) == 1)
		;
	ok(picture_rows(p, row, 1, &err) == 0,
	    "after the last row of a JPEG, picture_rows() returns 0");
	picture_close(p);

	b = (struct bytes){ jpeg, n - 1 };
	picture_open(&p, (struct picture_source){ read_bad, &b }, 17 * 16,
	    NULL);
	while ((n = (size_t)picture_rows(p, row, 1, &err)) == 1)
		;
	ok((int)n == NPU_ESYSTEM && strcmp(err.msg, "Input/output error") == 0,
	    "a read error at the last byte of a JPEG is passed on");
	picture_close(p);
	free(jpeg);
}

/* Returns the first position of the marker 0xFF code, from 'at' on. */
static size_t
find(const struct buf *b, size_t at, uint8_t code)
{
	while ((uint8_t)b->p[at] != 0xff || (uint8_t)b->p[at + 1] != code)
		at++;
	return at;
}

/* Copies *from to *to and inserts the n bytes of p at position 'at'. */
static void
insert(const struct buf *from, size_t at, const void *p, size_t n,
    struct buf *to)
{
	buf_clear(to);
	buf_add(to, from->p, at);
	buf_add(to, p, n);
	buf_add(to, from->p + at, from->n - at);
}

/* Reads all rows and returns the orientation. */
static int
read_all(const struct buf *b, struct npu_err *err)
{
	struct bytes left = { (const uint8_t *)b->p, b->n };
	uint8_t row[17 * 4];
	struct picture *p;
	int rc = picture_open(&p, source_bytes(&left), UINT64_MAX, err), o;

	if (rc < 0)
		return rc;
	o = picture_info(p)->orientation;
	while ((rc = picture_rows(p, row, 1, err)) > 0)
		;
	picture_close(p);
	return rc < 0 ? rc : o;
}

static void
is(const struct buf *b, uint8_t orientation, const char *says,
    const char *what)
{
	struct npu_err err = { .msg = "" };
	int rc = read_all(b, &err);

	if (!ok(says != NULL ? rc == NPU_EFORMAT && strcmp(err.msg, says) ==
	    0 : rc == orientation, "%s", what))
		diag("%d %s", rc, err.msg);
}

/* The bytes II and a directory with one entry: orientation, type SHORT, count
 * 1, value 6. */
#define EXIF "\xff\xe1\0\x22" "Exif\0\0II*\0\x08\0\0\0\1\0\x12\1\3\0" \
    "\1\0\0\0\6\0\0\0"

/* Inserts segments into a JPEG in places where they are allowed. */
static void
test_segments(void)
{
	static const char exif[] = EXIF, xmp[] = "\xff\xe1\0\x0cXMP data!!";
	unsigned char *jpeg = NULL;
	size_t n = make_jpeg(&jpeg, true, false), scan;
	struct buf plain = { 0 }, b = { 0 };

	buf_add(&plain, jpeg, n);
	free(jpeg);
	insert(&plain, 2, exif, sizeof(exif) - 1, &b);
	is(&b, 6, NULL, "EXIF at the beginning of a JPEG is read");
	insert(&plain, 2, xmp, sizeof(xmp) - 1, &b);
	is(&b, 1, NULL, "a segment APP1 without EXIF is skipped");
	scan = find(&plain, find(&plain, 2, 0xda) + 2, 0xda);
	insert(&plain, scan, exif, sizeof(exif) - 1, &b);
	is(&b, 1, NULL, "EXIF after the first scan is ignored");
	buf_clear(&b);
	buf_add(&b, "\xff\xd8\xff\xd9", 4);
	is(&b, 0, "JPEG: no picture in it", "a JPEG without anything between "
	    "begin and end is refused");
	insert(&plain, 0, "", 0, &b);
	b.p[find(&b, 2, 0xc2) + 1] = (char)0xc8;
	is(&b, 0, "JPEG: unknown coding (SOF8) is not supported",
	    "a JPEG with an unknown coding is refused");
	buf_free(&plain);
	buf_free(&b);
}

/* Errors for which libjpeg has only terse messages. */
static void
test_arithmetic(void)
{
	struct jpeg_error_mgr errors;
	struct jpeg_decompress_struct z = { .err = jpeg_std_error(&errors) };
	unsigned char *jpeg = NULL;
	size_t n = make_jpeg(&jpeg, false, true);
	struct buf b = { 0 };
	char says[100];

	buf_add(&b, jpeg, n);
	free(jpeg);
	is(&b, 1, NULL, "a JPEG with arithmetic coding is read");
	buf_free(&b);
	errors.msg_code = JWRN_ARITH_BAD_CODE;
	jpeg_text(&z, says, sizeof(says));
	ok(strcmp(says, "bad arithmetic code") == 0, "damaged arithmetic "
	    "coding has a message: %s", says);
}

/* The more pixels a JPEG has, the fewer scans are read.  The header is enough
 * for this test. */
static void
test_large(void)
{
	unsigned char *jpeg = NULL;
	size_t n = make_jpeg(&jpeg, false, false);
	struct buf b = { 0 };
	struct bytes left;
	struct picture *p;
	uint8_t *frame;

	buf_add(&b, jpeg, n);
	free(jpeg);
	frame = (uint8_t *)b.p + find(&b, 2, 0xc0);
	for (uint32_t side = 4000; side <= 20000; side *= 5) {
		frame[5] = frame[7] = (uint8_t)(side >> 8);
		frame[6] = frame[8] = (uint8_t)side;
		left = (struct bytes){ (const uint8_t *)b.p, b.n };
		ok(picture_open(&p, source_bytes(&left), 400000000, NULL) ==
		    0 && picture_info(p)->width == side &&
		    picture_info(p)->height == side,
		    "the header of a JPEG with %u x %u pixels is read", side,
		    side);
		picture_close(p);
	}
	buf_free(&b);
}

/* The upright picture for the stored picture AB / CD, as defined in Exif 2.32,
 * 4.6.4, by the sides on which row 0 and column 0 are seen. */
static void
test_orientations(void)
{
	static const struct {
		const char *row_0, *column_0, *upright;
	} want[] = {
		{ "top", "left", "ABCD" }, { "top", "right", "BADC" },
		{ "bottom", "right", "DCBA" }, { "bottom", "left", "CDAB" },
		{ "left", "top", "ACBD" }, { "right", "top", "CADB" },
		{ "right", "bottom", "DBCA" }, { "left", "bottom", "BDAC" },
	};
	char seen[5];

	for (uint8_t i = 1; i <= 8; i++) {
		struct orient o = orient(i);

		memset(seen, 0, sizeof(seen));
		for (int k = 0; k < 4; k++) {
			int x = (k & 1) ^ o.flip_x, y = k >> 1 ^ o.flip_y;

			seen[o.swap ? 2 * x + y : 2 * y + x] = "ABCD"[k];
		}
		ok(strcmp(seen, want[i - 1].upright) == 0,
		    "orientation %d: row 0 is the %s, column 0 the %s", i,
		    want[i - 1].row_0, want[i - 1].column_0);
	}
}

int
main(void)
{
	test_rows();
	test_misuse();
	test_source();
	test_text();
	test_ppm();
	test_bytes();
	test_jpeg();
	test_segments();
	test_arithmetic();
	test_large();
	test_orientations();
	return done();
}
