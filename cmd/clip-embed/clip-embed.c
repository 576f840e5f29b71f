// SPDX-License-Identifier: Apache-2.0
/* clip-embed - convert texts and pictures to CLIP vectors. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device.h"
#include "embed_run.h"
#include "progress.h"
#include "thread.h"

enum {
	OPT_ABOUT = 256, OPT_FAST, OPT_FOR, OPT_IMAGE_MODEL, OPT_INDEX,
	OPT_LINES, OPT_NORM, OPT_ON_ERROR, OPT_OVERLONG, OPT_TEXT,
	OPT_TEXT_MODEL, OPT_TIMES, OPT_TRUNCATE, OPT_WRITE_IDS,
};

static const char *const norms[] = { "none", "l2", NULL };
static const char *const on_errors[] = { "nan", "skip", "fail", NULL };
static const char *const overlongs[] = { "error", "truncate", "skip", NULL };

static const struct opt options[] = {
	FLAG(OPT_LINES, "lines", "FILEs contain texts, one in each line"),
	TAKES(OPT_TEXT, "text", "=TEXT", COMPLETE_NONE,
	    "embed TEXT; may be repeated"),
	TAKES('m', "model", "=MODEL", COMPLETE_MODEL,
	    "the encoder (clip_visual.cix; for texts clip_txt.cix)"),
	TAKES(OPT_TEXT_MODEL, "text-model", "=MODEL", COMPLETE_MODEL,
	    "the encoder of texts, if there are texts and pictures"),
	TAKES(OPT_IMAGE_MODEL, "image-model", "=MODEL", COMPLETE_MODEL,
	    "the encoder of pictures, likewise"),
	ONE_OF(OPT_NORM, "norm", "=WHAT", norms,
	    "l2 (default): scale vectors to length 1; none: do not"),
	ONE_OF(OPT_ON_ERROR, "on-error", "=WHAT", on_errors,
	    "for a bad picture: nan (default: a row of NaN), skip or "
	    "fail"),
	ONE_OF(OPT_OVERLONG, "overlong", "=WHAT", overlongs,
	    "for a text with too many ids: error (default), truncate, skip"),
	FLAG(OPT_TRUNCATE, "truncate", "--overlong=truncate"),
	ONE_OF(OPT_FOR, "for", "=WHAT", clip_recipes,
	    "clip (default); hub-clip: as the vendor's model hub does; "
	    "openai-clip: ignore EXIF, and resize before converting to RGB"),
	FLAG(OPT_FAST, "fast", "decode large JPEGs at a reduced size"),
	PICTURES_OPTIONS,
	ONE_OF('F', "format", "=FORMAT", real_formats,
	    "label (default: f32 tensors), raw, npy, text, jsonl (default on "
	    "a terminal)"),
	FLAG('r', "raw", "the same as -F raw"),
	TAKES(OPT_WRITE_IDS, "write-ids", "=FILE", COMPLETE_FILE,
	    "write the id of each vector to FILE"),
	TAKES(OPT_ABOUT, "about", "=FILE", COMPLETE_FILE,
	    "describe in FILE how the vectors were computed"),
	TAKES(OPT_INDEX, "index", "=FILE", COMPLETE_FILE,
	    "add new vectors to an index file, and write nothing else"),
	TAKES('o', "output", "=FILE", COMPLETE_FILE, "write to FILE"),
	FLAG(OPT_TIMES, "times", "print on stderr how long each stage took"),
	TAKES('j', "jobs", "=N", COMPLETE_NONE,
	    "threads that decode while the model runs (2); 0: as many as "
	    "processors"),
	TAKES('T', "timeout", "=TIME", COMPLETE_NONE,
	    "limit of one inference: 500ms, 10s, none (10s)"),
	PROGRESS_OPTIONS,
	FLAG('q', "quiet", "no notes, no progress"),
	FLAG('v', "verbose", "also print what the vendor's library prints"),
	CMD_DEVICE_OPTIONS,
	CMD_DIM_OPTION,
	CMD_COMMON,
	{ 0 },
};

static const struct cmd_env env[] = {
	CMD_DEVICE_ENV,
	CMD_MODEL_ENV,
	{ "CLIP_VOCAB", "the vocabulary (default: built in)" },
	{ 0 },
};

static const struct moved moved[] = {
	{ "-s", "--text", "--scale" },
	{ "-t", "--lines", "--type" },
	{ "--fit", "--for", "the geometry alone" },
	{ "--ids", "--write-ids", "a file to read" },
	{ "--stats", "--times", "statistics of the numbers" },
	{ 0 },
};

const struct program program = {
	.name = "clip-embed",
	.synopsis = "clip-embed [OPTION]... [PICTURE]...\n"
	    "       clip-embed --lines [OPTION]... [FILE]...",
	.examples =
	"  clip-embed -R -F npy -o photos.npy --write-ids=photos.ids photos\n"
	"  echo 'a photo of a bus' | clip-embed --lines -F jsonl\n",
	.help =
	"Converts pictures (JPEG, PNG, PPM) or texts to CLIP vectors of\n"
	"length 1.  Without a name, or for -, it reads standard input.\n",
	.options = options,
	.moved = moved,
	.operands = { COMPLETE_FILE, COMPLETE_FILE },
	.env = env,
	.version = cmd_device_version,
};

/* ---- Options ----------------------------------------------------------- */

