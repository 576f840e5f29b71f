// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>

#include <jpeglib.h>

#include "pic.h"

enum {
	PROGRESSIVE = 1, ARITHMETIC = 2, RESTART = 4, APART = 8, NO_JFIF = 16,
	NO_ADOBE = 32, WIDE = 64, LETTERS = 128, EXIF_BIG = 256,
};

struct how {
	unsigned width, height;
	J_COLOR_SPACE space;	/* color space of the file */
	const char *sampling;	/* "22" "11": across and down, or NULL */
	unsigned flags;
	unsigned exif_type, orientation;	/* type 0: no EXIF */
};

static unsigned
channels(const struct how *h)
{
	return h->space == JCS_GRAYSCALE ? 1 : h->space == JCS_UNKNOWN ? 2 :
	    h->space == JCS_CMYK || h->space == JCS_YCCK ? 4 : 3;
}

static J_COLOR_SPACE
input_space(const struct how *h)
{
	switch (h->space) {
	case JCS_YCbCr: return JCS_RGB;
	case JCS_YCCK: return JCS_CMYK;
	default: return h->space;
	}
}

/* Puts every component into a scan of its own. */
static void
set_apart(struct jpeg_compress_struct *z, jpeg_scan_info *scans)
{
	for (int i = 0; i < z->num_components; i++)
		scans[i] = (jpeg_scan_info){ 1, { i }, 0, 63, 0, 0 };
	z->scan_info = scans;
	z->num_scans = z->num_components;
}

static void
set_up(struct jpeg_compress_struct *z, const struct how *h,
    jpeg_scan_info *scans)
{
	z->image_width = h->width;
	z->image_height = h->height;
	z->input_components = (int)channels(h);
	z->in_color_space = input_space(h);
	jpeg_set_defaults(z);
	jpeg_set_colorspace(z, h->space);
	jpeg_set_quality(z, h->flags & WIDE ? 1 : 85, !(h->flags & WIDE));
	for (int i = 0; h->sampling != NULL && h->sampling[2 * i] != '\0';
	    i++) {
		z->comp_info[i].h_samp_factor = h->sampling[2 * i] - '0';
		z->comp_info[i].v_samp_factor = h->sampling[2 * i + 1] - '0';
	}
	if (h->flags & LETTERS)
		for (int i = 0; i < 3; i++)
			z->comp_info[i].component_id = (uint8_t)"RGB"[i];
	if (h->flags & PROGRESSIVE)
		jpeg_simple_progression(z);
	if (h->flags & APART)
		set_apart(z, scans);
	if (h->flags & RESTART)
		z->restart_in_rows = 1;
	if (h->flags & NO_JFIF)
		z->write_JFIF_header = FALSE;
	if (h->flags & NO_ADOBE)
		z->write_Adobe_marker = FALSE;
	z->arith_code = (h->flags & ARITHMETIC) != 0;
}

static void
write_exif(struct jpeg_compress_struct *z, const struct how *h)
{
	struct buf b = { 0 };

	if (h->exif_type == 0)
		return;
	buf_add(&b, "Exif\0", 6);
	add_tiff(&b, (h->flags & EXIF_BIG) != 0, h->exif_type,
	    h->orientation);
	jpeg_write_marker(z, JPEG_APP0 + 1, (JOCTET *)b.p, (unsigned)b.n);
	buf_free(&b);
}

static void
ignore_message(j_common_ptr z)
{
	(void)z;
}

static void
make(struct buf *out, const struct pic *p)
{
	const struct how *h = p->how;
	struct jpeg_compress_struct z = { .num_components = 0 };
	struct jpeg_error_mgr errors;
	jpeg_scan_info scans[4];
	unsigned n = channels(h);
	JSAMPROW row = malloc(h->width * n);
	unsigned char *bytes = NULL;
	unsigned long size = 0;

	z.err = jpeg_std_error(&errors);
	errors.output_message = ignore_message;
	jpeg_create_compress(&z);
	jpeg_mem_dest(&z, &bytes, &size);
	set_up(&z, h, scans);
	jpeg_start_compress(&z, TRUE);
	write_exif(&z, h);
	for (unsigned y = 0; y < h->height; y++) {
		for (unsigned i = 0; i < h->width * n; i++)
			row[i] = drawn(i / n, y, i % n);
		jpeg_write_scanlines(&z, &row, 1);
	}
	jpeg_finish_compress(&z);
	jpeg_destroy_compress(&z);
	buf_add(out, bytes, size);
	free(bytes);
	free(row);
}

