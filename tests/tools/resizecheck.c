// SPDX-License-Identifier: Apache-2.0
/*
 * resizecheck [float] - resizes the pictures that tests/tools/resize.py writes,
 * and prints which results differ from Pillow's.  With "float", results may
 * differ by 1, and bicubic results by more, because Pillow clips between the
 * passes.
 *
 * A case is a line with nine numbers, "filter width height orientation to_width
 * to_height left top columns rows", then the pixels as they are stored (RGB),
 * then the pixels of the part as Pillow makes it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/resample.h"

struct part {
	uint8_t *rgb;
	uint32_t columns, rows, seen;
};

static void
take_row(void *arg, uint32_t y, const uint8_t *pixels)
{
	struct part *p = arg;
	uint8_t *to = p->rgb + (size_t)y * p->columns * 3;

	if (y >= p->rows)
		abort();
	for (uint32_t x = 0; x < p->columns; x++)
		memcpy(to + 3 * x, pixels + 4 * x, 3);
	p->seen++;
}

static uint8_t *
read_bytes(size_t n)
{
	uint8_t *p = malloc(n);

	if (p == NULL || fread(p, 1, n, stdin) != n) {
		fprintf(stderr, "resizecheck: the case is cut short\n");
		exit(2);
	}
	return p;
}

/* Feeds the rows in runs of changing length. */
static void
feed(struct resample *r, const uint8_t *rgb, const struct resample_spec *s)
{
	unsigned most, n, run = 1;

	for (uint32_t y = 0; y < s->height; y += n, run = run % 7 + 1) {
		uint8_t *to = resample_room(r, &most);

		n = run < most ? run : most;
		if (n > s->height - y)
			n = s->height - y;
		for (size_t i = 0; i < (size_t)n * s->width; i++) {
			memcpy(to + 4 * i, rgb + ((size_t)y * s->width + i) *
			    3, 3);
			to[4 * i + 3] = (uint8_t)i;
		}
		resample_add_rows(r, n);
	}
}

static bool
same(int a, int b, const struct resample_spec *s)
{
	return a == b || (s->floats && (s->filter == FILTER_BICUBIC ||
	    abs(a - b) == 1));
}

static bool
one(const char *line, const struct resample_spec *s)
{
	size_t n = (size_t)s->columns * s->rows * 3;
	uint8_t *rgb = read_bytes((size_t)s->width * s->height * 3);
	uint8_t *want = read_bytes(n);
	struct part p = { malloc(n), s->columns, s->rows, 0 };
	struct resample *r;
	struct npu_err err;
	bool good = true;

	if (p.rgb == NULL || resample_open(&r, s, take_row, &p, &err) < 0)
		abort();
	feed(r, rgb, s);
	resample_close(r);
	for (size_t i = 0; good && i < n; i++) {
		good = p.seen == s->rows && same(p.rgb[i], want[i], s);
		if (!good)
			printf("%s: byte %zu of %zu is %u, not %u; %u rows\n",
			    line, i, n, p.rgb[i], want[i], p.seen);
	}
	free(p.rgb);
	free(want);
	free(rgb);
	return good;
}

int
main(int argc, char *argv[])
{
	struct resample_spec s = { .floats = argc > 1 &&
	    strcmp(argv[1], "float") == 0 };
	unsigned cases = 0, bad = 0, filter, orientation;
	char line[200];

	while (fgets(line, sizeof(line), stdin) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		if (sscanf(line, "%u %" SCNu32 " %" SCNu32 " %u %" SCNu64
		    " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu32
		    " %" SCNu32, &filter, &s.width, &s.height, &orientation,
		    &s.to_width, &s.to_height, &s.left, &s.top, &s.columns,
		    &s.rows) != 10) {
			fprintf(stderr, "resizecheck: no case: %s\n", line);
			return 2;
		}
		s.filter = (enum filter)filter;
		s.orientation = (uint8_t)orientation;
		bad += !one(line, &s);
		cases++;
	}
	printf("%u cases, %u unlike\n", cases, bad);
	return bad > 0;
}
