/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by picture.c and the decoders of the formats. */
#ifndef IMAGE_DECODER_H
#define IMAGE_DECODER_H

#include "base/err.h"
#include "image/picture.h"

/*
 * The limit of width and height.  A decoder allocates rows, and libpng clears
 * some, before it has seen their bytes, so larger pictures are refused.  This
 * is libpng's own limit (PNG_USER_WIDTH_MAX); a JPEG has at most 65,500.
 */
#define PICTURE_MAX_SIDE 1000000

/*
 * The buffered bytes of the source.  The buffer is large because libjpeg-turbo
 * reads the last 3 KiB of each buffer by a slower path.
 */
enum { INPUT_SIZE = 1 << 17 };

struct input {
	struct picture_source source;
	uint8_t *own;		/* owned: INPUT_SIZE; NULL for source_bytes() */
	const uint8_t *p;	/* own, or the bytes of source_bytes() */
	size_t at, n;		/* p[at .. n) are not read yet */
	bool ended;
};

struct decoder;

struct picture {
	struct picture_info info;
	const struct decoder *decoder;
	void *state;		/* the decoder's state */
	bool failed;
	bool in_planes;
	bool as_stored;
	struct input in;
};

/* A format, in the table of picture.c. */
struct decoder {
	const char *name;	/* printed before its messages */
	enum picture_format format;
	/* Returns whether a file that begins with head may have this format. */
	bool (*knows)(struct bytes head);
	/*
	 * The functions of picture.h.  close() must also work after open()
	 * failed.  Errors say what is wrong with the file, without its format.
	 */
	int (*open)(struct picture *p, uint64_t max_pixels,
	    struct npu_err *err);
	int (*shrink)(struct picture *p, unsigned denominator,
	    struct npu_err *err);	/* NULL: not supported */
	int (*rows)(struct picture *p, uint8_t *rows, unsigned most,
	    struct npu_err *err);
	bool (*planes)(struct picture *p);	/* NULL: never */
	int (*band)(struct picture *p, uint8_t *to, size_t stride,
	    struct npu_err *err);	/* after planes() was true */
	void (*close)(struct picture *p);
};

extern const struct decoder jpeg_decoder, png_decoder, ppm_decoder;

int input_open(struct input *in, struct picture_source source,
    struct npu_err *err);
void input_close(struct input *in);
/*
 * Reads until p[at .. n) has at least least bytes, or until the source ends.
 * least is small, and at most 1 once bytes were read.  Negative on failure.
 */
int input_fill(struct input *in, size_t least, struct npu_err *err);
/* Reads the next n bytes to p.  Returns the number of bytes read, which is
 * smaller at the end; negative if reading failed. */
int64_t input_read(struct input *in, void *p, size_t n, struct npu_err *err);

/* Converts red, green, blue, as libpng and files store them, to pixels in rows.
 * Reads one byte past in. */
static inline void
widen(uint8_t *out, const uint8_t *in, size_t pixels)
{
	for (; pixels > 0; pixels--, in += 3, out += 4)
		memcpy(out, in, 4);
}

/* Writes the size of the picture to info, or fails if the size is not
 * allowed. */
int decoder_set_size(struct picture *p, uint64_t width, uint64_t height,
    uint64_t max_pixels, struct npu_err *err);

#endif
