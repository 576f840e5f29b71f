/* SPDX-License-Identifier: Apache-2.0 */
/* Checks on decoding any bytes as a picture. */
#ifndef TESTS_FUZZ_PICTURE_H
#define TESTS_FUZZ_PICTURE_H

#include <stdio.h>
#include <stdlib.h>

#include "image/picture.h"
#include "large.h"

enum { FUZZ_PIXELS = 1 << 16 };	/* larger pictures only take longer */

/* Returns a fixed number of bytes at a time. */
struct drops {
	struct bytes b;
	size_t each;
};

static int64_t
read_drop(void *arg, void *p, size_t n, struct npu_err *err)
{
	struct drops *d = arg;
	size_t k = d->each < d->b.n ? d->each : d->b.n;

	(void)err;
	if (k > n)
		k = n;
	if (k > 0)
		memcpy(p, d->b.p, k);
	d->b.p += k;
	d->b.n -= k;
	return (int64_t)k;
}

/* The result of decoding. */
struct outcome {
	struct picture_info info;
	struct npu_err err;
	int rc;			/* of the last call */
	uint64_t sum;		/* of the pixels */
};

static void
must(bool cond, const char *what)
{
	if (!cond) {
		fprintf(stderr, "broken: %s\n", what);
		abort();
	}
}

static void
add_rows(struct outcome *o, const uint8_t *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (i % 4 != 3)
			o->sum = o->sum * 31 + rows[i];
}

/*
 * Reads the picture in planes.  Returns false, without reading, if the picture
 * does not have planes.
 */
static bool
read_planes(struct picture *p, struct outcome *o)
{
	const struct picture_info *i = picture_info(p);
	size_t stride = ((size_t)i->width + PICTURE_STRIDE - 1) /
	    PICTURE_STRIDE * PICTURE_STRIDE;
	uint32_t y = 0;
	uint8_t *band;

	if (!picture_planes(p))
		return false;
	o->info = *i;
	band = malloc(PICTURE_BAND_ROWS * stride);
	while ((o->rc = picture_band(p, band, stride, &o->err)) > 0) {
		for (int k = 0; k < o->rc; k++)
			add_rows(o, band + (size_t)k * stride, i->width);
		for (int k = 0; k < (o->rc + 1) / 2; k++)
			for (int c = 0; c < 2; c++)
				add_rows(o, band + (size_t)(PICTURE_BAND + k) *
				    stride + (size_t)c * stride / 2,
				    (i->width + 1) / 2);
		y += (uint32_t)o->rc;
	}
	must(o->rc < 0 || y == i->height, "all bands");
	must(picture_band(p, band, stride, NULL) == (o->rc == 0 ? 0 :
	    NPU_EUSAGE), "no band behind the end");
	free(band);
	return true;
}

/*
 * Reads all rows of the picture, most at a time; with shrink 0, reads planes.
 */
static void
read_all(struct picture *p, unsigned shrink, unsigned most,
    struct outcome *o)
{
	const struct picture_info *i = picture_info(p);
	uint32_t y = 0;
	uint8_t *rows;

	must(i->width > 0 && i->height > 0 && i->orientation >= 1 &&
	    i->orientation <= 8 &&
	    (uint64_t)i->width * i->height <= FUZZ_PIXELS, "a valid header");
	if (shrink == 0 && read_planes(p, o))
		return;
	if (shrink > 1 && (o->rc = picture_shrink(p, shrink, &o->err)) < 0)
		return;
	o->info = *i;
	rows = malloc((size_t)i->width * 4 * most);
	while ((o->rc = picture_rows(p, rows, most, &o->err)) > 0) {
		must((unsigned)o->rc <= most, "not more rows than asked for");
		add_rows(o, rows, (size_t)o->rc * i->width * 4);
		y += (uint32_t)o->rc;
	}
	must(o->rc < 0 || y == i->height, "all rows");
	must(picture_rows(p, rows, most, NULL) == (o->rc == 0 ? 0 :
	    NPU_EUSAGE), "no rows behind the end");
	free(rows);
}

static struct outcome
decode(struct picture_source s, unsigned shrink, unsigned most)
{
	struct outcome o = { .rc = 0 };
	struct picture *p = NULL;

	o.rc = picture_open(&p, s, FUZZ_PIXELS, &o.err);
	if (o.rc == 0)
		read_all(p, shrink, most, &o);
	must(o.rc == 0 || (o.rc == NPU_EFORMAT && o.err.msg[0] != '\0'),
	    "a refusal has a reason");
	picture_close(p);
	return o;
}

/*
 * Returns the reason without the position, because libjpeg may read some bytes
 * ahead.
 */
static const char *
reason(const struct outcome *o)
{
	const char *colon = strrchr(o->err.msg, ':');

	return colon == NULL ? o->err.msg : colon;
}

static struct outcome
decode_drops(struct bytes b, size_t each, unsigned shrink, unsigned most)
{
	struct drops d = { b, each };

	return decode((struct picture_source){ read_drop, &d }, shrink, most);
}

/*
 * Decodes from memory, and again with a few bytes at a time: the rows or the
 * reason must be the same.  If a JPEG has two bytes 0xff in a row within its
 * data, libjpeg-turbo starts a block in its fast decoder, sees that it needs
 * the slow one, and leaves what the fast one has done.  Only the slow decoder
 * is then repeatable.
 */
static void
fuzz_picture(const uint8_t *data, size_t size)
{
	unsigned mode = (unsigned)(size % 8);
	unsigned shrink = mode == 4 ? 0 : 1u << mode % 4;
	struct bytes b = { data, size }, all = b;
	struct outcome one = decode(source_bytes(&b), shrink, 16);
	struct outcome two = decode_drops(all, 1 + mode * 3, shrink, 1 + mode);

	/*
	 * How many bytes libjpeg-turbo leaves depends slightly on its buffer.
	 */
	if (strstr(one.err.msg, "left over") != NULL ||
	    strstr(two.err.msg, "left over") != NULL)
		return;
	must(one.rc == two.rc && strcmp(reason(&one), reason(&two)) == 0,
	    "the same end");
	must(one.rc != 0 ||
	    memcmp(&one.info, &two.info, sizeof(one.info)) == 0,
	    "the same header");
	if (one.rc == 0 && one.info.format == PICTURE_JPEG)
		one = decode_drops(all, 500, shrink, 16);
	must(one.rc != 0 || one.sum == two.sum, "the same pixels");
}

#endif
