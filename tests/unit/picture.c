// SPDX-License-Identifier: Apache-2.0
/* What picture.h promises its callers; what pictures are, tests/picture.bats
 * says. */
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

#include "base/err.h"
#include "image/orient.h"
#include "image/picture.h"
#include "tap.h"

static const char ppm[] = "P6 2 3 255\nabcdefghijklmnopqr";

static struct bytes
text(const char *s)
{
	return (struct bytes){ (const uint8_t *)s, strlen(s) };
}

/* Gives some bytes, then fails as a disk does. */
static int64_t
read_bad(void *arg, void *p, size_t n, struct npu_err *err)
{
	struct bytes *b = arg;

	if (b->n == 0)
		return npu_fail(err, NPU_ESYSTEM, "Input/output error");
	if (n > b->n)
		n = b->n;
	memcpy(p, b->p, n);
	b->p += n;
	b->n -= n;
	return (int64_t)n;
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
	    "limit of 5") == 0, "6 pixels where 5 may be");
	b = text(ppm);
	picture_open(&p, source_bytes(&b), 6, NULL);
	ok(picture_shrink(p, 3, &err) == NPU_EUSAGE, "no thirds");
	ok(picture_shrink(p, 8, &err) == 0 && picture_info(p)->width == 2,
	    "a PPM stays as it is");
	ok(picture_rows(p, rows, 0, &err) == NPU_EUSAGE, "room for no row");
	ok(picture_rows(p, rows, 3, &err) == 3, "and all is well");
	picture_close(p);
}

/* A failure of the source is told as it is, before and within the picture. */
static void
test_source(void)
{
	static const size_t some[] = { 0, 1, 8, 15, 28 };
	struct bytes b;
	struct image m = { .rgb = NULL };
	struct npu_err err;

	for (size_t i = 0; i < sizeof(some) / sizeof(*some); i++) {
		b = (struct bytes){ (const uint8_t *)ppm, some[i] };
		ok(picture_read((struct source){ read_bad, &b }, 6, &m,
		    &err) == NPU_ESYSTEM && m.rgb == NULL &&
		    strcmp(err.msg, "Input/output error") == 0,
		    "a disk that fails after %zu bytes", some[i]);
	}
	b = (struct bytes){ (const uint8_t *)ppm, sizeof(ppm) - 1 };
	ok(picture_read((struct source){ read_bad, &b }, 6, &m, &err) == 0 &&
	    m.width == 2 && m.height == 3 &&
	    memcmp(m.rgb, ppm + 11, 18) == 0, "one that fails behind it");
	free(m.rgb);
}

/* ---- A JPEG ------------------------------------------------------------ */

static unsigned long
make_jpeg(unsigned char **p)
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
	size_t n = make_jpeg(&jpeg);
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

	b = (struct bytes){ jpeg, n - 1 };
	picture_open(&p, (struct source){ read_bad, &b }, 17 * 16, NULL);
	while ((n = (size_t)picture_rows(p, row, 1, &err)) == 1)
		;
	ok((int)n == NPU_ESYSTEM && strcmp(err.msg, "Input/output error") == 0,
	    "a disk that fails at the last byte");
	picture_close(p);
	free(jpeg);
}

/*
 * Where the stored picture AB / CD is seen, by the words of Exif 2.32, 4.6.4:
 * what its row 0 and its column 0 are.
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
	test_jpeg();
	test_orientations();
	return done();
}