/* ---- Edits ------------------------------------------------------------- */

/* Returns the offset of the first marker 0xFF code.  The header before it does
 * not contain other bytes 0xFF. */
static size_t
marker(struct buf *b, unsigned code)
{
	for (size_t i = 2; i + 3 < b->n; i += 2 + (size_t)(*at(b, i + 2) << 8 |
	    *at(b, i + 3)))
		if (*at(b, i + 1) == code)
			return i;
	abort();
}

/* Returns the offset of the first scan's data. */
static size_t
data(struct buf *b)
{
	size_t i = marker(b, 0xda);

	return i + 2 + (size_t)(*at(b, i + 2) << 8 | *at(b, i + 3));
}

static void
drop(struct buf *b, unsigned code)
{
	size_t i = marker(b, code);

	cut_out(b, i, 2 + (size_t)(*at(b, i + 2) << 8 | *at(b, i + 3)));
}

static void
set_frame(struct buf *b, unsigned height, unsigned width)
{
	uint8_t *p = at(b, marker(b, 0xc0));

	p[5] = (uint8_t)(height >> 8);
	p[6] = (uint8_t)height;
	p[7] = (uint8_t)(width >> 8);
	p[8] = (uint8_t)width;
}

static void height_0(struct buf *b) { set_frame(b, 0, 33); }
static void width_0(struct buf *b) { set_frame(b, 17, 0); }
static void side_65535(struct buf *b) { set_frame(b, 17, 65535); }
static void many_pixels(struct buf *b) { set_frame(b, 40000, 40000); }
static void taller(struct buf *b) { set_frame(b, 33, 33); }
static void no_end(struct buf *b) { b->n -= 2; }
static void only_start(struct buf *b) { b->n = 3; }
static void lossless(struct buf *b) { at(b, marker(b, 0xc0))[1] = 0xc3; }
static void hierarchy(struct buf *b) { at(b, marker(b, 0xc0))[1] = 0xc5; }
static void bits_12(struct buf *b) { at(b, marker(b, 0xc0))[4] = 12; }
static void no_quant(struct buf *b) { drop(b, 0xdb); }
static void no_frame(struct buf *b) { drop(b, 0xc0); }
static void end_early(struct buf *b) { insert(b, data(b), "\xff\xd9", 2); }
static void bad_length(struct buf *b) { at(b, marker(b, 0xdb))[3] = 1; }
static void trailer(struct buf *b) { buf_puts(b, "\r\nmore\xff\xd8"); }

/* 100 million pixels in the header, without data for them. */
static void
vast(struct buf *b)
{
	uint8_t *p = at(b, marker(b, 0xc2));

	p[5] = p[7] = 10000 >> 8;
	p[6] = p[8] = 10000 & 255;
	b->n = data(b);
}

static void
no_scan(struct buf *b)
{
	insert(b, marker(b, 0xda), "\xff\xd9", 2);
}

static void
no_tables(struct buf *b)
{
	for (int i = 0; i < 4; i++)
		drop(b, 0xc4);
}

/* A code of only ones is not valid in a JPEG. */
static void
bad_code(struct buf *b)
{
	for (size_t i = 0; i < 16; i++)
		at(b, data(b) + 8)[i] = i % 2 ? 0 : 0xff;
}

static void
wrong_restart(struct buf *b)
{
	for (size_t i = data(b); i + 1 < b->n; i++)
		if (*at(b, i) == 0xff && *at(b, i + 1) == 0xd0) {
			*at(b, i + 1) = 0xd4;
			return;
		}
	abort();
}

