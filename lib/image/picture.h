/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pictures in files: JPEG, PNG, PPM and its relatives, recognised by their
 * first bytes.  Rows are returned as they are decoded, so the picture as a
 * whole need not be in memory.
 *
 *	picture_open(&p, source, max_pixels, &err);
 *	info = picture_info(p);
 *	while ((n = picture_rows(p, rows, most, &err)) > 0)
 *		...
 *	picture_close(p);
 *
 * The colours are the same as after Pillow's Image.convert("RGB"): transparency
 * is dropped, not blended; gray and palettes are expanded; only the upper eight
 * of 16 bits are used; CMYK is converted as in Pillow.  The orientation is the
 * same as in Pillow's exif_transpose(), if the file has it before the pixels.
 *
 * A picture that Pillow decodes is either decoded to the same bytes or refused
 * as damaged: the file ends too soon, a checksum is wrong, data is missing, or
 * data is left over before the last row.  Bytes after the picture are ignored.
 */
#ifndef IMAGE_PICTURE_H
#define IMAGE_PICTURE_H

#include "image/image.h"
#include "image/source.h"

/* The default of --max-pixels.  Pillow also refuses pictures from this size on
 * (twice its MAX_IMAGE_PIXELS). */
#define PICTURE_MAX_PIXELS 178956970

#define PICTURE_LEFT_OVER "JPEG: data is left over after the last row; all " \
	"rows are there"

enum picture_format { PICTURE_JPEG, PICTURE_PNG, PICTURE_PPM };

/* The kind of pixels in the file. */
enum picture_mode {
	PICTURE_PLAIN,		/* gray of at most 8 bits, or colours */
	PICTURE_ALPHA,		/* either of them, with alpha */
	PICTURE_TABLE,		/* an index into a palette, or one bit */
	PICTURE_CMYK,
	PICTURE_WIDE,		/* gray of more than 8 bits */
};

struct picture_info {
	enum picture_format format;
	uint32_t width, height;	/* pixels, of the rows as returned */
	/*
	 * EXIF orientation, 1 to 8; 1 if the file has none.  Rows are returned
	 * as they are stored; this orientation makes the picture upright.  From
	 * 5 on, the upright picture has width and height exchanged.
	 */
	uint8_t orientation;
	enum picture_mode mode;
	/* Set after the last row: a JPEG has more data than its rows need. */
	bool left_over;
};

struct picture;

/* Returns whether a file that begins with head may have one of these formats.
 * head has 8 bytes, or the whole file if the file is shorter. */
bool picture_known(struct bytes head);

/*
 * Reads the header.  A picture of more than max_pixels, or any other format, is
 * NPU_EFORMAT before memory for the picture is allocated.
 */
int picture_open(struct picture **picture, struct picture_source source,
    uint64_t max_pixels, struct npu_err *err);
const struct picture_info *picture_info(const struct picture *p);

/*
 * Decodes a JPEG at 1/denominator of its size (2, 4 or 8), which libjpeg does
 * within its inverse transform.  Call it before the first row.  Other formats
 * keep their size; picture_info() has the resulting size.
 */
int picture_shrink(struct picture *p, unsigned denominator,
    struct npu_err *err);

/*
 * Returns the rows of the picture as stored: the orientation counts as 1, and
 * rows of PICTURE_CMYK have cyan, magenta, yellow and black, with 255 for full
 * ink.  Call it before the first row.
 */
void picture_as_stored(struct picture *p);

/*
 * Reads at most most of the next rows to rows.  A row has width * 4 bytes, a
 * pixel 4 bytes: red, green, blue and alpha; unless the picture is
 * PICTURE_ALPHA, the last byte has no meaning.  Returns the number of rows, 0
 * at the end, negative if the file is damaged or truncated.  Only the 0
 * confirms that the picture is complete, because the data after the last row is
 * checked then.
 */
int picture_rows(struct picture *p, uint8_t *rows, unsigned most,
    struct npu_err *err);

/*
 * Asks for planes instead of rows; call it before the first row.  Returns true
 * if planes will be returned; otherwise nothing has changed.  Planes need a
 * JPEG of Y, Cb and Cr (JFIF) that has one Cb and one Cr for each 2 x 2 of Y
 * (4:2:0) and was not shrunk.
 */
bool picture_planes(struct picture *p);

enum {
	PICTURE_BAND = 16,		/* rows of pixels in a band */
	PICTURE_BAND_ROWS = 24,		/* rows of bytes in a band */
	PICTURE_STRIDE = 64,
};

/*
 * Reads the next band of planes to band: PICTURE_BAND_ROWS rows of bytes,
 * stride bytes apart.  stride is a multiple of PICTURE_STRIDE and at least the
 * width.  A band begins with one row of Y for each row of pixels.  Then, for
 * each two rows of pixels, a row follows with Cb in its first half and Cr in
 * its second half.  Cb and Cr each have (width + 1) / 2 values; half of the
 * height is rounded up as well.  The bytes beyond them, to the right and at the
 * end of the last band, have no meaning.
 *
 * Returns the number of rows of pixels in the band, 0 at the end, negative on
 * failure, as picture_rows().
 */
int picture_band(struct picture *p, uint8_t *band, size_t stride,
    struct npu_err *err);
void picture_close(struct picture *p);	/* NULL is allowed */

/* Reads the whole picture, upright.  Owned by the caller: free(image->rgb).
 * Returns 1 if data was left over after the last row; PICTURE_LEFT_OVER is the
 * message for this case. */
int picture_read(struct picture_source source, uint64_t max_pixels,
    struct image *image, struct npu_err *err);

#endif
