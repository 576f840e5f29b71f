// SPDX-License-Identifier: Apache-2.0
/* The promises of picture.h to its callers; tests/cmd/img-tensor-formats.bats
 * has the formats. */
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

	ok(picture_open(&p, source_bytes(&b), 6, &err) == 0, "6 of 6 pixels");
	ok(picture_info(p)->format == PICTURE_PPM &&
	    picture_info(p)->width == 2 && picture_info(p)->height == 3 &&
	    picture_info(p)->orientation == 1, "its header");
	ok(picture_rows(p, rows, 2, &err) == 2 &&
	    memcmp(rows + 4, "def", 3) == 0 &&
	    memcmp(rows + 8, "ghi", 3) == 0, "two rows of 4 bytes a pixel");
	ok(picture_rows(p, rows, 2, &err) == 1 &&
	    memcmp(rows + 4, "pqr", 3) == 0, "the last row");
	ok(picture_rows(p, rows, 2, &err) == 0 &&
	    picture_rows(p, rows, 2, &err) == 0, "the end, again and again");
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
	    "6 pixels where 5 may be");
	b = text(ppm);
	picture_open(&p, source_bytes(&b), 6, NULL);
	ok(picture_shrink(p, 3, &err) == NPU_EUSAGE, "no thirds");
	ok(picture_shrink(p, 8, &err) == 0 && picture_info(p)->width == 2,
	    "a PPM stays as it is");
	ok(picture_rows(p, rows, 0, &err) == NPU_EUSAGE, "room for no row");
	ok(picture_rows(p, rows, 3, &err) == 3, "and all is well");
	picture_close(p);
}

/* A failure of the source is reported as it is, before and within the
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
		    "a disk that fails after %zu bytes", some[i]);
	}
	b = (struct bytes){ (const uint8_t *)ppm, sizeof(ppm) - 1 };
	ok(picture_read((struct picture_source){ read_bad, &b }, 6, &m,
	    &err) == 0 && m.width == 2 && m.height == 3 &&
	    memcmp(m.rgb, ppm + 11, 18) == 0, "one that fails behind it");
	free(m.rgb);
}

/* For each kind of text: an error wherever the disk fails. */
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
		/* The last white space may be missing. */
		ok(failed >= n - 1, "a disk that fails anywhere in a P%c: %zu",
		    texts[i][1], failed);
	}
}

/* By hand: gray of 16 bits is its upper byte, whatever the largest value. */
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
		    m.rgb[0] == row[i].first, "%.3s %zu%s%s", row[i].bytes, i,
		    row[i].says != NULL ? ": " : "",
		    row[i].says != NULL ? row[i].says : "");
		free(m.rgb);
	}
}

/* Bytes without a decoder are read in pieces. */
static void
test_bytes(void)
{
	struct bytes b = text("abc");
	struct picture_source s = source_bytes(&b);
	char p[4] = "";

	ok(s.read(s.arg, p, 2, NULL) == 2 && s.read(s.arg, p + 2, 2,
	    NULL) == 1 && s.read(s.arg, p, 2, NULL) == 0 &&
	    strcmp(p, "abc") == 0, "bytes in pieces, and their end");
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
	    "half of 17 x 16 is 9 x 8");
	ok(picture_rows(p, row, 1, &err) == 1, "a row");
	ok(picture_shrink(p, 2, &err) == NPU_EUSAGE, "too late to shrink");
	ok(picture_rows(p, row, 1, &err) == NPU_EUSAGE, "and that was it");
	picture_close(p);

	b = (struct bytes){ jpeg, n };
	picture_open(&p, source_bytes(&b), 17 * 16, NULL);
	while (picture_rows(p, row, 1, &err) == 1)
		;
	ok(picture_rows(p, row, 1, &err) == 0, "the end, again");
	picture_close(p);

	b = (struct bytes){ jpeg, n - 1 };
	picture_open(&p, (struct picture_source){ read_bad, &b }, 17 * 16,
	    NULL);
	while ((n = (size_t)picture_rows(p, row, 1, &err)) == 1)
		;
	ok((int)n == NPU_ESYSTEM && strcmp(err.msg, "Input/output error") == 0,
	    "a disk that fails at the last byte");
	picture_close(p);
	free(jpeg);
}

/* Where the marker 0xFF code is first, from at on. */
static size_t
find(const struct buf *b, size_t at, uint8_t code)
{
	while ((uint8_t)b->p[at] != 0xff || (uint8_t)b->p[at + 1] != code)
		at++;
	return at;
}

/* The same with n bytes of p before at. */
static void
insert(const struct buf *from, size_t at, const void *p, size_t n,
    struct buf *to)
{
	buf_clear(to);
	buf_add(to, from->p, at);
	buf_add(to, p, n);
	buf_add(to, from->p + at, from->n - at);
}

/* Its orientation, once all its rows were read. */
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

/* "II", a directory of one entry: orientation, SHORT, one of them: 6. */
#define EXIF "\xff\xe1\0\x22" "Exif\0\0II*\0\x08\0\0\0\1\0\x12\1\3\0" \
    "\1\0\0\0\6\0\0\0"

/* Segments that a JPEG may have, in places where they are allowed. */
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
	is(&b, 6, NULL, "EXIF at the beginning");
	insert(&plain, 2, xmp, sizeof(xmp) - 1, &b);
	is(&b, 1, NULL, "an APP1 that is none");
	scan = find(&plain, find(&plain, 2, 0xda) + 2, 0xda);
	insert(&plain, scan, exif, sizeof(exif) - 1, &b);
	is(&b, 1, NULL, "EXIF after the first scan is too late");
	buf_clear(&b);
	buf_add(&b, "\xff\xd8\xff\xd9", 4);
	is(&b, 0, "JPEG: no picture in it", "nothing between begin and end");
	insert(&plain, 0, "", 0, &b);
	b.p[find(&b, 2, 0xc2) + 1] = (char)0xc8;
	is(&b, 0, "JPEG: unknown coding (SOF8) is not supported",
	    "a frame of the future");
	buf_free(&plain);
	buf_free(&b);
}

/* Faults that libjpeg describes tersely. */
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
	is(&b, 1, NULL, "arithmetic coding");
	buf_free(&b);
	errors.msg_code = JWRN_ARITH_BAD_CODE;
	jpeg_text(&z, says, sizeof(says));
	ok(strcmp(says, "bad arithmetic code") == 0, "damaged: %s", says);
}

/* The more pixels, the fewer scans are read: its header is enough. */
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
		    picture_info(p)->height == side, "%u x %u pixels", side,
		    side);
		picture_close(p);
	}
	buf_free(&b);
}

/*
 * Where the stored picture AB / CD is seen, as defined in Exif 2.32, 4.6.4:
 * which sides its row 0 and its column 0 are.
 */
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
		    "%d: row 0 is the %s, column 0 the %s", i,
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