static void
padded(struct buf *b)
{
	insert(b, b->n - 2, (const char [64]){ 0 }, 64);
}

static void
left_over(struct buf *b)
{
	insert(b, b->n - 2, (const char [100]){ 0 }, 100);
}

static void
bad_and_left_over(struct buf *b)
{
	bad_code(b);
	left_over(b);
}

/* Adds bytes after the first of several scans. */
static void
left_between(struct buf *b)
{
	size_t i = data(b);

	while (*at(b, i) != 0xff || *at(b, i + 1) == 0)
		i++;
	insert(b, i, (const char [100]){ 0 }, 100);
}

/* Keeps only the scan of the first component. */
static void
one_of_three(struct buf *b)
{
	size_t i = data(b);

	while (*at(b, i) != 0xff || *at(b, i + 1) == 0)
		i++;
	b->n = i;
	buf_puts(b, "\xff\xd9");
}

/* Repeats the last scan many times. */
static void
scans_504(struct buf *b)
{
	struct buf scan = { 0 };
	size_t i = b->n - 2;

	while (*at(b, i) != 0xff || *at(b, i + 1) != 0xda)
		i--;
	buf_add(&scan, at(b, i), b->n - 2 - i);
	for (int n = 0; n < 501; n++)
		insert(b, b->n - 2, scan.p, scan.n);
	buf_free(&scan);
}

static void
short_app1(struct buf *b)
{
	insert(b, 2, "\xff\xe1\0\1", 4);
}

/* A directory far past the end. */
static void
wild_exif(struct buf *b)
{
	memcpy(at(b, marker(b, 0xe1)) + 14, "\xff\xff\xff\xf0", 4);
}

static void
foreign_app1(struct buf *b)
{
	insert(b, 2, "\xff\xe1\0\12Exif\0x\1\2", 12);
}

/* ---- Rows -------------------------------------------------------------- */

#define HOW(...) make, &(const struct how){ .width = __VA_ARGS__ }
#define YCC HOW(33, 17, JCS_YCbCr, "221111")

