// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <zlib.h>

#include "base/utf8.h"
#include "image/exif.h"
#include "image/pngorient.h"

enum {
	/* Longer chunks, and texts that inflate to more, are ignored (Pillow:
	 * MAX_TEXT_CHUNK). */
	MAX_CHUNK = 1 << 20,
	/* A few bytes may inflate to a MiB; so many take negligible time
	 * (Pillow: MAX_TEXT_MEMORY). */
	MAX_INFLATED = 64,
};

static uint32_t
big32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 |
	    (uint32_t)p[2] << 8 | p[3];
}

/* Sets *field to the bytes before the next NUL in b, and removes both from
 * b. */
static bool
cut_field(struct bytes *b, struct bytes *field)
{
	const uint8_t *end = b->n > 0 ? memchr(b->p, 0, b->n) : NULL;

	if (end == NULL)
		return false;
	*field = (struct bytes){ b->p, (size_t)(end - b->p) };
	b->n -= field->n + 1;
	b->p = end + 1;
	return true;
}

static bool
equals(struct bytes b, const char *s)
{
	return b.n == strlen(s) && bytes_start(b, s);
}

/* ---- Texts ------------------------------------------------------------- */

static int
hex_digit(uint8_t c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool
is_space(uint8_t c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Decodes pairs of hexadecimal digits, separated by white space, to out.
 * Returns the number of bytes, or -1.  A line may end within a pair. */
static long
unhex(struct bytes t, uint8_t *out)
{
	long n = 0;
	int high = -1, d;

	for (size_t i = 0; i < t.n; i++) {
		if (t.p[i] == '\n' || (high < 0 && is_space(t.p[i])))
			continue;
		if ((d = hex_digit(t.p[i])) < 0)
			return -1;
		if (high < 0) {
			high = d;
		} else {
			out[n++] = (uint8_t)(high << 4 | d);
			high = -1;
		}
	}
	return high < 0 ? n : -1;
}

static uint8_t
exif_text_orientation(struct bytes b)
{
	struct bytes tiff = b;

	if (b.n >= 6 && memcmp(b.p, "Exif\0", 6) == 0)
		bytes_sub(b, 6, b.n - 6, &tiff);
	return exif_orientation(tiff);
}

/* Returns the orientation in a text: three lines (empty, "exif", a length),
 * then digits. */
static uint8_t
raw_orientation(struct png_orient *o, struct bytes t)
{
	const uint8_t *line;
	uint8_t *b, found = 1;
	long n;

	for (int i = 0; i < 3; i++) {
		line = t.n > 0 ? memchr(t.p, '\n', t.n) : NULL;
		if (line == NULL)
			return 0;
		t.n -= (size_t)(line + 1 - t.p);
		t.p = line + 1;
	}
	if ((b = malloc(t.n / 2 + 1)) == NULL) {
		o->failed = true;
		return 1;
	}
	if ((n = unhex(t, b)) >= 0)
		found = exif_text_orientation((struct bytes){ b, (size_t)n });
	free(b);
	return found;
}

/* Returns the orientation of the first tiff:Orientation, an attribute or an
 * element that has one digit. */
static uint8_t
xmp_orientation(struct bytes t)
{
	static const char name[] = "tiff:Orientation";
	struct bytes rest;

	for (size_t at = 0; bytes_sub(t, at, sizeof(name) + 2, &rest) ||
	    bytes_sub(t, at, sizeof(name) + 1, &rest); at++) {
		if (!bytes_start(rest, name))
			continue;
		rest.p += sizeof(name) - 1;
		rest.n -= sizeof(name) - 1;
		if (bytes_start(rest, "=\"") && rest.n > 2)
			rest.p++;
		else if (rest.p[0] != '>')
			continue;
		if (rest.p[1] >= '0' && rest.p[1] <= '9')
			return rest.p[1] >= '1' && rest.p[1] <= '8' ?
			    (uint8_t)(rest.p[1] - '0') : 1;
	}
	return 0;
}

static void
read_text(struct png_orient *o, struct bytes key, struct bytes t)
{
	if (equals(key, "XML:com.adobe.xmp"))
		o->xmp = xmp_orientation(t);
	else
		o->raw = raw_orientation(o, t);
}

/* ---- Chunks ------------------------------------------------------------ */

static bool
is_wanted(struct bytes key)
{
	return equals(key, "XML:com.adobe.xmp") ||
	    equals(key, "Raw profile type exif");
}

/* Reads a deflated text.  A truncated text is used as far as it goes, as in
 * Pillow. */
static void
read_deflated(struct png_orient *o, struct bytes key, struct bytes b)
{
	z_stream z = { .next_in = (Bytef *)b.p, .avail_in = (uInt)b.n };
	uint8_t *out;
	int rc;

	if (o->inflated++ >= MAX_INFLATED)
		return;
	out = malloc(MAX_CHUNK);
	if (out == NULL || inflateInit(&z) != Z_OK) {
		free(out);
		o->failed = true;
		return;
	}
	z.next_out = out;
	z.avail_out = MAX_CHUNK;
	rc = inflate(&z, Z_SYNC_FLUSH);
	if (rc == Z_OK || rc == Z_STREAM_END || rc == Z_BUF_ERROR)
		read_text(o, key, (struct bytes){ out,
		    MAX_CHUNK - z.avail_out });
	inflateEnd(&z);
	free(out);
}

static bool
is_utf8(struct bytes b)
{
	uint32_t c;
	size_t len;

	for (size_t i = 0; i < b.n; i += len)
		if ((len = utf8_decode((const char *)b.p + i, b.n - i,
		    &c)) == 0)
			return false;
	return true;
}

/* Reads an iTXt chunk (PNG 1.2, 4.2.3): keyword, compression flag and method,
 * language, keyword in that language, text. */
static void
read_itxt(struct png_orient *o, struct bytes key, struct bytes b)
{
	struct bytes field;
	uint8_t how[2];

	if (!bytes_get(b, 0, how, 2))
		return;
	b.p += 2;
	b.n -= 2;
	if (!cut_field(&b, &field) || !is_utf8(field) ||
	    !cut_field(&b, &field) || !is_utf8(field))
		return;
	if (how[0] != 0 && how[1] == 0)
		read_deflated(o, key, b);
	else if (how[0] == 0 && is_utf8(b))
		read_text(o, key, b);
}

static void
read_chunk(struct png_orient *o)
{
	const char *type = (const char *)o->head + 4;
	struct bytes b = { o->data, o->n }, key;

	if (memcmp(type, "eXIf", 4) == 0) {
		o->has_exif = true;
		o->exif = exif_orientation(b);
		return;
	}
	if (!cut_field(&b, &key) || !is_wanted(key))
		return;
	if (memcmp(type, "tEXt", 4) == 0)
		read_text(o, key, b);
	else if (memcmp(type, "iTXt", 4) == 0)
		read_itxt(o, key, b);
	else if (b.n > 0 && b.p[0] == 0)
		read_deflated(o, key, (struct bytes){ b.p + 1, b.n - 1 });
}

static void
begin_chunk(struct png_orient *o)
{
	static const char types[][4] = { "eXIf", "tEXt", "zTXt", "iTXt" };
	uint32_t size = big32(o->head);

	o->left = size < UINT32_MAX - 4 ? size + 4 : UINT32_MAX;
	o->n = 0;
	for (unsigned i = 0; i < sizeof(types) / sizeof(*types); i++) {
		if (size > MAX_CHUNK || memcmp(o->head + 4, types[i], 4) != 0)
			continue;
		if ((o->data = malloc(size + 1)) == NULL)
			o->failed = true;
	}
}

static void
end_chunk(struct png_orient *o)
{
	if (o->data != NULL)
		read_chunk(o);
	free(o->data);
	o->data = NULL;
	o->n_head = 0;
}

/* Reads the next bytes of a chunk's data and CRC.  Returns the number of bytes
 * read. */
static size_t
read_data(struct png_orient *o, struct bytes b)
{
	size_t n = b.n < o->left ? b.n : o->left, keep;

	if (o->data != NULL && o->left > 4) {
		keep = n < o->left - 4 ? n : o->left - 4;
		memcpy(o->data + o->n, b.p, keep);
		o->n += keep;
	}
	o->left -= (uint32_t)n;
	if (o->left == 0)
		end_chunk(o);
	return n;
}

void
png_orient_feed(struct png_orient *o, struct bytes b)
{
	size_t n;

	for (; b.n > 0; b.p += n, b.n -= n) {
		if (o->n_head == sizeof(o->head)) {
			n = read_data(o, b);
			continue;
		}
		n = 1;
		o->head[o->n_head++] = *b.p;
		if (o->n_head == sizeof(o->head))
			begin_chunk(o);
	}
}

uint8_t
png_orient_get(const struct png_orient *o)
{
	uint8_t found = o->has_exif ? o->exif : o->raw;

	if (found == 0)
		found = o->xmp;
	return found == 0 ? 1 : found;
}

void
png_orient_free(struct png_orient *o)
{
	free(o->data);
	o->data = NULL;
}
