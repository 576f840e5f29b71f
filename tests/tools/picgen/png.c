// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <zlib.h>

#include "png.h"

void
png_chunk(struct buf *out, const char *type, const void *p, size_t n)
{
	size_t start = out->n + 4;

	add_big(out, (uint32_t)n, 4);
	buf_add(out, type, 4);
	buf_add(out, p, n);
	add_big(out, (uint32_t)crc32(0, at(out, start), (uInt)(n + 4)), 4);
}

static unsigned
channels(const struct png_how *h)
{
	static const uint8_t n[] = { [GRAY] = 1, [RGB] = 3, [PALETTE] = 1,
	    [GRAY_ALPHA] = 2, [RGBA] = 4 };

	return n[h->colour];
}

/* ---- Pixels ------------------------------------------------------------ */

static unsigned
value(const struct png_how *h, unsigned x, unsigned y, unsigned c)
{
	if (h->depth == 16)
		return (unsigned)drawn(x, y, c) << 8 | drawn(y + 3, x, c);
	return drawn(x, y, c) >> (8 - h->depth);
}

/* Adds pixels x0, x0 + dx, ... of row y. */
static void
add_row(struct buf *b, const struct png_how *h, unsigned x0, unsigned dx,
    unsigned y)
{
	unsigned bits = 0, n = 0;

	for (unsigned x = x0; x < h->width; x += dx)
		for (unsigned c = 0; c < channels(h); c++) {
			bits = bits << h->depth | value(h, x, y, c);
			n += h->depth;
			if (n % 8 == 0) {
				add_big(b, bits, n / 8);
				bits = n = 0;
			}
		}
	if (n > 0)
		add_byte(b, bits << (8 - n));
}

static unsigned
paeth(int a, int b, int c)
{
	int p = a + b - c, pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);

	return (unsigned)(pa <= pb && pa <= pc ? a : pb <= pc ? b : c);
}

/* Adds the row row[0..n), filtered by type; above[0..n) is the row above it. */
static void
add_filtered(struct buf *b, unsigned type, const uint8_t *row,
    const uint8_t *above, size_t n, size_t pixel)
{
	unsigned left, up, corner, guess;

	add_byte(b, type);
	for (size_t i = 0; i < n; i++) {
		left = i < pixel ? 0 : row[i - pixel];
		up = above[i];
		corner = i < pixel ? 0 : above[i - pixel];
		guess = type == 1 ? left : type == 2 ? up :
		    type == 3 ? (left + up) / 2 : type == 4 ?
		    paeth((int)left, (int)up, (int)corner) : 0;
		add_byte(b, row[i] - guess);
	}
}

/*
 * Adds every dx'th pixel of every dy'th row, and uses all five filters in turn.
 */
static void
add_pass(struct buf *b, const struct png_how *h, unsigned x0, unsigned dx,
    unsigned y0, unsigned dy)
{
	struct buf row = { 0 };
	size_t pixel = (h->depth * channels(h) + 7) / 8;
	uint8_t *above = calloc(h->width, 8);
	unsigned type = 0;

	if (above == NULL)
		abort();
	for (unsigned y = y0; y < h->height && x0 < h->width; y += dy) {
		buf_clear(&row);
		add_row(&row, h, x0, dx, y);
		add_filtered(b, type++ % 5, (uint8_t *)row.p, above, row.n,
		    pixel);
		memcpy(above, row.p, row.n);
	}
	free(above);
	buf_free(&row);
}

static void
add_pixels(struct buf *b, const struct png_how *h)
{
	/* PNG 1.2, 2.6 */
	static const struct {
		uint8_t x0, dx, y0, dy;
	} adam7[] = {
		{ 0, 8, 0, 8 }, { 4, 8, 0, 8 }, { 0, 4, 4, 8 }, { 2, 4, 0, 4 },
		{ 0, 2, 2, 4 }, { 1, 2, 0, 2 }, { 0, 1, 1, 2 },
	};

	if (!h->interlace)
		add_pass(b, h, 0, 1, 0, 1);
	for (unsigned i = 0; h->interlace && i < 7; i++)
		add_pass(b, h, adam7[i].x0, adam7[i].dx, adam7[i].y0,
		    adam7[i].dy);
}

static void
add_deflated(struct buf *out, const void *p, size_t n)
{
	uLongf size = compressBound(n);

	compress(buf_reserve(out, size), &size, p, n);
	out->n += size;
}

static void
add_data(struct buf *out, const struct png_how *h)
{
	struct buf raw = { 0 }, z = { 0 };
	size_t step;

	add_pixels(&raw, h);
	add_deflated(&z, raw.p, raw.n);
	step = h->extra & SPLIT ? 7 : z.n;
	for (size_t i = 0; i < z.n; i += step)
		png_chunk(out, "IDAT", z.p + i,
		    z.n - i < step ? z.n - i : step);
	buf_free(&raw);
	buf_free(&z);
}

