// SPDX-License-Identifier: Apache-2.0
/*
 * Finds the orientation in the chunks of a PNG.  PNG 1.2, 4.2.3, defines how
 * texts are stored.  The digits have ImageMagick's form, whose lines Pillow
 * reads.
 */
#include <stdlib.h>
#include <zlib.h>

#include "base/buf.h"
#include "image/pngorient.h"
#include "tap.h"

/* The bytes II and a directory with one entry: orientation, type SHORT, count
 * 1, value 6. */
#define HEX "49492a0008000000010012010300010000000600000000000000"
#define RAW "Raw profile type exif\0"
#define XMP "XML:com.adobe.xmp\0"
#define SIX "tiff:Orientation=\"6\""

static void
add_chunk(struct buf *b, const char *type, const void *p, size_t n)
{
	const uint8_t size[] = { (uint8_t)(n >> 24), (uint8_t)(n >> 16),
	    (uint8_t)(n >> 8), (uint8_t)n };

	buf_add(b, size, 4);
	buf_add(b, type, 4);
	buf_add(b, p, n);
	buf_add(b, "crc!", 4);
}

/* Returns the orientation in the chunks of b, which arrive in pieces of step
 * bytes. */
static uint8_t
said_in(const struct buf *b, size_t step)
{
	struct png_orient o = { .failed = false };
	uint8_t orientation;

	for (size_t at = 0; at < b->n; at += step)
		png_orient_feed(&o, (struct bytes){ (const uint8_t *)b->p + at,
		    b->n - at < step ? b->n - at : step });
	orientation = o.failed ? 0 : png_orient_get(&o);
	png_orient_free(&o);
	return orientation;
}