struct clip_embed_options {
	const char *model, *text_model, *image_model;
	const char *recipe;		/* an element of clip_recipes[] */
	bool lines, fast, stats;
	unsigned threads;
	enum overlong overlong;
	/* The last option that applies to only one kind of input, or NULL. */
	const char *for_texts, *for_pictures;
	char **text;			/* from --text; array owned */
	size_t n_texts;
	const char *index;
	/* Each has its own options and performs its part of the work. */
	struct pictures pictures;
	struct embedding_writer writer;
	char *const *operands;		/* NULL last */
};

static void
parse_output_option(struct embedding_writer *w, int opt)
{
	switch (opt) {
	case 'F': w->format = real_format_parse(optarg); break;
	case 'o': w->output = optarg; break;
	case 'r': w->format = REAL_RAW; break;
	case OPT_ABOUT: w->about = optarg; break;
	case OPT_WRITE_IDS: w->ids = optarg; break;
	case OPT_NORM:
		w->normalise = cmd_choice("--norm", optarg, norms) == 1;
		break;
	case OPT_ON_ERROR: w->on_error = (enum on_error)
	    cmd_choice("--on-error", optarg, on_errors); break;
	}
}

/* Remembers an option that applies to only one of the two encoders. */
static void
note_kind(struct clip_embed_options *o, int opt)
{
	switch (opt) {
	case OPT_OVERLONG: o->for_texts = "--overlong"; break;
	case OPT_TEXT_MODEL: o->for_texts = "--text-model"; break;
	case OPT_TRUNCATE: o->for_texts = "--truncate"; break;
	case OPT_FAST: o->for_pictures = "--fast"; break;
	case OPT_FOR: o->for_pictures = "--for"; break;
	case OPT_IMAGE_MODEL: o->for_pictures = "--image-model"; break;
	case PICTURES_MAX_PIXELS: o->for_pictures = "--max-pixels"; break;
	}
}

static void
parse_option(struct clip_embed_options *o, int opt)
{
	note_kind(o, opt);
	if (cmd_device_option(opt, optarg) ||
	    pictures_option(&o->pictures, opt, optarg) ||
	    progress_option(opt, optarg))
		return;
	switch (opt) {
	case 'j': o->threads = thread_count(optarg); break;
	case 'm': o->model = optarg; break;
	case 'q': cmd_quiet = true; break;
	case OPT_TEXT: o->text[o->n_texts++] = optarg; break;
	case OPT_LINES: o->lines = true; break;
	case 'T':
		cmd_device.timeout_ms = cmd_duration_ms("--timeout", optarg);
		break;
	case 'v': cmd_verbose = true; break;
	case OPT_FAST: o->fast = true; break;
	case OPT_FOR:
		o->recipe = clip_recipes[cmd_choice("--for", optarg,
		    clip_recipes)];
		break;
	case OPT_IMAGE_MODEL: o->image_model = optarg; break;
	case OPT_INDEX: o->index = optarg; break;
	case OPT_OVERLONG: o->overlong = (enum overlong)
	    cmd_choice("--overlong", optarg, overlongs); break;
	case OPT_TIMES: o->stats = true; break;
	case OPT_TEXT_MODEL: o->text_model = optarg; break;
	case OPT_TRUNCATE: o->overlong = TRUNCATE; break;
	default: parse_output_option(&o->writer, opt);
	}
}

static void
check_outputs(const struct embedding_writer *w)
{
	const char *ids = w->ids, *about = w->about;

	if ((ids != NULL && cmd_same_output(w->output, ids)) ||
	    (about != NULL && cmd_same_output(w->output, about)) ||
	    (ids != NULL && about != NULL && cmd_same_output(ids, about)))
		cmd_usage("the vectors, --write-ids and --about need an output "
		    "each; only one can be standard output");
}

static bool
wants_texts(const struct clip_embed_options *o)
{
	return o->lines || o->n_texts > 0;
}

/* Returns true if a picture was given, or if nothing was given: then a picture
 * is read from stdin. */
