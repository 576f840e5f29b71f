// SPDX-License-Identifier: Apache-2.0
/*
 * Records that are accepted can be drawn; the result does not depend on how
 * many bytes arrive at a time.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "large.h"
#include "vision/record.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static int64_t
byte(void *arg, void *p, size_t n, struct npu_err *err)
{
	struct bytes *b = arg;

	(void)err;
	if (n == 0 || b->n == 0)
		return 0;
	*(uint8_t *)p = *b->p++;
	b->n--;
	return 1;
}

static void
draw(const struct detection_record *r)
{
	uint8_t rgb[40 * 30 * 3] = { 0 };
	struct image image = { 40, 30, rgb };
	struct annotate_style style = { .line = 2, .cover = 9 };

	for (size_t i = 0; i < r->n; i++) {
		const struct annotation *a = &r->found[i];

		if (a->name == NULL || !(a->confidence >= 0))
			abort();
		for (int k = 0; k < 4; k++)
			if (!isfinite(a->box[k]))
				abort();
	}
	if (r->error == NULL && (r->width == 0 || r->height == 0))
		abort();
	annotate(&image, r->found, r->n, &style);
}

/* Reads all records; if one is refused, the message is the same both ways. */
static uint64_t
read_all(struct picture_source source, struct npu_err *err)
{
	struct records *records;
	struct detection_record r;
	uint64_t n = 0;

	records_open(&records, source, NULL);
	while (records_next(records, &r, err) > 0) {
		if (r.number != ++n)
			abort();
		draw(&r);
	}
	records_close(records);
	return n;
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct bytes whole = { p, n }, bytes = whole;
	struct npu_err a = { 0 }, b = { 0 };

	if (read_all(source_bytes(&whole), &a) !=
	    read_all((struct picture_source){ byte, &bytes }, &b) ||
	    a.code != b.code || strcmp(a.msg, b.msg) != 0)
		abort();
	return 0;
}
