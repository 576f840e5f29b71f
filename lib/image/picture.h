/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pictures as files hold them: JPEG, PNG, PPM and its kin, known by their first
 * bytes.  Rows come as they are decoded, so that a picture need not be in
 * memory as a whole.
 *
 *	picture_open(&p, source, max_pixels, &err);
 *	info = picture_info(p);
 *	while ((n = picture_rows(p, rows, most, &err)) > 0)
 *		...
 *	picture_close(p);
 *
 * The colours are those of Pillow's Image.convert("RGB"): transparency is
 * dropped, not blended; gray and palettes are spread out; of 16 bits the upper
 * eight count; CMYK as Pillow computes it.  Orientation is what its
 * exif_transpose() goes by, where it is said before the pixels.
 *
 * What Pillow decodes is decoded to the same bytes, or it is damaged: a file
 * that ends too soon, a wrong checksum, data that is missing or left over.
 * What comes after the picture is not looked at.
 */
#ifndef IMAGE_PICTURE_H
#define IMAGE_PICTURE_H

#include "image/image.h"
#include "image/source.h"

#define PICTURE_MAX_PIXELS 100000000	/* default of --max-pixels */

enum picture_format { PICTURE_JPEG, PICTURE_PNG, PICTURE_PPM };

struct picture_info {
	enum picture_format format;
	uint32_t width, height;	/* pixels, of the rows as they come */
	/*
	 * EXIF orientation, 1 to 8, 1 where none is said: the rows are as they
	 * are stored, and this is what is to be done to see the picture
	 * upright.  From 5 on its width and height change places.
	 */
	uint8_t orientation;
};

struct picture;

/* True if a file that begins with head, of 8 bytes or fewer where there are no
 * more, may be one of these formats. */
bool picture_known(struct bytes head);

/*
 * Reads the header.  Refuses with NPU_EFORMAT, before memory is taken for it,
 * what has more than max_pixels, and what is none of these formats.
 */
int picture_open(struct picture **picture, struct picture_source source,
    uint64_t max_pixels, struct npu_err *err);
const struct picture_info *picture_info(const struct picture *p);

/*
 * Decodes a JPEG at 1/denominator of its size (2, 4 or 8), which libjpeg does
 * within its inverse transform; before the first row.  Other formats stay as
 * they are.  picture_info() tells what came of it.
 */
int picture_shrink(struct picture *p, unsigned denominator,
    struct npu_err *err);

/*
 * The next rows, at most most of them, to rows: 4 bytes a pixel, red, green,
 * blue and one without meaning, width * 4 bytes a row.  Their number, 0 at the
 * end, negative for a damaged or cut file.  A picture is whole only when 0 was
 * answered: what comes behind the last row is looked at then.
 */
int picture_rows(struct picture *p, uint8_t *rows, unsigned most,
    struct npu_err *err);

/*
 * Asks for planes in the place of rows, before the first row: true if they will
 * come, and if not, nothing has changed.  They come of a JPEG of Y, Cb and Cr
 * (JFIF) that has one of the latter two for 2 x 2 of the first (4:2:0), and was
 * not shrunk.
 */
bool picture_planes(struct picture *p);

enum {
	PICTURE_BAND = 16,		/* rows of pixels in a band */
	PICTURE_BAND_ROWS = 24,		/* of bytes */
	PICTURE_STRIDE = 64,
};

/*
 * The next band of planes to band: PICTURE_BAND_ROWS rows of bytes, stride
 * apart, which is a multiple of PICTURE_STRIDE and no less than the width.
 * First a row of Y for each row of pixels; then, for each two of them, a row
 * with Cb in its first half and Cr in its second.  There are (width + 1) / 2 of
 * either, and half of the height as well is rounded up; the bytes beyond, to
 * the right and in the last band below, have no meaning.
 *
 * Answers how many rows of pixels the band has, 0 at the end; what is said of
 * picture_rows() holds.
 */
int picture_band(struct picture *p, uint8_t *band, size_t stride,
    struct npu_err *err);
void picture_close(struct picture *p);	/* NULL is allowed */

/* All of it, upright.  Owned by the caller: free(image->rgb). */
int picture_read(struct picture_source source, uint64_t max_pixels,
    struct image *image, struct npu_err *err);

#endif
