// SPDX-License-Identifier: Apache-2.0
/* yolo-draw - draw detections on their pictures. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "image/write.h"
#include "pictures/fd_source.h"
#include "pictures/output_dir.h"
#include "progress.h"
#include "record_picture.h"

enum {
	OPT_DETECTIONS = 256, OPT_DIR, OPT_FILL, OPT_LINE, OPT_MAX_PIXELS,
	OPT_NO_LABELS, OPT_QUALITY, OPT_RESCALE, OPT_STREAM, OPT_TEXT_SIZE,
};

static const char *const formats[] = { "png", "jpeg", "ppm", NULL };

static const struct opt options[] = {
	TAKES(OPT_DETECTIONS, "detections", "=FILE", COMPLETE_FILE,
	    "read the JSON from FILE"),
	TAKES('o', "output", "=FILE", COMPLETE_FILE, "write to FILE"),
	TAKES(OPT_DIR, "output-dir", "=DIR", COMPLETE_FOLDER,
	    "write each picture to DIR, under its name"),
	OUTPUT_DIR_OPTIONS,
	ONE_OF('F', "format", "=FORMAT", formats,
	    "png, jpeg or ppm (default: from the ending of --output, else "
	    "png)"),
	TAKES(OPT_QUALITY, "quality", "=90", COMPLETE_NONE,
	    "quality of JPEG, 1 to 100"),
	TAKES('c', "conf", "=0", COMPLETE_NONE,
	    "only detections of at least this confidence"),
	TAKES(OPT_LINE, "line", "=N", COMPLETE_NONE,
	    "width of lines in pixels (default: a 600th of width and height)"),
	TAKES(OPT_TEXT_SIZE, "text-size", "=N", COMPLETE_NONE,
	    "size of labels as a multiple of the font, which is 8 by 16 pixels "
	    "(default: the width of lines)"),
	TAKES(OPT_FILL, "fill", "=0", COMPLETE_NONE,
	    "percentage of colour inside of boxes"),
	FLAG(OPT_NO_LABELS, "no-labels", "draw boxes without labels"),
	FLAG(OPT_RESCALE, "rescale",
	    "scale the boxes: the picture was resized after the detection"),
	ONE_OF(OPT_STREAM, "stream", "=FORMAT", pictures_streams,
	    "PICTURE is a stream, mjpeg or ppm"),
	TAKES(OPT_MAX_PIXELS, "max-pixels", "=N", COMPLETE_NONE,
	    "refuse larger pictures (default 178956970)"),
	PROGRESS_OPTIONS,
	FLAG('q', "quiet", "no notes, no progress"),
	FLAG('v', "verbose", "print how many boxes were drawn on each picture"),
	CMD_COMMON,
	{ 0 },
};

static const struct moved moved[] = {
	{ "--scale", "--rescale", "steps per unit" },
	{ "--text", "--text-size", "a text" },
	{ 0 },
};

const struct program program = {
	.name = "yolo-draw",
	.synopsis = "yolo-draw [OPTION]... [PICTURE]...",
	.examples =
	"  yolo-detect bus.jpg | yolo-draw -o boxes.png\n"
	"  yolo-detect -F jsonl *.jpg | yolo-draw --output-dir=boxes -F jpeg\n",
	.help =
	"Draws the boxes and labels of detections on pictures.  Detections\n"
	"are the JSON of yolo-detect, on standard input.  Without PICTURE,\n"
	"they name the pictures; otherwise the first record belongs to the\n"
	"first PICTURE, and so on.\n",
	.options = options,
	.moved = moved,
	.operands = { COMPLETE_PICTURE, COMPLETE_PICTURE },
};

/* ---- Options ----------------------------------------------------------- */

struct yolo_draw_options {
	struct annotate_style style;
	double conf;
	bool scale;
	const char *detections;		/* NULL: stdin */
	char **pictures;		/* operands; without operands, records
					   name the pictures */
	uint64_t n_pictures;
	const char *format_name;	/* -F */
	enum picture_format format;
	unsigned quality;		/* 0: not given */
	const char *output;
	/* Each has its own options and performs its part of the work. */
	struct record_pictures in;
	struct output_dir folder;	/* folder.path NULL: one output */
};