const struct pic jpeg_pics[] = {
	{ "gray.jpg", NULL, HOW(33, 17, JCS_GRAYSCALE), NULL },
	{ "gray-22.jpg", NULL, HOW(33, 17, JCS_GRAYSCALE, "22"), NULL },
	{ "444.jpg", NULL, HOW(33, 17, JCS_YCbCr, "111111"), NULL },
	{ "422.jpg", NULL, HOW(33, 17, JCS_YCbCr, "211111"), NULL },
	{ "440.jpg", NULL, HOW(33, 17, JCS_YCbCr, "121111"), NULL },
	{ "420.jpg", NULL, YCC, NULL },
	{ "411.jpg", NULL, HOW(33, 17, JCS_YCbCr, "411111"), NULL },
	{ "410.jpg", NULL, HOW(33, 17, JCS_YCbCr, "421111"), NULL },
	{ "odd-sampling.jpg", NULL, HOW(33, 17, JCS_YCbCr, "222112"), NULL },
	{ "fine-chroma.jpg", NULL, HOW(33, 17, JCS_YCbCr, "112222"), NULL },
	{ "no-jfif.jpg", NULL, HOW(33, 17, JCS_YCbCr, "221111", NO_JFIF),
	  NULL },
	{ "rgb.jpg", NULL, HOW(33, 17, JCS_RGB), NULL },
	{ "rgb-letters.jpg", NULL, HOW(33, 17, JCS_RGB, NULL, NO_JFIF |
	  NO_ADOBE | LETTERS), NULL },
	{ "cmyk.jpg", NULL, HOW(33, 17, JCS_CMYK), NULL },
	{ "cmyk-plain.jpg", NULL, HOW(33, 17, JCS_CMYK, NULL, NO_ADOBE),
	  NULL },
	{ "ycck.jpg", NULL, HOW(33, 17, JCS_YCCK, "22111122"), NULL },
	{ "progressive.jpg", NULL, HOW(33, 17, JCS_YCbCr, "221111",
	  PROGRESSIVE), NULL },
	{ "progressive-gray.jpg", NULL, HOW(33, 17, JCS_GRAYSCALE, NULL,
	  PROGRESSIVE), NULL },
	{ "progressive-cmyk.jpg", NULL, HOW(33, 17, JCS_CMYK, NULL,
	  PROGRESSIVE), NULL },
	{ "arithmetic.jpg", NULL, HOW(33, 17, JCS_YCbCr, "221111",
	  ARITHMETIC), NULL },
	{ "arithmetic-progressive.jpg", NULL, HOW(33, 17, JCS_YCbCr, NULL,
	  ARITHMETIC | PROGRESSIVE), NULL },
	{ "restart.jpg", NULL, HOW(33, 65, JCS_YCbCr, "221111", RESTART),
	  NULL },
	{ "apart.jpg", NULL, HOW(33, 17, JCS_YCbCr, "221111", APART), NULL },
	{ "wide-tables.jpg", NULL, HOW(33, 17, JCS_YCbCr, NULL, WIDE), NULL },
	{ "1x1.jpg", NULL, HOW(1, 1, JCS_YCbCr), NULL },
	{ "8x8.jpg", NULL, HOW(8, 8, JCS_YCbCr), NULL },
	{ "16x16.jpg", NULL, HOW(16, 16, JCS_YCbCr), NULL },
	{ "1x99.jpg", NULL, HOW(1, 99, JCS_YCbCr), NULL },
	{ "99x1.jpg", NULL, HOW(99, 1, JCS_YCbCr), NULL },
	{ "exif-1.jpg", NULL, HOW(33, 17, JCS_YCbCr, NULL, 0, 3, 1), NULL },
	{ "exif-2.jpg", NULL, HOW(33, 17, JCS_YCbCr, NULL, 0, 3, 2), NULL },
	{ "exif-3.jpg", NULL, HOW(33, 17, JCS_YCbCr, NULL, 0, 3, 3), NULL },
	{ "exif-4.jpg", NULL, HOW(33, 17, JCS_YCbCr, NULL, 0, 3, 4), NULL },
	{ "exif-5.jpg", NULL, HOW(33, 17, JCS_YCbCr, NULL, 0, 3, 5), NULL },
	{ "exif-6.jpg", NULL, HOW(33, 17, JCS_YCbCr, NULL, 0, 3, 6), NULL },
	{ "exif-7.jpg", NULL, HOW(33, 17, JCS_YCbCr, NULL, 0, 3, 7), NULL },
	{ "exif-8.jpg", NULL, HOW(33, 17, JCS_YCbCr, NULL, 0, 3, 8), NULL },
	{ "exif-9.jpg", NULL, HOW(33, 17, JCS_YCbCr, NULL, 0, 3, 9), NULL },
	{ "exif-big-6.jpg", NULL, HOW(33, 17, JCS_YCbCr, NULL, EXIF_BIG, 3, 6),
	  NULL },
	{ "exif-long-6.jpg", NULL, HOW(33, 17, JCS_YCbCr, NULL, 0, 4, 6),
	  NULL },
	{ "exif-byte-6.jpg", NULL, HOW(33, 17, JCS_YCbCr, NULL, 0, 1, 6),
	  NULL },
	{ "exif-wild.jpg", NULL, HOW(33, 17, JCS_YCbCr, NULL, 0, 3, 6),
	  wild_exif },
	{ "exif-second.jpg", NULL, HOW(33, 17, JCS_YCbCr, NULL, 0, 3, 6),
	  foreign_app1 },
	{ "short-app1.jpg", NULL, YCC, short_app1 },
	{ "no-tables.jpg", NULL, YCC, no_tables },
	{ "padded.jpg", NULL, YCC, padded },
	{ "left-over.jpg", NULL, YCC, left_over },
	{ "left-over-progressive.jpg", NULL, HOW(33, 17, JCS_YCbCr, "221111",
	  PROGRESSIVE), left_over },
	{ "trailer.jpg", NULL, YCC, trailer },
	{ "big.jpg", NULL, HOW(4000, 3000, JCS_YCbCr, "221111"), NULL },
	{ "big-progressive.jpg", NULL, HOW(4000, 3000, JCS_YCbCr, "221111",
	  PROGRESSIVE), NULL },
	{ NULL, NULL, NULL, NULL, NULL },
};

