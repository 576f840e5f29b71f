/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Splits a stream of concatenated pictures: JPEGs ("Motion JPEG", as cameras
 * and ffmpeg -f mjpeg send it; anything between them, such as the headers of
 * HTTP, is skipped) or PPM, PGM and PBM, raw and plain, with or without white
 * space between.
 *
 * After damage the search goes on for the next picture.  A picture that looks
 * broken is still returned: its decoder reports what is wrong with it, and the
 * number of pictures stays right.  The same holds for other bytes between PPMs:
 * they stand for a picture that is no PPM, or was cut.
 */
#ifndef IMAGE_PICTURE_STREAM_H
#define IMAGE_PICTURE_STREAM_H

#include "base/bytes.h"
#include "image/source.h"

enum picture_stream_kind { PICTURE_STREAM_MJPEG, PICTURE_STREAM_PPM };

struct picture_stream;

/* limit: the most bytes of a picture.  Memory is that of the largest seen so
 * far. */
int picture_stream_open(struct picture_stream **stream,
    enum picture_stream_kind kind, struct picture_source source, uint64_t limit,
    struct npu_err *err);

/*
 * Reads the next picture: 1, and its bytes until the next call; 0 at the end.
 * NPU_EFORMAT for a picture beyond the limit, or for other bytes in the place
 * of a PPM: they are skipped, call again.  Other errors are final.
 */
int picture_stream_next(struct picture_stream *s, struct bytes *picture,
    struct npu_err *err);

/* Bytes before the last picture that belong to none. */
uint64_t picture_stream_skipped(const struct picture_stream *s);
void picture_stream_close(struct picture_stream *s);	/* NULL is allowed */

#endif