static void
parse_option(struct yolo_draw_options *o, int opt)
{
	if (output_naming_option(&o->folder.naming, opt) ||
	    progress_option(opt, optarg))
		return;
	switch (opt) {
	case 'F': o->format_name = optarg; break;
	case 'c': o->conf = cmd_double("--conf", optarg, 0, 1); break;
	case 'o': o->output = optarg; break;
	case 'q': cmd_quiet = true; break;
	case 'v': cmd_verbose = true; break;
	case OPT_DETECTIONS: o->detections = optarg; break;
	case OPT_DIR: o->folder.path = optarg; break;
	case OPT_FILL:
		o->style.cover = (uint8_t)(cmd_double("--fill", optarg, 0,
		    100) * 2.55 + 0.5);
		break;
	case OPT_LINE:
		o->style.line = (unsigned)cmd_int("--line", optarg, 1, 1000);
		break;
	case OPT_MAX_PIXELS:
		o->in.max_pixels = (uint64_t)cmd_size("--max-pixels", optarg, 1,
		    INT64_MAX);
		break;
	case OPT_NO_LABELS: o->style.no_labels = true; break;
	case OPT_QUALITY:
		o->quality = (unsigned)cmd_int("--quality", optarg, 1, 100);
		break;
	case OPT_RESCALE: o->scale = true; break;
	case OPT_STREAM:
		pictures_option(&o->in.stream, PICTURES_STREAM, optarg);
		break;
	case OPT_TEXT_SIZE:
		o->style.text = (unsigned)cmd_int("--text-size", optarg, 1,
		    100);
		break;
	}
}

static void
choose_format(struct yolo_draw_options *o)
{
	bool file = o->output != NULL && strcmp(o->output, "-") != 0;
	enum picture_format named;

	o->format = PICTURE_PNG;
	if (o->in.stream.streams && o->folder.path == NULL)
		o->format = o->in.stream.kind == PICTURE_STREAM_PPM ?
		    PICTURE_PPM : PICTURE_JPEG;
	if (o->format_name != NULL) {
		if (!format_by_name(o->format_name, &o->format))
			cmd_usage("--format: '%s' is not png, jpeg or ppm",
			    o->format_name);
	} else if (file && !format_by_ending(o->output, &o->format) &&
	    !o->in.stream.streams) {
		cmd_usage("--output: '%s' does not end with .png, .jpg, .jpeg "
		    "or .ppm; give --format", o->output);
	}
	if (file && o->format_name != NULL &&
	    format_by_ending(o->output, &named) && named != o->format)
		cmd_note("%s: written as %s, as --format says",
		    cmd_visible_name(o->output), o->format_name);
	if (o->quality != 0 && o->format != PICTURE_JPEG)
		cmd_usage("--quality needs --format=jpeg");
	if (o->quality == 0)
		o->quality = WRITE_QUALITY;
}

/* Returns true if pictures of this format can be concatenated to a stream. */
static bool
can_concatenate(enum picture_format format)
{
	return format != PICTURE_PNG;
}

static bool
json_on_stdin(const struct yolo_draw_options *o)
{
	return o->detections == NULL || strcmp(o->detections, "-") == 0;
}

static void
check_options(struct yolo_draw_options *o)
{
	choose_format(o);
	if (o->output != NULL && o->folder.path != NULL)
		cmd_usage("give --output or --output-dir, not both");
	output_naming_check(&o->folder.naming, o->folder.path != NULL);
	if (o->n_pictures > 1 && o->in.stream.streams)
		cmd_usage("%" PRIu64 " pictures, but --stream reads one",
		    o->n_pictures);
	if (o->n_pictures > 1 && o->folder.path == NULL &&
	    !can_concatenate(o->format))
		cmd_usage("%" PRIu64 " pictures need --output-dir, or "
		    "--format=jpeg or ppm for a stream", o->n_pictures);
	for (uint64_t i = 0; i < o->n_pictures; i++)
		if (strcmp(o->pictures[i], "-") == 0 && json_on_stdin(o))
			cmd_usage("picture and detections cannot both be "
			    "standard input; use --detections=FILE");
}

static void
read_options(struct yolo_draw_options *o, int argc, char *argv[])
{
	int opt;

	while ((opt = cmd_option(argc, argv)) != -1)
		parse_option(o, opt);
	o->pictures = argv + optind;
	o->n_pictures = (uint64_t)(argc - optind);
	o->in.operands = o->n_pictures > 0;
	check_options(o);
}

