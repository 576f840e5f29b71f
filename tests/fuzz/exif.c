// SPDX-License-Identifier: Apache-2.0
/* EXIF data by itself, as hexadecimal text, as XMP, and compressed in a PNG. */
#include <stdlib.h>

#include "image/exif.h"
#include "image/pngorient.h"
#include "large.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static void
feed(struct png_orient *o, const char *type, const char *key, size_t n_key,
    struct bytes b)
{
	size_t n = n_key + b.n;
	uint8_t head[8] = { 0, (uint8_t)(n >> 16), (uint8_t)(n >> 8),
	    (uint8_t)n };

	memcpy(head + 4, type, 4);
	png_orient_feed(o, (struct bytes){ head, 8 });
	png_orient_feed(o, (struct bytes){ (const uint8_t *)key, n_key });
	png_orient_feed(o, b);
	png_orient_feed(o, (struct bytes){ (const uint8_t *)"crc?", 4 });
}

static uint8_t
ask(const char *type, const char *key, size_t n_key, struct bytes b)
{
	struct png_orient o = { .n = 0 };
	uint8_t orientation;

	feed(&o, type, key, n_key, b);
	orientation = png_orient_get(&o);
	if (orientation < 1 || orientation > 8 || o.failed || o.data != NULL)
		abort();
	png_orient_free(&o);
	return orientation;
}

#define KEY(s) s, sizeof(s) - 1

static void
as_hex(struct bytes b, uint8_t want)
{
	static const char digit[] = "0123456789abcdef";
	uint8_t *hex = malloc(2 * b.n + 1);

	for (size_t i = 0; i < b.n; i++) {
		hex[2 * i] = (uint8_t)digit[b.p[i] >> 4];
		hex[2 * i + 1] = (uint8_t)digit[b.p[i] & 15];
	}
	if (ask("tEXt", KEY("Raw profile type exif\0\nexif\n1\n"),
	    (struct bytes){ hex, 2 * b.n }) != want)
		abort();
	free(hex);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct bytes b = { p, n };
	uint8_t orientation = exif_orientation(b);

	if (orientation > 8 || n > 100000)
		abort();
	if (orientation == 0)
		orientation = 1;
	if (ask("eXIf", NULL, 0, b) != orientation)
		abort();
	if (n < 6 || memcmp(p, "Exif\0", 6) != 0)
		as_hex(b, orientation);
	ask("tEXt", KEY("Raw profile type exif\0"), b);
	ask("zTXt", KEY("Raw profile type exif\0\0"), b);
	ask("iTXt", KEY("XML:com.adobe.xmp\0\0\0\0\0"), b);
	ask("iTXt", KEY("XML:com.adobe.xmp\0"), b);
	ask("iTXt", KEY("XML:com.adobe.xmp\0\1\0\0\0"), b);
	ask("tEXt", NULL, 0, b);
	return 0;
}
