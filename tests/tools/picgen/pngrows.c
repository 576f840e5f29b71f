// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <zlib.h>

#include "png.h"

/*
 * Returns the offset of the first chunk of this type: length, type, data, CRC.
 */
static size_t
chunk(struct buf *b, const char *type)
{
	for (size_t i = 8; i + 12 <= b->n; i += 12 + ((size_t)*at(b, i + 2) <<
	    8 | *at(b, i + 3) | (size_t)*at(b, i + 1) << 16))
		if (memcmp(at(b, i + 4), type, 4) == 0)
			return i;
	abort();
}

static size_t
size(struct buf *b, size_t i)
{
	return (size_t)*at(b, i + 2) << 8 | *at(b, i + 3);
}

/* Corrects the CRC of a chunk after its data was changed. */
static void
mend(struct buf *b, size_t i)
{
	size_t n = size(b, i);
	struct buf crc = { 0 };

	add_big(&crc, (uint32_t)crc32(0, at(b, i + 4), (uInt)(n + 4)), 4);
	memcpy(at(b, i + 8 + n), crc.p, 4);
	buf_free(&crc);
}

/* Sets byte k of IHDR's 13 bytes to v. */
static void
set_header(struct buf *b, unsigned k, unsigned v)
{
	*at(b, 16 + k) = (uint8_t)v;
	mend(b, 8);
}

static void
drop(struct buf *b, const char *type)
{
	size_t i = chunk(b, type);

	cut_out(b, i, 12 + size(b, i));
}

static void
add_before(struct buf *b, const char *type, const char *other)
{
	struct buf c = { 0 };

	png_chunk(&c, type, "data", 4);
	insert(b, chunk(b, other), c.p, c.n);
	buf_free(&c);
}

/* Removes the last n bytes of a chunk's data. */
static void
shorten(struct buf *b, const char *type, size_t n)
{
	size_t i = chunk(b, type), k = size(b, i);

	cut_out(b, i + 8 + k - n, n);
	at(b, i)[2] = (uint8_t)((k - n) >> 8);
	at(b, i)[3] = (uint8_t)(k - n);
	mend(b, i);
}

/* Stores the pixels as one uncompressed block, in which one byte is changed. */
static void
store(struct buf *b, size_t change, unsigned v)
{
	static uint8_t raw[10000];
	uint8_t z[10100];
	uLongf n = sizeof(raw);
	size_t i = chunk(b, "IDAT");
	z_stream s = { 0 };
	struct buf c = { 0 };

	if (uncompress(raw, &n, at(b, i + 8), size(b, i)) != Z_OK)
		abort();
	raw[change] = (uint8_t)v;
	deflateInit(&s, 0);
	s.next_in = raw;
	s.avail_in = (uInt)n;
	s.next_out = z;
	s.avail_out = sizeof(z);
	deflate(&s, Z_FINISH);
	png_chunk(&c, "IDAT", z, s.total_out);
	deflateEnd(&s);
	cut_out(b, i, 12 + size(b, i));
	insert(b, i, c.p, c.n);
	buf_free(&c);
}

static void no_width(struct buf *b) { set_header(b, 3, 0); }
static void no_height(struct buf *b) { set_header(b, 7, 0); }
static void negative(struct buf *b) { set_header(b, 0, 255); }
static void wide(struct buf *b) { set_header(b, 1, 255); }
static void depth_3(struct buf *b) { set_header(b, 8, 3); }
static void colour_5(struct buf *b) { set_header(b, 9, 5); }
static void method_1(struct buf *b) { set_header(b, 10, 1); }
static void filters_1(struct buf *b) { set_header(b, 11, 1); }
static void interlace_2(struct buf *b) { set_header(b, 12, 2); }
static void no_idat(struct buf *b) { drop(b, "IDAT"); }
static void no_iend(struct buf *b) { drop(b, "IEND"); }
static void no_ihdr(struct buf *b) { drop(b, "IHDR"); }
static void no_plte(struct buf *b) { drop(b, "PLTE"); }
static void odd_plte(struct buf *b) { shorten(b, "PLTE", 1); }
static void crc_idat(struct buf *b) { at(b, b->n - 13)[0] ^= 1; }
static void crc_ihdr(struct buf *b) { at(b, 8)[12] ^= 1; }
static void crc_exif(struct buf *b) { at(b, chunk(b, "eXIf"))[20] ^= 1; }
static void crc_iend(struct buf *b) { at(b, b->n - 1)[0] ^= 1; }
static void cut_idat(struct buf *b) { shorten(b, "IDAT", 100); }
static void no_adler(struct buf *b) { shorten(b, "IDAT", 4); }
static void filter_5(struct buf *b) { store(b, 0, 5); }
static void critical(struct buf *b) { add_before(b, "CgBI", "IDAT"); }
static void ihdr_2(struct buf *b) { add_before(b, "IHDR", "IDAT"); }
static void long_chunk(struct buf *b) { at(b, chunk(b, "IDAT"))[0] = 0x7f; }
static void late_text(struct buf *b) { add_before(b, "tEXt", "IEND"); }
static void trailer(struct buf *b) { buf_puts(b, "\r\n\x89PNG more"); }
static void as_text(struct buf *b) { cut_out(b, 4, 1); }

