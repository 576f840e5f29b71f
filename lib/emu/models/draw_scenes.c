// SPDX-License-Identifier: Apache-2.0
/*
 * draw-scenes - scenes of several things among clutter, and where they are.
 *
 * Pictures go to stdout: labelled tensors as yolov8n takes them, or PPM.  What
 * is true of them goes to --truth, one JSON object a line.
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "npu.h"
#include "things.h"
#include "tool.h"

const char *const tool_name = "draw-scenes";

enum format { FORMAT_TENSOR, FORMAT_PPM, FORMAT_NONE };

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

struct scenes_order {
	uint32_t count, seed, first;
	struct scene_kind kind;
	enum format format;
	bool raw, classes;
	FILE *truth;
};

static void
put_tensor(struct canvas *c, bool raw)
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
	uint8_t head[NPU_LABEL_SIZE];
	struct npu_err err;

	for (uint32_t i = 0; i < plane; i++)
		for (uint32_t k = 0; k < 3; k++)
			out[k * plane + i] = c->rgb[3 * i + k];
	if (!raw) {
		if (npu_label_encode(&label, head, &err) < 0)
			die(1, "%s", err.msg);
		put(head, sizeof(head));
	}
	put(out, 3 * plane);
}

static void
put_ppm(const struct canvas *c)
{
	char head[40];

	snprintf(head, sizeof(head), "P6\n%d %d\n255\n", c->side, c->side);
	put(head, strlen(head));
	put(c->rgb, (size_t)3 * c->side * c->side);
}

static void
put_truth(FILE *f, const struct scene_truth *t, int side, uint32_t index)
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
	fprintf(f, "],\"clutter\":%d,\"noise\":%d,\"background\":\"%s\"}\n",
	    t->clutter, t->noise, t->background);
	if (fflush(f) != 0)
		die(1, "truth: %s", strerror(errno));
}

static void
draw(const struct scenes_order *o)
{
	static struct canvas canvas;
	struct scene_truth t;

	for (uint32_t i = 0; i < o->count; i++) {
		things_draw(&canvas, &t, &o->kind, o->seed, o->first + i);
		if (o->truth != NULL)
			put_truth(o->truth, &t, o->kind.side, o->first + i);
		if (o->format == FORMAT_TENSOR)
			put_tensor(&canvas, o->raw);
		if (o->format == FORMAT_PPM)
			put_ppm(&canvas);
	}
}

static const struct option options[] = {
	{ "count", required_argument, NULL, 'n' },
	{ "seed", required_argument, NULL, 'S' },
	{ "first", required_argument, NULL, 'i' },
	{ "split", required_argument, NULL, 's' },
	{ "format", required_argument, NULL, 'F' },
	{ "raw", no_argument, NULL, 'r' },
	{ "truth", required_argument, NULL, 't' },
	{ "side", required_argument, NULL, 1 },
	{ "least", required_argument, NULL, 2 },
	{ "most", required_argument, NULL, 3 },
	{ "objects", required_argument, NULL, 4 },
	{ "classes", no_argument, NULL, 5 },
	{ "bare", no_argument, NULL, 6 },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static int
pixels(const char *option, const char *arg)
{
	return (int)number(option, arg, 16, MOST_SIDE);
}

static void
take_option(struct scenes_order *o, int opt)
{
	static const char *const splits[] = { "test", "train", NULL };
	static const char *const formats[] = { "tensor", "ppm", "none",
	    NULL };

	switch (opt) {
	case 'n': o->count = number("--count", optarg, 0, 1 << 30); break;
	case 'S': o->seed = number("--seed", optarg, 0, UINT32_MAX); break;
	case 'i': o->first = number("--first", optarg, 0, 1 << 30); break;
	case 's': o->kind.train = choice("--split", optarg, splits); break;
	case 'F': o->format = choice("--format", optarg, formats); break;
	case 'r': o->raw = true; break;
	case 't': o->truth = open_file(optarg, "w"); break;
	case 1: o->kind.side = pixels("--side", optarg); break;
	case 2: o->kind.least = pixels("--least", optarg); break;
	case 3: o->kind.most = pixels("--most", optarg); break;
	case 4:
		o->kind.objects = (int)number("--objects", optarg, 1,
		    MOST_OBJECTS);
		break;
	case 5: o->classes = true; break;
	case 6: o->kind.bare = true; break;
	case 'h': fputs(help, stdout); finish();
	default: exit(2);
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
	struct scenes_order o = { .count = 1, .seed = 1, .kind = { .side = 640,
	    .least = 26, .most = 384, .objects = MOST_OBJECTS } };
	int opt;

	while ((opt = getopt_long(argc, argv, "n:S:i:s:F:rt:h", options,
	    NULL)) != -1)
		take_option(&o, opt);
	if (optind != argc)
		die(2, "'%s': no operand is taken", argv[optind]);
	check_kind(&o.kind);
	for (unsigned i = 0; o.classes && i < THINGS; i++)
		printf("%u %s\n", thing_ids[i], thing_names[i]);
	if (!o.classes)
		draw(&o);
	if (o.truth != NULL && fclose(o.truth) != 0)
		die(1, "truth: %s", strerror(errno));
	finish();
}
