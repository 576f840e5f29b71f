// SPDX-License-Identifier: Apache-2.0
#include "pic.h"

/* The message in lib/image/picture.c. */
#define FILM "a film: ffmpeg converts it to pictures, which --stream reads"

struct how {
	const char *head;	/* everything before the raster except the last
				   byte */
	unsigned kind;		/* 1 to 6 */
	unsigned width, height, maxval;
	const char *between;	/* between plain values */
};

static unsigned
value(const struct how *h, unsigned x, unsigned y, unsigned c)
{
	unsigned v = drawn(x, y, c) << 8 | drawn(x + 1, y + 2, c);

	return v % (h->maxval + 1);
}

static void
add_row(struct buf *b, const struct how *h, unsigned y)
{
	unsigned n = h->kind % 3 == 0 ? 3 : 1, bits = 0, v, x;

	for (x = 0; x < h->width; x++)
		for (unsigned c = 0; c < n; c++) {
			v = value(h, x, y, c);
			bits = bits << 1 | (v & 1);
			if (h->kind <= 3)
				buf_printf(b, "%u%s", v, h->between);
			else if (h->kind > 4)
				add_big(b, v, h->maxval > 255 ? 2 : 1);
			else if (x % 8 == 7)
				add_byte(b, bits);
		}
	if (h->kind == 4 && x % 8 != 0)
		add_byte(b, bits << (8 - x % 8));
}

static void
make(struct buf *out, const struct pic *p)
{
	const struct how *h = p->how;

	buf_puts(out, h->head);
	buf_puts(out, "\n");
	for (unsigned y = 0; y < h->height; y++)
		add_row(out, h, y);
}

static void cut_1(struct buf *b) { b->n--; }
static void trailer(struct buf *b) { buf_puts(b, "P6 1 1 255\n"); }
static void comment(struct buf *b) { b->n = 4; buf_puts(b, "# no end"); }

#define HOW(...) make, &(const struct how){ .head = __VA_ARGS__ }
#define BAD(head) HOW(head, 6, 3, 2, 255)

const struct pic ppm_pics[] = {
	{ "p1.pbm", NULL, HOW("P1\n# plain\n33 17", 1, 33, 17, 1, " "),
	  NULL },
	{ "p1-dense.pbm", NULL, HOW("P1 33 17", 1, 33, 17, 1, ""), NULL },
	{ "p2.pgm", NULL, HOW("P2\n33 17\n255", 2, 33, 17, 255, "\n"), NULL },
	{ "p2-7.pgm", NULL, HOW("P2\n33 17\n7", 2, 33, 17, 7, "\t#1\n "),
	  NULL },
	{ "p3.ppm", NULL, HOW("P3\n33 17\n255", 3, 33, 17, 255, " \r\n"),
	  NULL },
	{ "p3-1000.ppm", NULL, HOW("P3\n33 17\n1000", 3, 33, 17, 1000, " "),
	  NULL },
	{ "p4.pbm", NULL, HOW("P4\n33 17", 4, 33, 17, 1), NULL },
	{ "p4-32.pbm", NULL, HOW("P4\n32 17", 4, 32, 17, 1), NULL },
	{ "p5.pgm", NULL, HOW("P5\n33 17\n255", 5, 33, 17, 255), NULL },
	{ "p5-1.pgm", NULL, HOW("P5\n33 17\n1", 5, 33, 17, 1), NULL },
	{ "p5-100.pgm", NULL, HOW("P5\n33 17\n100", 5, 33, 17, 100), NULL },
	{ "p6.ppm", NULL, HOW("P6\n33 17\n255", 6, 33, 17, 255), NULL },
	{ "p6-7.ppm", NULL, HOW("P6\n33 17\n7", 6, 33, 17, 7), NULL },
	{ "p6-254.ppm", NULL, HOW("P6\n33 17\n254", 6, 33, 17, 254), NULL },
	{ "p6-1000.ppm", NULL, HOW("P6\n33 17\n1000", 6, 33, 17, 1000),
	  NULL },
	{ "p6-65535.ppm", NULL, HOW("P6\n33 17\n65535", 6, 33, 17, 65535),
	  NULL },
	{ "p6-over.ppm", NULL, HOW("P6\n33 17\n200", 6, 33, 17, 255), NULL },
	{ "p6-comments.ppm", NULL, HOW("P6 # a\n#b\r\v3#c\n3\f0017 255#d\r", 6,
	  33, 17, 255), NULL },
	{ "p6-1x1.ppm", NULL, HOW("P6 1 1 255", 6, 1, 1, 255), NULL },
	{ "p6-trailer.ppm", NULL, BAD("P6 3 2 255"), trailer },
	{ "photo.heic", "not a JPEG, PNG or PPM picture, but a HEIC",
	  HOW("\1\1\1\30ftypheic", 6, 0, 0, 1), NULL },
	{ "burst.heic", "not a JPEG, PNG or PPM picture, but a HEIC",
	  HOW("\1\1\1\30ftyphevc", 6, 0, 0, 1), NULL },
	{ "photo.heif", "not a JPEG, PNG or PPM picture, but a HEIF",
	  HOW("\1\1\1\30ftypmif1", 6, 0, 0, 1), NULL },
	{ "photo.avif", "not a JPEG, PNG or PPM picture, but an AVIF",
	  HOW("\1\1\1\30ftypavis", 6, 0, 0, 1), NULL },
	{ "film.mp4", "not a JPEG, PNG or PPM picture, but " FILM,
	  HOW("\1\1\1\30ftypisom", 6, 0, 0, 1), NULL },
	{ "film.mov", "not a JPEG, PNG or PPM picture, but " FILM,
	  HOW("\1\1\1\24ftypqt  ", 6, 0, 0, 1), NULL },
	{ "film.mkv", "not a JPEG, PNG or PPM picture, but " FILM,
	  HOW("\x1a\x45\xdf\xa3\xa3\x42\x86\x81", 6, 0, 0, 1), NULL },
	{ "film.avi", "not a JPEG, PNG or PPM picture, but " FILM,
	  HOW("RIFF\1\1\1\1AVI LIST", 6, 0, 0, 1), NULL },
	{ NULL, NULL, NULL, NULL, NULL },
};

