// SPDX-License-Identifier: Apache-2.0
/* Writes pictures, and tests failures.  write.bats checks the contents of the
 * files with Pillow. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "image/write.h"
#include "sink_buf.h"
#include "tap.h"

#define W 70
#define H 50

static const enum picture_format formats[] = { PICTURE_PNG, PICTURE_JPEG,
    PICTURE_PPM };

/* A sink that accepts a number of bytes and refuses the rest. */
struct small {
	size_t room;
	int refused;
};

static int
take(void *arg, const void *p, size_t n, struct npu_err *err)
{
	struct small *s = arg;

	(void)p;
	if (n > s->room) {
		s->refused++;
		return npu_fail(err, NPU_ESYSTEM, "no room");
	}
	s->room -= n;
	return 0;
}

/* Returns a picture of noise, for which the libraries write often. */
static struct image
noise(uint32_t w, uint32_t h)
{
	struct image image = { w, h, malloc((size_t)w * h * 3) };
	uint32_t x = 1;

	for (size_t i = 0; i < (size_t)w * h * 3; i++) {
		x = x * 1664525 + 1013904223;
		image.rgb[i] = (uint8_t)(x >> 24);
	}
	return image;
}

static void
refusals(enum picture_format f)
{
	const size_t most = brief() ? 20 : 60;
	struct image image = noise(W * 5, H * 5);
	size_t all, n = 0, wrong = 0;
	struct buf b = { 0 };
	struct npu_err err;

	ok(picture_write(&image, f, 90, sink_buf(&b), &err) == 0 && b.n > 1000,
	    "%s: a picture is written: %zu bytes", format_ending(f), b.n);
	all = b.n;
	for (size_t room = 0; room < all; room += 1 + all / most) {
		struct small s = { room, 0 };

		n++;
		memset(&err, 0, sizeof(err));
		wrong += picture_write(&image, f, 90,
		    (struct sink){ take, &s }, &err) != NPU_ESYSTEM ||
		    s.refused != 1 || strcmp(err.msg, "no room") != 0;
	}
	ok(n > most - 10 && wrong == 0, "%s: if a sink refuses bytes, at any "
	    "point, it is not called again and its message is passed on",
	    format_ending(f));
	free(image.rgb);
	buf_free(&b);
}

static void
sizes(void)
{
	struct image none = { 0, 5, NULL }, flat = { 5, 0, NULL };
	struct image wide = noise(65501, 1), tall = { 1, 65501, wide.rgb };
	struct buf b = { 0 };
	struct npu_err err;

	for (int i = 0; i < 3; i++)
		ok(picture_write(&none, formats[i], 90, sink_buf(&b), &err) ==
		    NPU_EUSAGE && b.n == 0 && picture_write(&flat, formats[i],
		    90, sink_buf(&b), NULL) == NPU_EUSAGE && b.n == 0,
		    "a picture without pixels is refused as %s: %s",
		    format_ending(formats[i]), err.msg);
	ok(picture_write(&wide, PICTURE_JPEG, 90, sink_buf(&b), &err) ==
	    NPU_EUSAGE && b.n == 0,
	    "a picture that is too wide for a JPEG is refused: %s", err.msg);
	ok(picture_write(&tall, PICTURE_JPEG, 90, sink_buf(&b), &err) ==
	    NPU_EUSAGE && b.n == 0,
	    "a picture that is too high for a JPEG is refused: %s", err.msg);
	ok(picture_write(&wide, 99, 90, sink_buf(&b), &err) == NPU_EUSAGE &&
	    b.n == 0 && strcmp(format_ending(99), "") == 0, "an unknown format "
	    "is refused: %s", err.msg);
	ok(picture_write(&wide, PICTURE_PNG, 90, sink_buf(&b), &err) == 0,
	    "a picture that is too wide for a JPEG is written as a PNG");
	free(wide.rgb);
	wide = noise(1000001, 1);
	buf_clear(&b);
	ok(picture_write(&wide, PICTURE_PNG, 90, sink_buf(&b), &err) == 0,
	    "a PNG is written that libpng does not read with its default "
	    "limits");
	free(wide.rgb);
	buf_free(&b);
}

static void
ppm(void)
{
	uint8_t rgb[] = { 1, 2, 3, 0, 10, 255 };
	struct image image = { 2, 1, rgb };
	struct buf b = { 0 };

	picture_write(&image, PICTURE_PPM, 0, sink_buf(&b), NULL);
	ok(b.n == 17 && memcmp(b.p, "P6\n2 1\n255\n\1\2\3\0\n\377", 17) == 0,
	    "a PPM has the expected bytes");
	buf_free(&b);
}

static void
names(void)
{
	enum picture_format f;

	ok(format_by_name("jpeg", &f) && f == PICTURE_JPEG &&
	    format_by_name("JPG", &f) && f == PICTURE_JPEG &&
	    format_by_name("ppm", &f) && f == PICTURE_PPM &&
	    !format_by_name("gif", &f) && !format_by_name("", &f),
	    "format_by_name() knows names in any case and refuses other names");
	ok(format_by_ending("a/b.c.PNG", &f) && f == PICTURE_PNG &&
	    format_by_ending(".jpg", &f) && f == PICTURE_JPEG &&
	    format_by_ending("a.mjpeg", &f) && f == PICTURE_JPEG &&
	    !format_by_ending("png", &f) && !format_by_ending("a.", &f),
	    "format_by_ending() knows the endings of file names and refuses "
	    "other names");
}

int
main(void)
{
	ppm();
	names();
	sizes();
	for (int i = 0; i < 3; i++)
		refusals(formats[i]);
	return done();
}
