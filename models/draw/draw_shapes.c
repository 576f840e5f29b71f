// SPDX-License-Identifier: Apache-2.0
/*
 * draw-shapes - draws pictures of coloured shapes among clutter, with captions
 *
 * Writes pictures to stdout, as labelled tensors for clip_visual or as PPM, and
 * their ground truth to --truth, one JSON object per line.
 */
#include <stdio.h>
#include <string.h>

#include "draw_options.h"
#include "scene.h"
#include "options.h"

/* CLIP's normalisation (openai/CLIP, clip.py): (v / 255 - mean) / std. */
static const float mean[3] = { 0.48145466f, 0.4578275f, 0.40821073f };
static const float std[3] = { 0.26862954f, 0.26130258f, 0.27577711f };

/* The input of clip_visual in the CIX model hub. */
static const struct npu_label label = {
	.tensor = {
		.dtype = NPU_S8, .ndim = 4, .dim = { 1, 3, SIDE, SIDE },
		.scale = 64.75f, .zero_point = 12, .size = 3 * SIDE * SIDE,
	},
	.index = 0,
	.count = 1,
};

static const char help[] =
"usage: draw-shapes [-r] [-n count] [-S seed] [options]\n"
"       draw-shapes --captions[=template] | --classes\n"
"\n"
"  -n, --count=N        pictures (1)\n"
"  -S, --seed=N         other pictures (1)\n"
"  -i, --first=N        number of the first picture (0)\n"
"  -s, --split=NAME     all, train or heldout: which classes, and which\n"
"                       pictures: no two splits share one (all)\n"
"  -c, --class=NAME     this class only, such as 'red circle'\n"
"  -F, --format=NAME    tensor, ppm or none (tensor)\n"
"  -r, --raw            tensors without their labels\n"
"  -t, --truth=FILE     what is in each picture, as JSON lines\n"
"      --classes        print the names of the split's classes in order\n"
"      --captions[=K]   print a caption for each class, template K (0)\n"
"      --templates      print number, split and an example of each template\n"
"  -h, --help           this text\n";

static int
class_by_name(const char *arg)
{
	char name[40];

	for (int k = 0; k < CLASSES; k++) {
		snprintf(name, sizeof(name), "%s %s",
		    colour_names[k / SHAPES], shape_names[k % SHAPES]);
		if (strcmp(arg, name) == 0)
			return k;
	}
	die(2, "--class: '%s' is not a class; --classes lists them", arg);
}

/* ---- Classes and captions --------------------------------------------- */

static void
print_classes(enum split split)
{
	for (unsigned k = 0; k < CLASSES; k++)
		if (class_in_split(k, split))
			printf("%s %s\n", colour_names[k / SHAPES],
			    shape_names[k % SHAPES]);
}

static void
print_captions(enum split split, unsigned template)
{
	char s[200];

	for (unsigned k = 0; k < CLASSES; k++) {
		caption(template, k, s, sizeof(s));
		if (class_in_split(k, split))
			printf("%s\n", s);
	}
}

static void
print_templates(void)
{
	char s[200];

	for (unsigned i = 0; i < TEMPLATES; i++) {
		caption(i, 0, s, sizeof(s));
		printf("%u %s %s\n", i,
		    template_held_out(i) ? "heldout" : "train", s);
	}
}

/* ---- Pictures --------------------------------------------------------- */

/* Fills in the stored byte for each value of each channel. */
static void
make_table(int8_t table[3][256])
{
	struct npu_err err;
	float x[256];

	for (int c = 0; c < 3; c++) {
		for (int v = 0; v < 256; v++)
			x[v] = ((float)v / 255.0f - mean[c]) / std[c];
		if (npu_quantise(&label.tensor, x, 256, table[c], false, NULL,
		    &err) < 0)
			die(1, "%s", err.msg);
	}
}

static void
write_picture(struct canvas *c, int8_t table[3][256], bool raw)
{
	static int8_t out[3][SIDE][SIDE];

	for (int y = 0; y < SIDE; y++)
		for (int x = 0; x < SIDE; x++)
			for (int i = 0; i < 3; i++)
				out[i][y][x] = table[i][canvas_at(c, x, y)[i]];
	write_tensor(&label, out, raw);
}