/* ---- The picture of a record -------------------------------------------- */

struct yolo_draw {
	struct yolo_draw_options *o;
	struct output out;
	uint64_t drawn;			/* pictures written */
	int status;
};

/* Reports a picture that cannot be drawn; the next pictures are still drawn. */
static void
skip(struct yolo_draw *d, const char *name, const struct npu_err *err)
{
	cmd_warn("%s: %s", name, err->msg);
	d->status = EXIT_FAILED;
}

/*
 * Returns the path of the picture that a record is drawn on; "-" is stdin, NULL
 * means that the record does not name a picture.  A record that names "-" does
 * not count, but with --stream and without operands, a record without a file
 * belongs to stdin.
 */
static const char *
picture_of(const struct yolo_draw *d, const struct detection_record *r)
{
	if (d->o->n_pictures == 0 && d->o->in.stream.streams &&
	    r->file == NULL && !json_on_stdin(d->o))
		return "-";
	if (d->o->n_pictures == 0)
		return r->file != NULL && strcmp(r->file, "-") != 0 ?
		    r->file : NULL;
	if (d->o->in.stream.streams)
		return d->o->pictures[0];
	if (r->number <= d->o->n_pictures)
		return d->o->pictures[r->number - 1];
	cmd_die("%s: record %" PRIu64 " has no picture: pictures given: "
	    "%" PRIu64, cmd_input_name(d->o->detections), r->number,
	    d->o->n_pictures);
}

/* ---- Drawing ----------------------------------------------------------- */

static bool
same_size(struct yolo_draw *d, const char *name,
    const struct detection_record *r, const struct image *image)
{
	if (d->o->scale || (r->width == image->width &&
	    r->height == image->height))
		return true;
	cmd_warn("%s: %ux%u pixels, but record %" PRIu64 " belongs to a "
	    "picture of %ux%u; use --rescale if it is the same picture in "
	    "another size", name,
	    image->width, image->height, r->number, r->width, r->height);
	d->status = EXIT_FAILED;
	return false;
}

/* Returns the detections that are drawn, scaled to pixels of the image; owned
 * by the caller. */
static struct annotation *
select_detections(const struct yolo_draw *d, const struct detection_record *r,
    const struct image *image, size_t *n)
{
	struct annotation *a = cmd_alloc(r->n * sizeof(*a));
	double by[2] = { (double)image->width / r->width,
	    (double)image->height / r->height };

	*n = 0;
	for (size_t i = 0; i < r->n; i++) {
		if (r->found[i].confidence < d->o->conf)
			continue;
		a[*n] = r->found[i];
		for (int k = 0; k < 4; k++)
			a[*n].box[k] *= by[k % 2];
		++*n;
	}
	return a;
}

static void
write_picture(struct yolo_draw *d, const struct image *image)
{
	struct npu_err err;

	if (picture_write(image, d->o->format, d->o->quality,
	    output_sink(&d->out), &err) < 0)
		cmd_die_err(d->out.path, &err);
	cmd_end_record(&d->out);
	d->drawn++;
}

/* Writes the picture to the output folder or to the output file. */
static void
put_picture(struct yolo_draw *d, const char *path, const char *name,
    const struct detection_record *r, const struct image *image)
{
	struct npu_err err;
	const char *file;

	if (d->o->folder.path == NULL) {
		if (d->drawn > 0 && !can_concatenate(d->o->format))
			cmd_die("%s: record %" PRIu64 ": a PNG file holds one "
			    "picture; use --output-dir, or --format=jpeg or "
			    "ppm for a stream",
			    cmd_input_name(d->o->detections), r->number);
		write_picture(d, image);
		return;
	}
	file = output_dir_path(&d->o->folder, path,
	    d->o->in.stream.streams ? r->frame : 0, format_ending(d->o->format),
	    &err);
	if (file == NULL) {
		skip(d, name, &err);
		return;
	}
	cmd_open_output(&d->out, file, false);
	write_picture(d, image);
	cmd_close_output(&d->out);
}