const struct pic jpeg_damages[] = {
	{ "height-0.jpg", "JPEG: 33 x 0 pixels: nothing to see (a height in "
	  "DNL is not supported)", YCC, height_0 },
	{ "width-0.jpg", "JPEG: 0 x 17 pixels: nothing to see", YCC, width_0 },
	{ "side-65535.jpg", "JPEG: 65535 x 17 pixels: a side is longer than "
	  "65500", YCC, side_65535 },
	{ "many-pixels.jpg", "JPEG: 40000 x 40000 pixels are more than the "
	  "limit of 178956970; --max-pixels=1600000000 reads it", YCC,
	  many_pixels },
	{ "vast.jpg", "JPEG: scan 1, row 1 of 10000: cut off: the file ends "
	  "here", HOW(33, 17, JCS_YCbCr, "111111", PROGRESSIVE), vast },
	{ "taller.jpg", "JPEG: row 33 of 33: data is missing", YCC, taller },
	{ "no-end.jpg", "JPEG: row 17 of 17: cut off: the file ends here", YCC,
	  no_end },
	{ "only-start.jpg", "JPEG: cut off: the file ends here", YCC,
	  only_start },
	{ "lossless.jpg", "JPEG: lossless coding (SOF3) is not supported", YCC,
	  lossless },
	{ "hierarchy.jpg", "JPEG: hierarchical coding (SOF5) is not supported",
	  YCC, hierarchy },
	{ "12-bit.jpg", "JPEG: 12 bits a sample are not supported, only 8",
	  YCC, bits_12 },
	{ "2-channels.jpg", "JPEG: 2 colour components are not supported, only "
	  "1, 3 and 4", HOW(33, 17, JCS_UNKNOWN), NULL },
	{ "no-quant.jpg", "JPEG: row 1 of 17: quantization table 0x00 was not "
	  "defined", YCC, no_quant },
	{ "no-frame.jpg", "JPEG: invalid JPEG file structure: SOS before SOF",
	  YCC, no_frame },
	{ "no-scan.jpg", "JPEG: invalid JPEG file structure: missing SOS "
	  "marker", YCC, no_scan },
	{ "end-early.jpg", "JPEG: row 1 of 17: data is missing", YCC,
	  end_early },
	{ "bad-length.jpg", "JPEG: bogus marker length", YCC, bad_length },
	{ "bad-code.jpg", "JPEG: scan 1, row 1 of 17: bad Huffman code",
	  HOW(33, 17, JCS_YCbCr, NULL, PROGRESSIVE), bad_code },
	{ "bad-left-over.jpg", "JPEG: row 17 of 17: data is left over", YCC,
	  bad_and_left_over },
	{ "left-between.jpg", "JPEG: scan 1, row 17 of 17: data is left over",
	  HOW(33, 17, JCS_YCbCr, "221111", APART), left_between },
	{ "wrong-restart.jpg", "JPEG: row 17 of 65: a restart marker is "
	  "missing", HOW(33, 65, JCS_YCbCr, "221111", RESTART),
	  wrong_restart },
	{ "one-of-three.jpg", "JPEG: scan 1, row 17 of 17: no data of "
	  "component 1", HOW(33, 17, JCS_YCbCr, "221111", APART),
	  one_of_three },
	{ "scans-504.jpg", "JPEG: scan 501, row 1 of 17: more than 500 scans",
	  HOW(33, 17, JCS_YCbCr, NULL, APART), scans_504 },
	{ NULL, NULL, NULL, NULL, NULL },
};