const struct pic ppm_damages[] = {
	{ "cut-1.ppm", "PPM: row 2 of 2: cut off: the file ends here",
	  BAD("P6 3 2 255"), cut_1 },
	{ "comment.ppm", "PPM: cut off: the file ends in the header",
	  BAD("P6 3 2 255"), comment },
	{ "no-size.ppm", "PPM: byte 0x78 where a number is expected",
	  BAD("P6 x 2 255"), NULL },
	{ "negative.ppm", "PPM: byte 0x2d where a number is expected",
	  BAD("P6 -3 2 255"), NULL },
	{ "width-0.ppm", "PPM: 0 x 2 pixels: nothing to see",
	  BAD("P6 0 2 255"), NULL },
	{ "wraps.ppm", "PPM: 4294967299 x 2 pixels: a side is longer than "
	  "1000000", BAD("P6 4294967299 2 255"), NULL },
	{ "wide.ppm", "PPM: 1000001 x 1 pixels: a side is longer than 1000000",
	  BAD("P6 1000001 1 255"), NULL },
	{ "many-pixels.ppm", "PPM: 13378 x 13378 pixels are more than the "
	  "limit of 178956970; --max-pixels=178970884 reads it",
	  BAD("P6 13378 13378 255"), NULL },
	{ "11-digits.ppm", "PPM: a number of more than 10 digits",
	  BAD("P6 00000000003 2 255"), NULL },
	{ "maxval-0.ppm", "PPM: largest value 0 is not 1 to 65535",
	  BAD("P6 3 2 0"), NULL },
	{ "maxval-65536.ppm", "PPM: largest value 65536 is not 1 to 65535",
	  BAD("P6 3 2 65536"), NULL },
	{ "over.pgm", "PPM: row 1 of 1: 101 is more than the largest value, "
	  "100", HOW("P2 1 1 100 101", 2, 0, 0, 1), NULL },
	{ "letters.pgm", "PPM: row 1 of 1: byte 0x61 where a number is "
	  "expected", HOW("P2 1 1 100 abc", 2, 0, 0, 1), NULL },
	{ "bit-2.pbm", "PPM: row 1 of 1: byte 0x32 where a number is expected",
	  HOW("P1 2 1 12", 1, 0, 0, 1), NULL },
	{ "p7.pam", "not a JPEG, PNG or PPM picture, but a PAM", BAD("P7"),
	  NULL },
	{ "p6-comment.ppm", "not a JPEG, PNG or PPM picture",
	  BAD("P6#c\n3 2 255"), NULL },
	{ "empty", "empty", HOW("", 6, 0, 0, 1), cut_1 },
	{ "page.html", "not a JPEG, PNG or PPM picture, but a web page",
	  HOW("<!DOCTYPE html>", 6, 0, 0, 1), NULL },
	{ NULL, NULL, NULL, NULL, NULL },
};