static void
draw_on(struct yolo_draw *d, const char *path, const char *name,
    const struct detection_record *r, struct image *image)
{
	struct annotation *a;
	struct npu_err err;
	size_t n, seen;

	if (!same_size(d, name, r, image))
		return;
	if (format_holds(d->o->format, image, &err) < 0) {
		skip(d, name, &err);
		return;
	}
	a = select_detections(d, r, image, &n);
	seen = annotate(image, a, n, &d->o->style);
	free(a);
	if (seen < n)
		cmd_note("%s: %zu of %zu box%s outside of the picture", name,
		    n - seen, n, n == 1 ? "" : "es");
	put_picture(d, path, name, r, image);
	cmd_detail("%s: boxes drawn: %zu of %zu", name, seen, r->n);
}

static void
draw_record(struct yolo_draw *d, const struct detection_record *r)
{
	const char *path = picture_of(d, r);
	const char *json = cmd_input_name(d->o->detections);
	struct image image;
	struct npu_err err;
	char *name;
	int rc;

	if (r->error != NULL) {
		cmd_warn("%s: record %" PRIu64 ": %s%snothing to draw: %s",
		    json, r->number, path != NULL ? path : "",
		    path != NULL ? ": " : "", r->error);
		d->status = EXIT_FAILED;
		return;
	}
	if (path == NULL)
		cmd_die("%s: record %" PRIu64 " names no picture; give the "
		    "picture as an operand", json, r->number);
	/* The name in the record is not exact: another picture may have it. */
	if (r->not_utf8 && path == r->file) {
		cmd_warn("%s: record %" PRIu64 ": the name of its picture is "
		    "not UTF-8, which JSON cannot hold; give the picture as an "
		    "operand", json, r->number);
		d->status = EXIT_FAILED;
		return;
	}
	name = picture_item_name(&(struct picture_item){
	    .name = cmd_input_name(path),
	    .number = d->o->in.stream.streams ? r->frame : 0 });
	if ((rc = record_picture_read(&d->o->in, path, r, &image, &err)) < 0) {
		skip(d, name, &err);
	} else {
		if (rc > 0)
			cmd_note("%s: %s", name, PICTURE_LEFT_OVER);
		draw_on(d, path, name, r, &image);
		free(image.rgb);
	}
	free(name);
}

/* ---- Start and end ----------------------------------------------------- */

static void
draw_records(struct yolo_draw *d)
{
	const char *json = cmd_input_name(d->o->detections);
	struct records *records;
	struct detection_record r = { 0 };
	struct npu_err err;
	int fd, rc;

	if (d->o->detections == NULL && isatty(STDIN_FILENO))
		cmd_usage("detections are read from stdin, which is a "
		    "terminal; pipe yolo-detect into it, or give "
		    "--detections=FILE");
	fd = cmd_open_input(d->o->detections);
	if (records_open(&records, fd_source(&fd), &err) < 0)
		cmd_die_err(json, &err);
	progress_begin("pictures", d->o->n_pictures);
	while ((rc = records_next(records, &r, &err)) > 0) {
		draw_record(d, &r);
		progress_update(r.number);
	}
	progress_end();
	if (rc < 0)
		cmd_die_err(json, &err);
	/* yolo-detect writes an empty array for a folder without pictures. */
	if (r.number == 0 && (d->o->folder.path == NULL ||
	    !records_had_array(records)))
		cmd_die("%s: no detections; yolo-detect -F json or jsonl "
		    "writes them", json);
	/* Report operands without a record.  With --stream, there is only one
	 * operand, and each record belongs to it. */
	for (uint64_t i = r.number; i < d->o->n_pictures; i++) {
		cmd_warn("%s: %s has no record for it", d->o->pictures[i],
		    json);
		d->status = EXIT_FAILED;
	}
	records_close(records);
	fd_source_close(fd);
}

int
main(int argc, char *argv[])
{
	struct yolo_draw_options o = { .in.max_pixels =
	    PICTURE_MAX_PIXELS };
	struct yolo_draw d = { .o = &o };

	cmd_start();
	read_options(&o, argc, argv);
	/* If the program fails, pictures written before stay in the output. */
	cmd_abandon_output_on_exit(&d.out);
	if (o.folder.path == NULL)
		cmd_open_output(&d.out, o.output, true);
	else
		output_dir_open(&o.folder);
	draw_records(&d);
	if (o.folder.path == NULL && d.drawn > 0)
		cmd_close_output(&d.out);
	output_dir_close(&o.folder);
	record_pictures_close(&o.in);
	cmd_exit(d.status);
}
