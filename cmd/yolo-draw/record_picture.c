// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "record_picture.h"

static int
read_input(const struct record_pictures *p, const char *path,
    struct bytes bytes, struct image *image, struct npu_err *err)
{
	struct picture_input in;
	int rc;

	if ((rc = picture_input(&in, path, bytes, err)) < 0)
		return rc;
	rc = picture_read(in.source, p->max_pixels, image, err);
	picture_input_close(&in);
	return rc;
}

void
record_pictures_close(struct record_pictures *p)
{
	pictures_close(&p->stream);
	free(p->path[0]);
	p->path[0] = NULL;
	p->frame = 0;
}

/* Reads the stream up to picture number frame, and decodes that picture.  The
 * pictures before it do not have a record, and are skipped. */
static int
read_frame(struct record_pictures *p, const char *path, uint64_t frame,
    struct image *image, struct npu_err *err)
{
	struct picture_item item = { 0 };

	if (p->path[0] != NULL && strcmp(p->path[0], path) != 0)
		record_pictures_close(p);
	if (p->path[0] == NULL) {
		p->path[0] = cmd_copy(path);
		p->stream.max_pixels = p->max_pixels;
		pictures_open(&p->stream, p->path);
	}
	if (frame <= p->frame)
		return npu_fail(err, NPU_EUSAGE, "was read before; records "
		    "must be in the order of the stream");
	while (p->frame < frame) {
		if (!pictures_next(&p->stream, &item))
			return npu_fail(err, NPU_EFORMAT, "the stream has "
			    "only %" PRIu64, p->frame);
		if (item.number == 0)
			break;		/* it cannot be opened */
		p->frame = item.number;
	}
	if (item.error != NULL)
		return npu_fail(err, NPU_EFORMAT, "%s", item.error);
	return read_input(p, NULL, item.bytes, image, err);
}

int
record_picture_read(struct record_pictures *p, const char *path,
    const struct detection_record *r, struct image *image, struct npu_err *err)
{
	if (!p->stream.streams && !p->operands && r->frame != 0)
		return npu_fail(err, NPU_EUSAGE, "record %" PRIu64 " belongs "
		    "to picture %" PRIu32 " of a stream; --stream=mjpeg or ppm "
		    "reads it", r->number, r->frame);
	if (!p->stream.streams)
		return read_input(p, path, (struct bytes){ 0 }, image, err);
	if (r->frame == 0)
		return npu_fail(err, NPU_EUSAGE, "record %" PRIu64 " does not "
		    "belong to a stream: it has no \"frame\"", r->number);
	return read_frame(p, path, r->frame, image, err);
}
