// SPDX-License-Identifier: Apache-2.0
/* write.c - writes pictures: choice of the format, and PPM. */
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/err.h"
#include "image/writers.h"

/* Writes a P6 file (Netpbm, ppm(5)). */
static int
ppm_write(const struct image *image, struct sink sink, struct npu_err *err)
{
	struct buf head = { 0 };
	int rc;

	buf_printf(&head, "P6\n%u %u\n255\n", image->width, image->height);
	if (head.failed)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	rc = sink.write(sink.arg, head.p, head.n, err);
	buf_free(&head);
	if (rc < 0)
		return rc;
	return sink.write(sink.arg, image->rgb,
	    (size_t)image->width * image->height * 3, err);
}

int
format_holds(enum picture_format format, const struct image *image,
    struct npu_err *err)
{
	if (image->width == 0 || image->height == 0)
		return npu_fail(err, NPU_EUSAGE, "a picture of %ux%u pixels "
		    "is empty", image->width, image->height);
	if (format == PICTURE_JPEG && (image->width > JPEG_MAX_SIDE ||
	    image->height > JPEG_MAX_SIDE))
		return npu_fail(err, NPU_EUSAGE, "%ux%u pixels: a JPEG has at "
		    "most %d a side; PNG and PPM hold more", image->width,
		    image->height, JPEG_MAX_SIDE);
	return 0;
}

int
picture_write(const struct image *image, enum picture_format format,
    unsigned quality, struct sink sink, struct npu_err *err)
{
	int rc;

	if ((rc = format_holds(format, image, err)) < 0)
		return rc;
	switch (format) {
	case PICTURE_JPEG:
		return jpeg_write(image, quality, sink, err);
	case PICTURE_PNG:
		return png_write(image, sink, err);
	case PICTURE_PPM:
		return ppm_write(image, sink, err);
	}
	return npu_fail(err, NPU_EUSAGE, "no such format: %d", (int)format);
}

/* ---- Names ------------------------------------------------------------- */

/* The first name of a format is the extension of files that we write. */
static const struct {
	const char *name;
	enum picture_format format;
} names[] = {
	{ "png", PICTURE_PNG },
	{ "jpg", PICTURE_JPEG },
	{ "jpeg", PICTURE_JPEG },
	{ "mjpeg", PICTURE_JPEG },
	{ "ppm", PICTURE_PPM },
};

enum { NAMES = sizeof(names) / sizeof(*names) };

bool
format_by_name(const char *name, enum picture_format *format)
{
	for (int i = 0; i < NAMES; i++) {
		if (strcasecmp(names[i].name, name) != 0)
			continue;
		*format = names[i].format;
		return true;
	}
	return false;
}

bool
format_by_ending(const char *file, enum picture_format *format)
{
	const char *dot = strrchr(file, '.');

	return dot != NULL && format_by_name(dot + 1, format);
}

const char *
format_ending(enum picture_format format)
{
	for (int i = 0; i < NAMES; i++)
		if (names[i].format == format)
			return names[i].name;
	return "";
}