static const struct {
	const char *what, *type, *data;
	size_t n;
	uint8_t want;
} chunks[] = {
#define CHUNK(what, type, data, want) { what, type, data, sizeof(data) - 1, \
    want }
	CHUNK("a chunk with EXIF",
	    "eXIf", "II*\0\x08\0\0\0\1\0\x12\1\3\0\1\0\0\0\6\0\0\0",
	    6),
	CHUNK("an empty chunk for EXIF", "eXIf", "", 1),
	CHUNK("EXIF in hexadecimal digits", "tEXt", RAW "\nexif\n26\n" HEX, 6),
	CHUNK("digits in several lines",
	    "tEXt", RAW "\nexif\n26\n4949\n2a0\n0 08000000"
	    "010012010300010000000600000000000000\n", 6),
	CHUNK("white space between pairs of digits",
	    "tEXt", RAW "\nexif\n26\n49\t49 2a"
	    "\v00\f08\r000000010012010300010000000600000000000000", 6),
	CHUNK("white space within a pair of digits",
	    "tEXt", RAW "\nexif\n26\n4 9"
	    "492a0008000000010012010300010000000600000000000000", 1),
	CHUNK("digits after Exif and two zeros", "tEXt", RAW "\nexif\n32\n"
	    "457869660000" HEX, 6),
	CHUNK("digits in upper case",
	    "tEXt", RAW "\nexif\n26\n49492A00080000000100"
	    "12010300010000000600000000000000", 6),
	CHUNK("a letter that is not a digit", "tEXt", RAW "\nexif\n26\n4g" HEX,
	    1),
	CHUNK("a ':' among the digits", "tEXt", RAW "\nexif\n26\n4:" HEX, 1),
	CHUNK("a '!' among the digits", "tEXt", RAW "\nexif\n26\n4!" HEX,
	    1),
	CHUNK("a control character among the digits",
	    "tEXt", RAW "\nexif\n26\n\1" HEX, 1),
	CHUNK("half a pair of digits at the end",
	    "tEXt", RAW "\nexif\n26\n" HEX "0",
	    1),
	CHUNK("a profile without digits", "tEXt", RAW "\nexif\n0\n", 1),
	CHUNK("a profile of five bytes",
	    "tEXt", RAW "\nexif\n5\n49492a0008", 1),
	CHUNK("a profile that ends after its second line",
	    "tEXt", RAW "\nexif\n26", 1),
	CHUNK("a profile without text", "tEXt", RAW, 1),
	CHUNK("a key without an end", "tEXt", "Raw profile type exif", 1),
	CHUNK("an empty chunk of text", "tEXt", "", 1),
	CHUNK("a text with another key", "tEXt", "Comment\0" SIX, 1),
	CHUNK("a key that differs from XMP's in one letter",
	    "tEXt", "XML:com.adobe.xmq\0" SIX, 1),
	CHUNK("an attribute in XMP", "tEXt", XMP "<x " SIX "/>", 6),
	CHUNK("an attribute at the end of the text",
	    "tEXt", XMP "tiff:Orientation=\"6", 6),
	CHUNK("an element in XMP", "tEXt", XMP "<tiff:Orientation>8<", 8),
	CHUNK("an element at the end", "tEXt", XMP "<tiff:Orientation>8", 8),
	CHUNK("an attribute without a digit",
	    "tEXt", XMP "tiff:Orientation=\"x\"", 1),
	CHUNK("an attribute with a character below the digits",
	    "tEXt", XMP "tiff:Orientation=\"!\"", 1),
	CHUNK("the digit 0", "tEXt", XMP "tiff:Orientation=\"0\" " SIX, 1),
	CHUNK("the digit 9", "tEXt", XMP "tiff:Orientation=\"9\" " SIX, 1),
	CHUNK("the first attribute that has a digit", "tEXt", XMP
	    "tiff:Orientation='3' tiff:Orientation=\"x\" " SIX, 6),
	CHUNK("an attribute that ends at its quote",
	    "tEXt", XMP "tiff:Orientation=\"", 1),
	CHUNK("XMP without an orientation", "tEXt", XMP "<x/>", 1),
	CHUNK("text in UTF-8", "iTXt", XMP "\0\0\0\0" SIX, 6),
	CHUNK("a text with a language and a translated key",
	    "iTXt", XMP "\0\0en\0key\0" SIX, 6),
	CHUNK("a language that is not UTF-8",
	    "iTXt", XMP "\0\0\xff\0\0" SIX, 1),
	CHUNK("a translated key that is not UTF-8",
	    "iTXt", XMP "\0\0\0\xff\0" SIX,
	    1),
	CHUNK("a text that is not UTF-8", "iTXt", XMP "\0\0\0\0\xff" SIX, 1),
	CHUNK("a text that ends before its flags", "iTXt", XMP "\0", 1),
	CHUNK("a text that ends in its language", "iTXt", XMP "\0\0en", 1),
	CHUNK("a text that ends in its translated key",
	    "iTXt", XMP "\0\0\0key", 1),
	CHUNK("an unknown method", "iTXt", XMP "\1\1\0\0" SIX, 1),
	CHUNK("a text that is marked as deflated but is not",
	    "iTXt", XMP "\1\0\0\0" SIX, 1),
	CHUNK("a zTXt that is not deflated", "zTXt", XMP "\0" SIX, 1),
	CHUNK("a zTXt with an unknown method", "zTXt", XMP "\1" SIX, 1),
	CHUNK("a zTXt without a method", "zTXt", XMP, 1),
	CHUNK("a chunk of another type", "tIME", XMP SIX, 1),
};

static void
each_chunk(void)
{
	struct buf b = { 0 };

	for (size_t i = 0; i < sizeof(chunks) / sizeof(*chunks); i++) {
		bool good = true;

		buf_clear(&b);
		add_chunk(&b, "IHDR", "0123456789abc", 13);
		add_chunk(&b, chunks[i].type, chunks[i].data, chunks[i].n);
		add_chunk(&b, "IEND", "", 0);
		for (size_t step = 1; step < 60; step += 7)
			good &= said_in(&b, step) == chunks[i].want;
		ok(good && said_in(&b, b.n) == chunks[i].want, "%s, %s: "
		    "orientation %d", chunks[i].type, chunks[i].what,
		    chunks[i].want);
	}
	buf_free(&b);
}

