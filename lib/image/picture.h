/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pictures as files hold them: JPEG, PNG, PPM and its kin, recognised by their
 * first bytes.  Rows come as they are decoded, so that a picture need not be in
 * memory as a whole.
 *
 *	picture_open(&p, source, max_pixels, &err);
 *	info = picture_info(p);
 *	while ((n = picture_rows(p, rows, most, &err)) > 0)
 *		...
 *	picture_close(p);
 *
 * The colours are those of Pillow's Image.convert("RGB"): transparency is
 * dropped, not blended; gray and palettes are expanded; of 16 bits the upper
 * eight count; CMYK as Pillow computes it.  Orientation is the one that its
 * exif_transpose() uses, if it comes before the pixels.
 *
 * A picture that Pillow decodes is decoded to the same bytes, or it is damaged:
 * a file that ends too soon, a wrong checksum, data that is missing, or left
 * over before the last row.  Bytes after the picture are ignored.
 */
#ifndef IMAGE_PICTURE_H
#define IMAGE_PICTURE_H

#include "image/image.h"
#include "image/source.h"

/* The default of --max-pixels, from which on Pillow also refuses pictures
 * (twice its MAX_IMAGE_PIXELS). */
#define PICTURE_MAX_PIXELS 178956970

#define PICTURE_LEFT_OVER "JPEG: data is left over after the last row; all " \
	"rows are there"

enum picture_format { PICTURE_JPEG, PICTURE_PNG, PICTURE_PPM };

/* What a pixel is in the file. */
enum picture_mode {
	PICTURE_PLAIN,		/* gray of at most 8 bits, or colours */
	PICTURE_ALPHA,		/* either, and how much it covers */
	PICTURE_TABLE,		/* an index of a palette, or one bit */
	PICTURE_CMYK,
	PICTURE_WIDE,		/* gray of more than 8 bits */
};

struct picture_info {
	enum picture_format format;
	uint32_t width, height;	/* pixels, of the rows as they come */
	/*
	 * EXIF orientation, 1 to 8, 1 where there is none: rows come as they
	 * are stored, and this is what makes the picture upright.  From 5 on
	 * its width and height change places.
	 */
	uint8_t orientation;
	enum picture_mode mode;
	/* After the last row: a JPEG has more data than that of its rows. */
	bool left_over;
};

struct picture;

/* Whether a file that begins with head may be one of these formats.  head has 8
 * bytes, or the whole file if that is shorter. */
bool picture_known(struct bytes head);

/*
 * Reads the header.  NPU_EFORMAT, before memory is allocated for it, for a
 * picture of more than max_pixels and for any other format.
 */
int picture_open(struct picture **picture, struct picture_source source,
    uint64_t max_pixels, struct npu_err *err);
const struct picture_info *picture_info(const struct picture *p);

/*
 * Decodes a JPEG at 1/denominator of its size (2, 4 or 8), which libjpeg does
 * within its inverse transform.  Call it before the first row.  Other formats
 * stay as they are; picture_info() has the resulting size.
 */
int picture_shrink(struct picture *p, unsigned denominator,
    struct npu_err *err);

/*
 * Asks for the picture as it is stored, before the first row: its orientation
 * counts as 1, and rows of PICTURE_CMYK are cyan, magenta, yellow and black,
 * 255 all of it.
 */
void picture_as_stored(struct picture *p);

/*
 * Reads the next rows, at most most of them, to rows: width * 4 bytes a row, 4
 * bytes a pixel: red, green, blue and one of alpha, or, unless the picture is
 * PICTURE_ALPHA, without meaning.  Returns their number, 0 at the end, negative
 * for a damaged or cut file.  Only the 0 confirms that the picture is complete,
 * because the data after the last row is checked then.
 */
int picture_rows(struct picture *p, uint8_t *rows, unsigned most,
    struct npu_err *err);

/*
 * Asks for planes instead of rows, before the first row.  True if they will
 * come; if not, nothing has changed.  They come from a JPEG of Y, Cb and Cr
 * (JFIF) that has one Cb and one Cr for each 2 x 2 of Y (4:2:0) and was not
 * shrunk.
 */
bool picture_planes(struct picture *p);

enum {
	PICTURE_BAND = 16,		/* rows of pixels in a band */
	PICTURE_BAND_ROWS = 24,		/* of bytes */
	PICTURE_STRIDE = 64,
};

/*
 * Reads the next band of planes to band: PICTURE_BAND_ROWS rows of bytes,
 * stride apart, which is a multiple of PICTURE_STRIDE and no less than the
 * width.  First a row of Y for each row of pixels; then, for each two of them,
 * a row with Cb in its first half and Cr in its second.  Each has (width + 1) /
 * 2 values, and half of the height is rounded up as well; the bytes beyond, to
 * the right and in the last band below, have no meaning.
 *
 * Returns how many rows of pixels the band has, 0 at the end; otherwise as
 * picture_rows().
 */
int picture_band(struct picture *p, uint8_t *band, size_t stride,
    struct npu_err *err);
void picture_close(struct picture *p);	/* NULL is allowed */

/* The whole picture, upright.  Owned by the caller: free(image->rgb).  1 where
 * data was left over after the last row; PICTURE_LEFT_OVER says so. */
int picture_read(struct picture_source source, uint64_t max_pixels,
    struct image *image, struct npu_err *err);

#endif