static void
tall(struct buf *b)
{
	set_header(b, 1, 15);
	set_header(b, 5, 15);
}

/* 100 million pixels in the header, without data for them. */
static void
vast(struct buf *b)
{
	set_header(b, 2, 10000 >> 8);
	set_header(b, 3, 10000 & 255);
	set_header(b, 6, 10000 >> 8);
	set_header(b, 7, 10000 & 255);
	b->n = chunk(b, "IDAT") + 8;
}

/* The greatest width that is allowed, without data. */
static void
vast_row(struct buf *b)
{
	set_header(b, 1, 1000000 >> 16);
	set_header(b, 2, 1000000 >> 8 & 255);
	set_header(b, 3, 1000000 & 255);
	b->n = chunk(b, "IDAT") + 8;
}

static void
many_pixels(struct buf *b)
{
	set_header(b, 2, 0x40);
	set_header(b, 6, 0x40);
}

static void
bad_adler(struct buf *b)
{
	size_t i = chunk(b, "IDAT");

	at(b, i + 8)[size(b, i) - 1] ^= 1;
	mend(b, i);
}

/* Adds an empty chunk before it, which is allowed. */
static void
empty_idat(struct buf *b)
{
	struct buf c = { 0 };

	png_chunk(&c, "IDAT", NULL, 0);
	insert(b, chunk(b, "IDAT"), c.p, c.n);
	buf_free(&c);
}

#define G8 PNG(33, 17, 8, GRAY)
#define P8 PNG(33, 17, 8, PALETTE)
#define RGB8 PNG(33, 17, 8, RGB)

const struct pic png_pics[] = {
	{ "g1.png", NULL, PNG(33, 17, 1, GRAY), NULL },
	{ "g2.png", NULL, PNG(33, 17, 2, GRAY), NULL },
	{ "g4.png", NULL, PNG(33, 17, 4, GRAY), NULL },
	{ "g8.png", NULL, G8, NULL },
	{ "g8-trns.png", NULL, PNG(33, 17, 8, GRAY, 0, TRNS), NULL },
	{ "p1.png", NULL, PNG(33, 17, 1, PALETTE), NULL },
	{ "p2.png", NULL, PNG(33, 17, 2, PALETTE), NULL },
	{ "p4.png", NULL, PNG(33, 17, 4, PALETTE), NULL },
	{ "p8.png", NULL, P8, NULL },
	{ "p8-trns.png", NULL, PNG(33, 17, 8, PALETTE, 0, TRNS), NULL },
	{ "ga8.png", NULL, PNG(33, 17, 8, GRAY_ALPHA), NULL },
	{ "ga16.png", NULL, PNG(33, 17, 16, GRAY_ALPHA), NULL },
	{ "rgb8.png", NULL, RGB8, NULL },
	{ "rgb8-trns.png", NULL, PNG(33, 17, 8, RGB, 0, TRNS), NULL },
	{ "rgb8-palette.png", NULL, PNG(33, 17, 8, RGB, 0, PALETTE_TOO),
	  NULL },
	{ "rgb16.png", NULL, PNG(33, 17, 16, RGB), NULL },
	{ "rgba8.png", NULL, PNG(33, 17, 8, RGBA), NULL },
	{ "rgba16.png", NULL, PNG(33, 17, 16, RGBA), NULL },
	{ "i-g1.png", NULL, PNG(33, 17, 1, GRAY, 1), NULL },
	{ "i-p4.png", NULL, PNG(33, 17, 4, PALETTE, 1), NULL },
	{ "i-ga8.png", NULL, PNG(33, 17, 8, GRAY_ALPHA, 1), NULL },
	{ "i-rgb16.png", NULL, PNG(33, 17, 16, RGB, 1), NULL },
	{ "i-rgba8.png", NULL, PNG(33, 17, 8, RGBA, 1), NULL },
	{ "i-1x1.png", NULL, PNG(1, 1, 8, RGB, 1), NULL },
	{ "i-3x2.png", NULL, PNG(3, 2, 8, RGB, 1), NULL },
	{ "1x1.png", NULL, PNG(1, 1, 1, GRAY), NULL },
	{ "1x999.png", NULL, PNG(1, 999, 8, RGB), NULL },
	{ "999x1.png", NULL, PNG(999, 1, 8, RGB), NULL },
	{ "split.png", NULL, PNG(33, 17, 8, RGB, 0, SPLIT), NULL },
	{ "texts.png", NULL, PNG(33, 17, 8, RGB, 0, TEXTS), NULL },
	{ "unknown.png", NULL, PNG(33, 17, 8, RGB, 0, BIG_UNKNOWN), NULL },
	{ "exif-6.png", NULL, PNG(33, 17, 8, RGB, 0, EXIF_6), NULL },
	{ "raw-exif-6.png", NULL, PNG(33, 17, 8, RGB, 0, RAW_EXIF_6), NULL },
	{ "xmp-6.png", NULL, PNG(33, 17, 8, RGB, 0, XMP_6), NULL },
	{ "xmp-deflated-6.png", NULL, PNG(33, 17, 8, RGB, 0, DEFLATED_XMP_6),
	  NULL },
	{ "exif-before-raw.png", NULL, PNG(33, 17, 8, RGB, 0, EXIF_NONE |
	  RAW_EXIF_6), NULL },
	{ "exif-then-xmp.png", NULL, PNG(33, 17, 8, RGB, 0, EXIF_NONE |
	  XMP_6), NULL },
	{ "empty-idat.png", NULL, RGB8, empty_idat },
	{ "late-text.png", NULL, RGB8, late_text },
	{ "trailer.png", NULL, RGB8, trailer },
	{ "big.png", NULL, PNG(4000, 3000, 8, RGB), NULL },
	{ NULL, NULL, NULL, NULL, NULL },
};