/* Adds a zTXt chunk with the deflated text, without its last 'less' bytes.  If
 * damaged is set, the first byte is wrong. */
static void
add_deflated(struct buf *b, const char *key, const void *text, size_t n,
    size_t less, bool damaged)
{
	uLongf size = compressBound(n);
	uint8_t *z = malloc(size);
	struct buf data = { 0 };

	compress(z, &size, text, n);
	if (damaged)
		z[0] = 0xff;
	buf_puts(&data, key);
	buf_add(&data, "\0", 2);
	buf_add(&data, z, size - less);
	add_chunk(b, "zTXt", data.p, data.n);
	buf_free(&data);
	free(z);
}

static void
deflated(void)
{
	static char large[(1 << 20) + 100];
	struct buf b = { 0 };
	const char *key = "XML:com.adobe.xmp";

	add_deflated(&b, key, SIX, sizeof(SIX) - 1, 0, false);
	ok(said_in(&b, 9) == 6, "the orientation in a deflated text is found");
	buf_clear(&b);
	add_deflated(&b, key, SIX, sizeof(SIX) - 1, 4, false);
	ok(said_in(&b, 9) == 6, "a deflated text without its checksum is read");
	buf_clear(&b);
	add_deflated(&b, key, SIX, sizeof(SIX) - 1, 0, true);
	ok(said_in(&b, 9) == 1, "a damaged deflated text is not read");
	buf_clear(&b);
	memset(large, ' ', sizeof(large));
	memcpy(large + (1 << 20), SIX, sizeof(SIX) - 1);
	add_deflated(&b, key, large, sizeof(large), 0, false);
	ok(said_in(&b, 999) == 1, "a deflated text is read only up to 1 MiB");
	buf_clear(&b);
	add_chunk(&b, "zTXt", XMP "\0", sizeof(XMP));
	ok(said_in(&b, 9) == 1, "an empty deflated text has no orientation");
	buf_free(&b);
}

/* Inflating many texts takes time: only the first 64 are inflated. */
static void
many(void)
{
	struct buf b = { 0 };

	for (int i = 0; i < 63; i++)
		add_deflated(&b, "XML:com.adobe.xmp", "<x/>", 4, 0, false);
	add_deflated(&b, "XML:com.adobe.xmp", SIX, sizeof(SIX) - 1, 0, false);
	ok(said_in(&b, 1000) == 6, "the 64th deflated text is read");
	buf_clear(&b);
	for (int i = 0; i < 64; i++)
		add_deflated(&b, "XML:com.adobe.xmp", "<x/>", 4, 0, false);
	add_deflated(&b, "XML:com.adobe.xmp", SIX, sizeof(SIX) - 1, 0, false);
	ok(said_in(&b, 1000) == 1, "the 65th deflated text is not read");
	buf_free(&b);
}

/* Chunks above 1 MiB, or of impossible sizes, are skipped. */
static void
sizes(void)
{
	static char large[(1 << 20) + 1];
	struct buf b = { 0 };

	memset(large, ' ', sizeof(large));
	memcpy(large, XMP SIX, sizeof(XMP SIX) - 1);
	add_chunk(&b, "tEXt", large, 1 << 20);
	ok(said_in(&b, 100000) == 6, "a text of 1 MiB is read");
	buf_clear(&b);
	add_chunk(&b, "tEXt", large, sizeof(large));
	ok(said_in(&b, 100000) == 1, "a text of more than 1 MiB is not read");
	buf_clear(&b);
	buf_add(&b, "\xff\xff\xff\xfftEXt" XMP SIX "crc!", 8 + sizeof(XMP SIX
	    "crc!") - 1);
	ok(said_in(&b, 10) == 1, "a text of 4 GiB is not read");
	buf_free(&b);
}

int
main(void)
{
	each_chunk();
	deflated();
	many();
	sizes();
	return done();
}