/* "class" and "held_out" come first: score reads only these. */
static void
write_truth(FILE *f, const struct truth *t, uint32_t index)
{
	const char *colour = colour_names[t->class / SHAPES];

	fprintf(f, "{\"class\":%u,\"held_out\":%s,\"picture\":%u,"
	    "\"caption\":\"%s %s\",\"colour\":\"%s\",\"shape\":\"%s\",",
	    t->class, class_held_out(t->class) ? "true" : "false", index,
	    colour, shape_names[t->class % SHAPES], colour,
	    shape_names[t->class % SHAPES]);
	fprintf(f, "\"size\":%.4f,\"box\":[%.4f,%.4f,%.4f,%.4f],",
	    (double)t->size / (SIDE * UNIT), (double)t->box[0] / UNIT,
	    (double)t->box[1] / UNIT, (double)t->box[2] / UNIT,
	    (double)t->box[3] / UNIT);
	fprintf(f, "\"rgb\":[%d,%d,%d],\"noise\":%d,\"point\":[%d,%d],",
	    t->rgb[0], t->rgb[1], t->rgb[2], t->noise, t->point[0],
	    t->point[1]);
	fprintf(f, "\"hidden\":%.4f,\"clutter\":%d,\"background\":\"%s\"}",
	    (double)t->hidden / t->pixels, t->clutter, t->background);
	truth_end_line(f);
}

/* ---- Main ------------------------------------------------------------- */

enum action { DRAW, PRINT_CLASSES, PRINT_CAPTIONS, PRINT_TEMPLATES };

struct shapes_options {
	struct draw_options draw;
	enum action action;
	unsigned template;
	enum split split;
	int class;		/* < 0: any */
};

static void
draw(const struct shapes_options *o)
{
	const struct draw_options *d = &o->draw;
	static struct canvas canvas;
	int8_t table[3][256];
	struct truth t;

	make_table(table);
	for (uint32_t i = 0; i < d->count; i++) {
		scene_draw(&canvas, &t, o->split, d->seed, d->first + i,
		    o->class);
		if (d->truth != NULL)
			write_truth(d->truth, &t, d->first + i);
		if (d->format == FORMAT_TENSOR)
			write_picture(&canvas, table, d->raw);
		if (d->format == FORMAT_PPM)
			write_ppm(&canvas);
	}
}

static const struct option options[] = {
	DRAW_ROWS,
	{ "split", required_argument, NULL, 's' },
	{ "class", required_argument, NULL, 'c' },
	{ "classes", no_argument, NULL, 1 },
	{ "captions", optional_argument, NULL, 2 },
	{ "templates", no_argument, NULL, 3 },
	{ NULL, 0, NULL, 0 },
};

static void
parse_option(struct shapes_options *o, int opt)
{
	static const char *const splits[] = { "all", "train", "heldout",
	    NULL };

	switch (opt) {
	case 's': o->split = choice("--split", optarg, splits); break;
	case 'c': o->class = class_by_name(optarg); break;
	case 1: o->action = PRINT_CLASSES; break;
	case 2:
		o->action = PRINT_CAPTIONS;
		if (optarg != NULL)
			o->template = number("--captions", optarg, 0,
			    TEMPLATES - 1);
		break;
	case 3: o->action = PRINT_TEMPLATES; break;
	default: draw_parse_option(&o->draw, opt, help);
	}
}

int
main(int argc, char *argv[])
{
	struct shapes_options o = { .draw = { .count = 1, .seed = 1 },
	    .class = -1 };
	int opt;

	while ((opt = getopt_long(argc, argv, DRAW_LETTERS "s:c:", options,
	    NULL)) != -1)
		parse_option(&o, opt);
	if (optind != argc)
		die(2, "'%s': no operand is taken", argv[optind]);
	switch (o.action) {
	case DRAW: draw(&o); break;
	case PRINT_CLASSES: print_classes(o.split); break;
	case PRINT_CAPTIONS: print_captions(o.split, o.template); break;
	case PRINT_TEMPLATES: print_templates(); break;
	}
	truth_close(o.draw.truth);
	finish();
}
