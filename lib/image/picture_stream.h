/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stream of pictures, one behind the other, cut into single ones: JPEGs
 * ("Motion JPEG", as cameras and ffmpeg -f mjpeg send it; what stands between
 * them, such as the headers of HTTP, is skipped) or PPM, PGM and PBM, raw and
 * plain, with or without white space between.
 *
 * After damage the search goes on for the next picture.  What looks like one
 * that is broken is still given out: its decoder says what is wrong with it,
 * and the number of pictures stays right.  So it does for bytes between PPMs:
 * they are the place of a picture that is no PPM, or was cut.
 */
#ifndef IMAGE_PICTURE_STREAM_H
#define IMAGE_PICTURE_STREAM_H

#include "base/bytes.h"
#include "image/source.h"

enum picture_stream_kind { PICTURE_STREAM_MJPEG, PICTURE_STREAM_PPM };

struct picture_stream;

/* limit: bytes of a picture.  Memory is that of the largest seen so far. */
int picture_stream_open(struct picture_stream **stream,
    enum picture_stream_kind kind, struct picture_source source, uint64_t limit,
    struct npu_err *err);

/*
 * The next picture: 1, and its bytes until the next call; 0 at the end;
 * NPU_EFORMAT for one beyond the limit, or for what stands in the place of a
 * PPM, which is skipped: call again; other errors are the end.
 */
int picture_stream_next(struct picture_stream *s, struct bytes *picture,
    struct npu_err *err);

/* Bytes before the last picture that are part of none. */
uint64_t picture_stream_skipped(const struct picture_stream *s);
void picture_stream_close(struct picture_stream *s);	/* NULL is allowed */

#endif