const struct pic png_damages[] = {
	{ "no-width.png", "PNG: invalid IHDR data", RGB8, no_width },
	{ "no-height.png", "PNG: invalid IHDR data", RGB8, no_height },
	{ "negative.png", "PNG: PNG unsigned integer out of range", RGB8,
	  negative },
	{ "wide.png", "PNG: 16711713 x 17 pixels: a side is longer than "
	  "1000000", RGB8, wide },
	{ "tall.png", "PNG: 983073 x 983057 pixels are more than the limit of "
	  "178956970; --max-pixels=966416794161 reads it", RGB8, tall },
	{ "many-pixels.png", "PNG: 16417 x 16401 pixels are more than the "
	  "limit of 178956970; --max-pixels=269255217 reads it", RGB8,
	  many_pixels },
	{ "vast.png", "PNG: row 1 of 10000: cut off: the file ends here",
	  PNG(33, 17, 16, RGBA, 1), vast },
	{ "vast-row.png", "PNG: row 1 of 17: cut off: the file ends here",
	  PNG(33, 17, 16, RGBA), vast_row },
	{ "depth-3.png", "PNG: invalid IHDR data", RGB8, depth_3 },
	{ "colour-5.png", "PNG: invalid IHDR data", RGB8, colour_5 },
	{ "method-1.png", "PNG: invalid IHDR data", RGB8, method_1 },
	{ "filters-1.png", "PNG: invalid IHDR data", RGB8, filters_1 },
	{ "interlace-2.png", "PNG: invalid IHDR data", RGB8, interlace_2 },
	{ "no-idat.png", "PNG: IEND: out of place", RGB8, no_idat },
	{ "no-iend.png", "PNG: cut off: the file ends here", RGB8, no_iend },
	{ "no-ihdr.png", "PNG: IDAT: missing IHDR before IDAT", RGB8,
	  no_ihdr },
	{ "no-plte.png", "PNG: IDAT: missing PLTE before IDAT", P8, no_plte },
	{ "odd-plte.png", "PNG: PLTE: invalid", P8, odd_plte },
	{ "short-plte.png", "PNG: a pixel is not in the palette",
	  PNG(33, 17, 8, PALETTE, 0, SHORT_PALETTE), NULL },
	{ "crc-idat.png", "PNG: row 17 of 17: IDAT: CRC error", RGB8,
	  crc_idat },
	{ "crc-ihdr.png", "PNG: IHDR: CRC error", RGB8, crc_ihdr },
	{ "crc-exif.png", "PNG: eXIf: CRC error", PNG(33, 17, 8, RGB, 0,
	  EXIF_6), crc_exif },
	{ "crc-iend.png", "PNG: IEND: CRC error", RGB8, crc_iend },
	{ "cut-idat.png", "PNG: row 16 of 17: not enough image data", RGB8,
	  cut_idat },
	{ "no-adler.png", "PNG: row 17 of 17: not enough image data", RGB8,
	  no_adler },
	{ "bad-adler.png", "PNG: row 17 of 17: IDAT: incorrect data check",
	  RGB8, bad_adler },
	{ "filter-5.png", "PNG: row 1 of 17: bad adaptive filter value", RGB8,
	  filter_5 },
	{ "critical.png", "PNG: CgBI: unhandled critical chunk", RGB8,
	  critical },
	{ "ihdr-2.png", "PNG: IHDR: out of place", RGB8, ihdr_2 },
	{ "long-chunk.png", "PNG: row 1 of 17: cut off: the file ends here",
	  RGB8, long_chunk },
	{ "as-text.png", "not a JPEG, PNG or PPM picture, but a PNG whose "
	  "first bytes are spoilt", RGB8, as_text },
	{ NULL, NULL, NULL, NULL, NULL },
};
