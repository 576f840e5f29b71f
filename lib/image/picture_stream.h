/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Splits a stream of concatenated pictures: either JPEGs ("Motion JPEG", as
 * sent by cameras and ffmpeg -f mjpeg; other bytes between them, such as HTTP
 * headers, are skipped) or PPM, PGM and PBM, raw and plain, with or without
 * white space between pictures.
 *
 * After damage the search continues with the next picture.  A picture that
 * looks damaged is still returned: its decoder reports what is wrong, and the
 * number of pictures stays right.  In the same way, other bytes between PPMs
 * count as a picture that is truncated or not a PPM.
 */
#ifndef IMAGE_PICTURE_STREAM_H
#define IMAGE_PICTURE_STREAM_H

#include "base/bytes.h"
#include "image/source.h"

enum picture_stream_kind { PICTURE_STREAM_MJPEG, PICTURE_STREAM_PPM };

struct picture_stream;

/* Opens a stream.  limit: the maximum of bytes in a picture.  It needs memory
 * for the largest picture seen so far. */
int picture_stream_open(struct picture_stream **stream,
    enum picture_stream_kind kind, struct picture_source source, uint64_t limit,
    struct npu_err *err);

/*
 * Reads the next picture.  Returns 1 and the picture's bytes, which are valid
 * until the next call; 0 at the end.  NPU_EFORMAT for a picture beyond the
 * limit, or for other bytes in the place of a PPM: these bytes are skipped, and
 * you can call it again.  Other errors are final.
 */
int picture_stream_next(struct picture_stream *s, struct bytes *picture,
    struct npu_err *err);

/* Returns the number of bytes before the last picture that belong to no
 * picture. */
uint64_t picture_stream_skipped(const struct picture_stream *s);
void picture_stream_close(struct picture_stream *s);	/* NULL is allowed */

#endif
