// SPDX-License-Identifier: Apache-2.0
/* A detector's input and results without memory, and the lists that are used
 * with them. */
#include "base/err.h"
#include "nomem.h"
#include "pieces.h"
#include "vision/classnames.h"
#include "vision/imageids.h"
#include "vision/prep.h"
#include "vision/record.h"
#include "vision/yolo.h"

static struct bytes
text(const char *s)
{
	return (struct bytes){ (const uint8_t *)s, strlen(s) };
}

/* Prepares a file of 2 x 2 pixels, and compares the values with want. */
static int
prepare_as(const struct prep_recipe *recipe, struct bytes file,
    const uint8_t *want, struct npu_err *err)
{
	const struct prep_limits limits = { .max_pixels = 4 };
	uint8_t out[12];
	struct geometry g;
	struct prep *p;
	int rc = prep_open(&p, recipe, err);

	if (rc < 0)
		return rc;
	rc = prep_picture(p, (struct picture_source){ read_piece, &file },
	    &limits, out, &g, err);
	if (rc == 0 && memcmp(out, want, sizeof(out)) != 0)
		rc = NOMEM_WRONG;
	prep_close(p);
	return rc;
}

static const struct prep_recipe plain = { .width = 2, .height = 2,
	.fit = FIT_STRETCH, .layout = LAYOUT_HWC, .divisor = 1,
	.deviation = { 1, 1, 1 },
	.tensor = { .dtype = NPU_U8, .scale = 1 } };

static int
prepare(struct npu_err *err)
{
	const uint8_t want[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };

	return prepare_as(&plain,
	    text("P6 2 2 255\n\1\2\3\4\5\6\7\10\11\12\13\14"), want, err);
}

/* Prepares a picture of one bit a pixel as it is stored, by the nearest pixel;
 * 0 is white. */
static int
prepare_stored(struct npu_err *err)
{
	const uint8_t want[] = { 0, 0, 0, 255, 255, 255,
	    255, 255, 255, 0, 0, 0 };
	struct prep_recipe stored = plain;

	stored.as_stored = true;
	return prepare_as(&stored, text("P4 2 2\n\200\100"), want, err);
}

/* Decodes one box of one class, from an odd address. */
static int
detect(struct npu_err *err)
{
	const float numbers[] = { 8, 8, 4, 4, .75f };
	const struct npu_tensor t = { .dtype = NPU_F32, .scale = 1,
	    .ndim = 2, .dim = { 5, 1 }, .size = sizeof(numbers) };
	const struct yolo_shape shape = { 1, 1, false };
	const struct geometry g = { 16, 16, 16, 16, 16, 16, 0, 0 };
	const struct yolo_options o = { .conf = .5, .iou = .5 };
	const struct detection *found;
	_Alignas(float) uint8_t odd[sizeof(numbers) + 1];
	struct yolo *y;
	size_t n;
	int rc = yolo_open(&y, &t, &shape, err);

	if (rc < 0)
		return rc;
	memcpy(odd + 1, numbers, sizeof(numbers));
	for (int i = 0; i < 2 && rc == 0; i++) {
		rc = yolo_decode(y, odd + 1, &g, &o, &found, &n, NULL, err);
		if (rc == 0 && (n != 1 || found->confidence != .75f ||
		    found->box[0] != 6 || found->box[3] != 10))
			rc = NOMEM_WRONG;
	}
	yolo_close(y);
	return rc;
}

static int
read_record(struct npu_err *err)
{
	struct bytes b = text("{\"schema\":\"yolo-detect/1\",\"width\":8,"
	    "\"height\":6,\"detections\":[]}");
	struct records *records;
	struct detection_record r;
	int rc = records_open(&records, (struct picture_source){ read_piece,
	    &b }, err);

	if (rc < 0)
		return rc;
	rc = records_next(records, &r, err);
	if (rc > 0)
		rc = r.width == 8 && r.n == 0 ? 0 : NOMEM_WRONG;
	records_close(records);
	return rc;
}

static int
read_names(struct npu_err *err)
{
	struct classnames names;
	int rc = classnames_read(&names, text("bus\ncar\n"), err);

	if (rc < 0)
		return rc;
	rc = names.n == 2 && strcmp(names.name[1], "car") == 0 ? 0 :
	    NOMEM_WRONG;
	classnames_free(&names);
	return rc;
}

static int
name_all(struct npu_err *err)
{
	struct classnames names;
	int rc = classnames_default(&names, 300, err);

	if (rc < 0)
		return rc;
	rc = strcmp(names.name[299], "class299") == 0 ? 0 : NOMEM_WRONG;
	classnames_free(&names);
	return rc;
}

static int
read_ids(struct npu_err *err)
{
	struct imageids ids;
	uint64_t id;
	int rc = imageids_read(&ids, text("7 a.jpg\n5 b.jpg\n"), err);

	if (rc < 0)
		return rc;
	rc = imageids_find(&ids, "b.jpg", &id) && id == 5 ? 0 : NOMEM_WRONG;
	imageids_free(&ids);
	return rc;
}

int
main(void)
{
	nomem("preparing an input", prepare);
	nomem("preparing an input from a picture as it is stored",
	    prepare_stored);
	nomem("decoding the results of a detector", detect);
	nomem("reading a record of detections", read_record);
	nomem("reading the names of classes", read_names);
	nomem("making names for classes", name_all);
	nomem("reading the ids of pictures", read_ids);
	return done();
}
