// SPDX-License-Identifier: Apache-2.0
/* The pixels of a PNG, and other data in their place.  libpng warns about most
 * of such data, but only some of it is damage. */
#include <stdlib.h>
#include <zlib.h>

#include "base/buf.h"
#include "base/err.h"
#include "image/picture.h"
#include "pieces.h"
#include "tap.h"

/* 2 x 2 grey pixels, with a filter byte before each row. */
static const uint8_t rows[] = { 0, 10, 20, 0, 30, 40, 0, 50, 60 };
enum { ROWS = 6, MORE = 9 };

static void
add_big(struct buf *b, uint32_t v)
{
	buf_add(b, (const uint8_t[]){ (uint8_t)(v >> 24), (uint8_t)(v >> 16),
	    (uint8_t)(v >> 8), (uint8_t)v }, 4);
}

static void
add_chunk(struct buf *b, const char *type, const void *p, size_t n)
{
	size_t from = b->n + 4;

	add_big(b, (uint32_t)n);
	buf_add(b, type, 4);
	buf_add(b, p, n);
	add_big(b, (uint32_t)crc32(0, (const Bytef *)b->p + from,
	    (uInt)(n + 4)));
}

/* Adds the first 'raw' bytes of rows, deflated, then 'more' zeros.  With flip
 * set, a bit of the checksum is changed. */
static void
add_data(struct buf *b, size_t raw, size_t more, bool flip)
{
	uint8_t z[100] = { 0 };
	uLongf n = sizeof(z);

	compress(z, &n, rows, raw);
	if (flip)
		z[n - 1] ^= 1;
	memset(z + n, 0, more);
	/* All pixels are complete when the checksum arrives. */
	add_chunk(b, "IDAT", z, n - 4);
	add_chunk(b, "IDAT", z + n - 4, 4 + more);
}

static void
make(struct buf *b, bool palette, size_t raw, size_t more, bool flip)
{
	const uint8_t head[] = { 0, 0, 0, 2, 0, 0, 0, 2, 8,
	    palette ? 3 : 0, 0, 0, 0 };

	buf_clear(b);
	buf_add(b, "\x89PNG\r\n\x1a\n", 8);
	add_chunk(b, "IHDR", head, sizeof(head));
	if (palette)
		add_chunk(b, "PLTE", "abcdef", 6);
	add_data(b, raw, more, flip);
	add_chunk(b, "IEND", NULL, 0);
}

static void
is(const struct buf *b, const char *says, const char *what)
{
	struct bytes left = { (const uint8_t *)b->p, b->n };
	struct npu_err err = { .msg = "" };
	struct image m = { .rgb = NULL };
	int rc = picture_read(source_bytes(&left), 4, &m, &err);
	bool good = says != NULL ? rc == NPU_EFORMAT &&
	    strstr(err.msg, says) != NULL : rc == 0 && m.rgb[0] == 10 &&
	    m.rgb[3] == 20 && m.rgb[6] == 30 && m.rgb[9] == 40;

	if (!ok(good, "%s", what))
		diag("%d %s", rc, err.msg);
	free(m.rgb);
}

static void
data(void)
{
	struct buf b = { 0 };

	make(&b, false, ROWS, 0, false);
	is(&b, NULL, "a PNG without damage is read");
	make(&b, false, MORE, 0, false);
	is(&b, NULL, "a PNG with a row too many is read");
	make(&b, false, ROWS, 5, false);
	is(&b, NULL, "a PNG with bytes behind the data is read");
	make(&b, false, ROWS, 0, true);
	is(&b, "IDAT: incorrect data check", "a PNG with a wrong checksum is "
	    "refused");
	make(&b, false, ROWS - 1, 0, false);
	is(&b, "row 2 of 2", "a PNG with a byte too few is refused");
	make(&b, true, ROWS, 0, false);
	is(&b, "a pixel is not in the palette", "a PNG with index 40 in a "
	    "palette of 2 is refused");
	buf_free(&b);
}

static void
sources(void)
{
	struct buf b = { 0 };
	struct bytes left;
	struct picture *p;
	struct npu_err err;
	struct image m;
	uint8_t pixels[2 * 4];
	size_t reported = 0;

	make(&b, false, ROWS, 0, false);
	left = (struct bytes){ (const uint8_t *)b.p, b.n };
	if (picture_open(&p, source_bytes(&left), 4, NULL) < 0)
		abort();
	ok(picture_rows(p, pixels, 1, NULL) == 1 &&
	    picture_rows(p, pixels, 1, NULL) == 1 && pixels[0] == 30 &&
	    picture_rows(p, pixels, 1, NULL) == 0 &&
	    picture_rows(p, pixels, 1, NULL) == 0,
	    "after the last row, picture_rows() returns 0 each time");
	picture_close(p);
	for (size_t n = 0; n < b.n; n++) {
		left.p = (const uint8_t *)b.p;
		left.n = n;
		reported += picture_read((struct picture_source){ read_bad,
		    &left }, 4, &m, &err) == NPU_ESYSTEM &&
		    strcmp(err.msg, "Input/output error") == 0;
	}
	ok(reported == b.n, "a read error after any byte is reported");
	buf_free(&b);
}

int
main(void)
{
	data();
	sources();
	return done();
}