static bool
wants_pictures(const struct clip_embed_options *o)
{
	const struct pictures *p = &o->pictures;

	return !o->lines && (o->n_texts == 0 || o->operands[0] != NULL ||
	    p->files_from != NULL);
}

/* --index excludes the other outputs, and all vectors of an index come from one
 * model. */
static void
check_index(const struct clip_embed_options *o)
{
	const struct embedding_writer *w = &o->writer;

	if (cmd_same_output(o->index, NULL) || *o->index == '\0')
		cmd_usage("--index: '%s' is not a file, and vectors are added "
		    "to a file (./- if that is its name)", o->index);
	if (w->format != REAL_UNSET || w->output != NULL ||
	    w->ids != NULL || w->about != NULL)
		cmd_usage("--index writes only the index; leave --about, "
		    "--format, --output, --raw and --write-ids out");
	if (wants_texts(o) && wants_pictures(o))
		cmd_usage("an index has vectors of one model; use separate "
		    "indexes for texts and pictures");
}

static void
check_options(const struct clip_embed_options *o)
{
	const struct pictures *p = &o->pictures;
	bool texts = wants_texts(o), pictures = wants_pictures(o);

	if (o->lines && o->n_texts > 0)
		cmd_usage("give texts with --text or in files, not both");
	if (o->lines && (p->recursive || p->streams || p->files_from != NULL))
		cmd_usage("--lines reads texts; leave --recursive, "
		    "--files-from and --stream out");
	if (!pictures && !o->lines &&
	    (p->recursive || p->streams || p->null))
		cmd_usage("%s is for pictures; name a picture",
		    p->recursive ? "--recursive" : p->streams ? "--stream" :
		    "--null");
	if (o->model != NULL && texts && pictures)
		cmd_usage("texts and pictures need two models; give "
		    "--text-model and --image-model instead of --model");
	if (o->model != NULL && (o->text_model != NULL ||
	    o->image_model != NULL))
		cmd_usage("--model is the same as --text-model or "
		    "--image-model; leave one out");
	if (o->for_texts != NULL && !texts)
		cmd_usage("%s is for texts; give a text", o->for_texts);
	if (o->for_pictures != NULL && !pictures)
		cmd_usage("%s is for pictures; name a picture",
		    o->for_pictures);
	check_outputs(&o->writer);
	if (o->index != NULL)
		check_index(o);
}

static void
read_options(struct clip_embed_options *o, int argc, char *argv[])
{
	int opt;

	o->text = cmd_alloc((size_t)argc * sizeof(*o->text));
	while ((opt = cmd_option(argc, argv)) != -1)
		parse_option(o, opt);
	o->operands = argv + optind;
	check_options(o);
	o->writer.null = o->pictures.null;
}

/* ---- Models ------------------------------------------------------------ */

static const char *
first_of(const char *a, const char *b, const char *c)
{
	return a != NULL ? a : b != NULL ? b : c;
}

/* Reads the model files.  Models that do not fit together are refused before
 * any work is done. */
static void
plan(const struct clip_embed_options *o, struct embed_run *e)
{
	if (wants_texts(o))
		clip_text_plan(&e->text, first_of(o->model, o->text_model,
		    CLIP_TEXT_MODEL), o->overlong);
	if (wants_pictures(o))
		clip_image_plan(&e->image, first_of(o->model, o->image_model,
		    CLIP_IMAGE_MODEL), o->recipe, o->fast);
	if (wants_texts(o) && wants_pictures(o))
		clip_same_width(&e->text, &e->image);
}

static void
embed_all(const struct clip_embed_options *o, struct embed_run *e)
{
	embed_run_open(e);
	if (o->n_texts > 0)
		embed_run_texts(e, o->text, o->n_texts);
	if (o->lines)
		embed_run_lines(e, o->operands);
	if (wants_pictures(o))
		embed_run_pictures(e);
}

int
main(int argc, char *argv[])
{
	struct clip_embed_options o = { .threads = 2,
	    .recipe = clip_recipes[0],
	    .writer = { .normalise = true } };
	struct embed_run e;
	bool good;

	cmd_start();
	read_options(&o, argc, argv);
	cmd_device_resolve();
	e = (struct embed_run){ .writer = o.writer, .index.path = o.index,
	    .stats = o.stats, .run.pictures = o.pictures,
	    .run.images.spec = { .threads = o.threads,
	    .limits.fast = o.fast } };
	if (o.lines)
		embed_run_check_lines(o.operands);
	if (wants_pictures(&o))
		clip_run_pictures_open(&e.run, o.operands);
	plan(&o, &e);
	embed_all(&o, &e);
	good = embed_run_close(&e);
	free(o.text);
	cmd_exit(good ? EXIT_DONE : EXIT_FAILED);
}
