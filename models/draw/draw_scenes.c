// SPDX-License-Identifier: Apache-2.0
/*
 * draw-scenes - draws scenes of several objects among clutter, with their boxes
 *
 * Writes pictures to stdout, as labelled tensors for yolov8n or as PPM, and
 * their ground truth to --truth, one JSON object per line.
 */
#include <stdio.h>

#include "draw_options.h"
#include "objects.h"
#include "options.h"

static const char help[] =
"usage: draw-scenes [-r] [-n count] [-S seed] [options]\n"
"       draw-scenes --classes\n"
"\n"
"  -n, --count=N        pictures (1)\n"
"  -S, --seed=N         other pictures (1)\n"
"  -i, --first=N        number of the first picture (0)\n"
"  -s, --split=NAME     test or train: pictures of one never occur in the\n"
"                       other (test)\n"
"  -F, --format=NAME    tensor, ppm or none (tensor)\n"
"  -r, --raw            tensors without their labels\n"
"  -t, --truth=FILE     what is in each picture, as JSON lines\n"
"      --side=N         pixels, a multiple of 32 to 640 (640)\n"
"      --least=N        larger side of the smallest object, pixels (26)\n"
"      --most=N         of the largest (384)\n"
"      --objects=N      1 to this many objects, at most 8 (8)\n"
"      --bare           plain ground, no clutter, no noise\n"
"      --classes        print COCO's number and the name of each class\n"
"  -h, --help           this text\n";

struct scenes_options {
	struct draw_options draw;
	struct scene_kind kind;
	bool classes;
};

static void
write_picture(struct canvas *c, bool raw)
{
	static uint8_t out[3 * MOST_SIDE * MOST_SIDE];
	uint32_t side = (uint32_t)c->side, plane = side * side;
	const struct npu_label label = {
		.tensor = {
			.dtype = NPU_U8, .ndim = 4,
			.dim = { 1, 3, side, side }, .scale = 255,
			.size = 3 * plane,
		},
		.index = 0,
		.count = 1,
	};

	for (uint32_t i = 0; i < plane; i++)
		for (uint32_t k = 0; k < 3; k++)
			out[k * plane + i] = c->rgb[3 * i + k];
	write_tensor(&label, out, raw);
}

static void
write_truth(FILE *f, const struct scene_truth *t, int side, uint32_t index)
{
	const struct object *o;

	fprintf(f, "{\"picture\":%u,\"width\":%d,\"height\":%d,\"objects\":[",
	    index, side, side);
	for (int i = 0; i < t->n; i++) {
		o = &t->object[i];
		fprintf(f, "%s{\"class\":\"%s\",\"id\":%u,"
		    "\"box\":[%.4f,%.4f,%.4f,%.4f],\"hidden\":%.4f}",
		    i > 0 ? "," : "", thing_names[o->thing],
		    thing_ids[o->thing], (double)o->box[0] / UNIT,
		    (double)o->box[1] / UNIT, (double)o->box[2] / UNIT,
		    (double)o->box[3] / UNIT, (double)o->hidden / o->pixels);
	}
	fprintf(f, "],\"clutter\":%d,\"noise\":%d,\"background\":\"%s\"}",
	    t->clutter, t->noise, t->background);
	truth_end_line(f);
}

static void
draw(const struct scenes_options *o)
{
	const struct draw_options *d = &o->draw;
	static struct canvas canvas;
	struct scene_truth t;

	for (uint32_t i = 0; i < d->count; i++) {
		things_draw(&canvas, &t, &o->kind, d->seed, d->first + i);
		if (d->truth != NULL)
			write_truth(d->truth, &t, o->kind.side, d->first + i);
		if (d->format == FORMAT_TENSOR)
			write_picture(&canvas, d->raw);
		if (d->format == FORMAT_PPM)
			write_ppm(&canvas);
	}
}

/* ---- Main ------------------------------------------------------------- */

static const struct option options[] = {
	DRAW_ROWS,
	{ "split", required_argument, NULL, 's' },
	{ "side", required_argument, NULL, 1 },
	{ "least", required_argument, NULL, 2 },
	{ "most", required_argument, NULL, 3 },
	{ "objects", required_argument, NULL, 4 },
	{ "classes", no_argument, NULL, 5 },
	{ "bare", no_argument, NULL, 6 },
	{ NULL, 0, NULL, 0 },
};

static int
pixels(const char *option, const char *arg)
{
	return (int)number(option, arg, 16, MOST_SIDE);
}

static void
parse_option(struct scenes_options *o, int opt)
{
	static const char *const splits[] = { "test", "train", NULL };

	switch (opt) {
	case 's': o->kind.train = choice("--split", optarg, splits); break;
	case 1: o->kind.side = pixels("--side", optarg); break;
	case 2: o->kind.least = pixels("--least", optarg); break;
	case 3: o->kind.most = pixels("--most", optarg); break;
	case 4:
		o->kind.objects = (int)number("--objects", optarg, 1,
		    MOST_OBJECTS);
		break;
	case 5: o->classes = true; break;
	case 6: o->kind.bare = true; break;
	default: draw_parse_option(&o->draw, opt, help);
	}
}

static void
check_kind(const struct scene_kind *k)
{
	if (k->side % 32 != 0)
		die(2, "--side: %d is not a multiple of 32", k->side);
	if (k->least > k->most || k->most > k->side)
		die(2, "--least=%d --most=%d --side=%d: not in this order",
		    k->least, k->most, k->side);
}

int
main(int argc, char *argv[])
{
	struct scenes_options o = { .draw = { .count = 1, .seed = 1 },
	    .kind = { .side = 640, .least = 26, .most = 384,
	    .objects = MOST_OBJECTS } };
	int opt;

	while ((opt = getopt_long(argc, argv, DRAW_LETTERS "s:", options,
	    NULL)) != -1)
		parse_option(&o, opt);
	if (optind != argc)
		die(2, "'%s': no operand is taken", argv[optind]);
	check_kind(&o.kind);
	for (unsigned i = 0; o.classes && i < THINGS; i++)
		printf("%u %s\n", thing_ids[i], thing_names[i]);
	if (!o.classes)
		draw(&o);
	truth_close(o.draw.truth);
	finish();
}