/* ---- Other chunks ------------------------------------------------------ */

static void
add_palette(struct buf *out, const struct png_how *h)
{
	unsigned n = h->depth > 8 ? 256 : 1u << h->depth;
	uint8_t p[256 * 3];

	for (unsigned i = 0; i < n; i++) {
		p[3 * i] = (uint8_t)(i * 251 + 20);
		p[3 * i + 1] = (uint8_t)(i * 3);
		p[3 * i + 2] = (uint8_t)(255 - i);
	}
	if (h->extra & SHORT_PALETTE)
		n = 3;
	png_chunk(out, "PLTE", p, n * 3);
}

static const char xmp[] = "<x tiff:Orientation='3' "
    "tiff:Orientation=\"6\" tiff:Orientation=\"3\"/>";

static void
add_raw_exif(struct buf *out)
{
	static const char head[] = "Raw profile type exif\0\nexif\n      68\n";
	struct buf tiff = { 0 }, b = { 0 };

	add_tiff(&tiff, true, 3, 6);
	buf_add(&b, head, sizeof(head) - 1);
	buf_puts(&b, "457869660000");
	for (size_t i = 0; i < tiff.n; i++)
		buf_printf(&b, i % 36 == 35 ? "%02X\n" : "%02x",
		    *at(&tiff, i));
	png_chunk(out, "tEXt", b.p, b.n);
	buf_free(&tiff);
	buf_free(&b);
}

static void
add_xmp(struct buf *out, bool deflated)
{
	struct buf b = { 0 };

	buf_add(&b, "XML:com.adobe.xmp", 18);
	add_byte(&b, deflated);
	buf_add(&b, "\0\0", 3);
	if (deflated)
		add_deflated(&b, xmp, sizeof(xmp) - 1);
	else
		buf_puts(&b, xmp);
	png_chunk(out, "iTXt", b.p, b.n);
	buf_free(&b);
}

static void
add_exif(struct buf *out, unsigned orientation)
{
	struct buf b = { 0 };

	add_tiff(&b, false, 3, orientation);
	if (orientation == 0)
		(*at(&b, 22))++;	/* another tag */
	png_chunk(out, "eXIf", b.p, b.n);
	buf_free(&b);
}

static void
add_texts(struct buf *out)
{
	struct buf b = { 0 };
	static char zeros[100000];

	buf_add(&b, "Comment\0", 9);
	add_deflated(&b, zeros, sizeof(zeros));
	png_chunk(out, "zTXt", b.p, b.n);
	png_chunk(out, "tEXt", "Title\0A \n drawing", 17);
	png_chunk(out, "iTXt", "no NUL", 6);
	png_chunk(out, "gAMA", "\0\0\xb1\x8f", 4);
	buf_free(&b);
}

static void
add_extras(struct buf *out, const struct png_how *h)
{
	static uint8_t unknown[300000];
	static const uint8_t trns[256] = { 0, 1, 0, 2, 0, 3 };

	if (h->extra & EXIF_6)
		add_exif(out, 6);
	if (h->extra & EXIF_NONE)
		add_exif(out, 0);
	if (h->extra & RAW_EXIF_6)
		add_raw_exif(out);
	if (h->extra & (XMP_6 | DEFLATED_XMP_6))
		add_xmp(out, (h->extra & DEFLATED_XMP_6) != 0);
	if (h->extra & TEXTS)
		add_texts(out);
	if (h->extra & BIG_UNKNOWN)
		png_chunk(out, "juNk", unknown, sizeof(unknown));
	if (h->colour == PALETTE || h->extra & PALETTE_TOO)
		add_palette(out, h);
	if (h->extra & TRNS)
		png_chunk(out, "tRNS", trns, h->colour == GRAY ? 2 :
		    h->colour == RGB ? 6 : 2);
}

void
png_make(struct buf *out, const struct pic *p)
{
	const struct png_how *h = p->how;
	uint8_t ihdr[13] = { 0, 0, (uint8_t)(h->width >> 8),
	    (uint8_t)h->width, 0, 0, (uint8_t)(h->height >> 8),
	    (uint8_t)h->height, (uint8_t)h->depth, (uint8_t)h->colour, 0, 0,
	    (uint8_t)h->interlace };

	buf_add(out, "\x89PNG\r\n\x1a\n", 8);
	png_chunk(out, "IHDR", ihdr, sizeof(ihdr));
	add_extras(out, h);
	add_data(out, h);
	png_chunk(out, "IEND", NULL, 0);
}
