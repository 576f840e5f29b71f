// SPDX-License-Identifier: Apache-2.0
/* clip-classify - choose the labels that fit a picture best, with CLIP. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/num.h"
#include "delimited.h"
#include "device.h"
#include "json_error.h"
#include "labels.h"
#include "progress.h"
#include "thread.h"

enum {
	OPT_FAST = 256, OPT_FOR, OPT_IMAGE_MODEL, OPT_LABELS, OPT_MIN,
	OPT_SCALE, OPT_TEMPLATE, OPT_TEXT_MODEL,
};

static const char *const formats[] = { "tsv", "csv", "json", "jsonl", NULL };

static const struct opt options[] = {
	TAKES('l', "label", "=LABEL", COMPLETE_NONE,
	    "add a label; may be repeated"),
	TAKES(OPT_LABELS, "labels", "=FILE", COMPLETE_FILE,
	    "add the labels in FILE, one in each line"),
	TAKES(OPT_TEMPLATE, "template", "=TEXT", COMPLETE_NONE,
	    "sentence for a label, which replaces {}; may be repeated: the "
	    "mean of all sentences is used ('" LABELS_TEMPLATE "')"),
	TAKES(OPT_SCALE, "logit-scale", "=N", COMPLETE_NONE,
	    "factor for the cosines (100)"),
	TAKES('n', "count", "=N", COMPLETE_NONE,
	    "print the N best labels (5); 0: all"),
	TAKES(OPT_MIN, "min", "=P", COMPLETE_NONE,
	    "only labels with a probability of at least P"),
	FLAG('e', "exit-status", "exit with 4 if no label was printed"),
	TAKES(OPT_TEXT_MODEL, "text-model", "=MODEL", COMPLETE_MODEL,
	    "the encoder of labels (clip_txt.cix)"),
	TAKES(OPT_IMAGE_MODEL, "image-model", "=MODEL", COMPLETE_MODEL,
	    "the encoder of pictures (clip_visual.cix)"),
	ONE_OF(OPT_FOR, "for", "=WHAT", clip_recipes,
	    "clip (default); hub-clip: as the vendor's model hub does; "
	    "openai-clip: ignore EXIF, and resize before converting to RGB"),
	FLAG(OPT_FAST, "fast", "decode large JPEGs at a reduced size"),
	PICTURES_OPTIONS,
	ONE_OF('F', "format", "=FORMAT", formats,
	    "tsv (default on a terminal), csv, json, jsonl (default "
	    "elsewhere)"),
	TAKES('o', "output", "=FILE", COMPLETE_FILE, "write to FILE"),
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
	{ "--fit", "--for", "the geometry alone" },
	{ "--top", "--count", NULL },
	{ 0 },
};

const struct program program = {
	.name = "clip-classify",
	.synopsis = "clip-classify [OPTION]... (-l LABEL | --labels=FILE)... "
	    "[PICTURE]...",
	.examples =
	"  clip-classify -l cat -l dog -l 'fire engine' photo.jpg\n"
	"  clip-classify --labels=birds.txt -n 1 -R garden >garden.jsonl\n",
	.help =
	"Prints the labels that fit each picture (JPEG, PNG, PPM) best,\n"
	"computed with CLIP.  Without PICTURE, or for -, it reads standard\n"
	"input.\n",
	.options = options,
	.moved = moved,
	.operands = { COMPLETE_PICTURE, COMPLETE_PICTURE },
	.env = env,
	.version = cmd_device_version,
};

#define SCHEMA "clip-classify/1"

enum format { AS_TSV, AS_CSV, AS_JSON, AS_JSONL, UNSET };

/* ---- Options ----------------------------------------------------------- */

/* The argument of -l or --labels.  Label files are read after all options are
 * parsed. */
struct label_source {
	const char *arg;
	bool file;
};

struct clip_classify_options {
	const char *text_model, *image_model, *output;
	const char *recipe;		/* an element of clip_recipes[] */
	bool fast, exit_status;
	unsigned threads;
	struct label_source *source;	/* owned; in command-line order */
	size_t n_sources;
	enum format format;
	double scale, min;
	size_t top;			/* 0: all */
	/* Each has its own options and performs its part of the work. */
	struct labels labels;
	struct pictures pictures;
	char *const *operands;		/* NULL last */
};

static void
add_source(struct clip_classify_options *o, const char *arg, bool file)
{
	o->source[o->n_sources++] = (struct label_source){ arg, file };
}

static void
parse_option(struct clip_classify_options *o, int opt)
{
	if (cmd_device_option(opt, optarg) ||
	    pictures_option(&o->pictures, opt, optarg) ||
	    progress_option(opt, optarg))
		return;
	switch (opt) {
	case 'e': o->exit_status = true; break;
	case 'F': o->format = (enum format)
	    cmd_choice("--format", optarg, formats); break;
	case 'j': o->threads = thread_count(optarg); break;
	case 'l': add_source(o, optarg, false); break;
	case 'n':
		o->top = (size_t)cmd_int("--count", optarg, 0, LABELS_MOST);
		break;
	case 'o': o->output = optarg; break;
	case 'q': cmd_quiet = true; break;
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
	case OPT_LABELS: add_source(o, optarg, true); break;
	case OPT_MIN: o->min = cmd_double("--min", optarg, 0, 1); break;
	case OPT_SCALE:
		o->scale = cmd_double("--logit-scale", optarg, 0, 1e6);
		break;
	case OPT_TEMPLATE: labels_template(&o->labels, optarg); break;
	case OPT_TEXT_MODEL: o->text_model = optarg; break;
	}
}

static void
read_options(struct clip_classify_options *o, int argc, char *argv[])
{
	int opt;

	o->source = cmd_alloc((size_t)argc * sizeof(*o->source));
	while ((opt = cmd_option(argc, argv)) != -1)
		parse_option(o, opt);
	o->operands = argv + optind;
	if (o->n_sources == 0)
		cmd_usage("no label; say --label=LABEL or --labels=FILE");
	if (o->labels.templates == 0)
		labels_template(&o->labels, LABELS_TEMPLATE);
}

/* Refuses a second reader of stdin: each reader would get only the bytes that
 * the other had not read. */
static void
check_stdin(const struct clip_classify_options *o, const struct pictures *p)
{
	unsigned labels = 0, pictures = p->lone || (p->files_from != NULL &&
	    strcmp(p->files_from, "-") == 0);

	for (size_t i = 0; o->operands[i] != NULL; i++)
		pictures |= strcmp(o->operands[i], "-") == 0;
	for (size_t i = 0; i < o->n_sources; i++)
		labels += o->source[i].file &&
		    strcmp(o->source[i].arg, "-") == 0;
	if (labels + pictures > 1)
		cmd_usage("stdin can be only one of the labels and the "
		    "pictures, and only once; name a file for the others");
}

static void
read_labels(struct labels *l, const struct clip_classify_options *o)
{
	for (size_t i = 0; i < o->n_sources; i++) {
		if (o->source[i].file)
			labels_read(l, o->source[i].arg);
		else
			labels_add(l, o->source[i].arg);
	}
	if (l->n == 0)
		cmd_usage("no label; say --label=LABEL or --labels=FILE");
}

/* ---- Output ------------------------------------------------------------ */

struct clip_classify {
	const struct clip_classify_options *o;
	enum format format;
	struct labels labels;
	struct clip_run run;
	struct output out;
	struct json json;
	bool writing;		/* json is being written */
	struct score *score;	/* scores of all labels for a picture */
	uint64_t failed;	/* pictures */
	uint64_t written;	/* labels */
};

static void
put_json(struct clip_classify *c, const struct clip_result *r, size_t n)
{
	struct json *j = &c->json;

	json_object(j);
	json_member_str(j, "schema", SCHEMA);
	json_key(j, "file"), json_str(j, r->file);
	if (r->number != 0)
		json_member_uint(j, "frame", r->number);
	if (r->error != NULL) {
		json_key(j, "error"), json_object(j);
		json_member_str(j, "message", r->error);
		json_end_object(j);
	}
	json_key(j, "labels"), json_array(j);
	for (size_t i = 0; i < n; i++) {
		json_object(j);
		json_key(j, "label");
		json_str(j, c->labels.name[c->score[i].label]);
		json_key(j, "probability");
		json_float(j, (float)c->score[i].probability);
		json_key(j, "cosine");
		json_float(j, (float)c->score[i].cosine);
		json_end_object(j);
	}
	json_end_array(j);
	json_end_object(j);
}

static void
put_line(struct clip_classify *c, const struct clip_result *r,
    const char *label, double probability, double cosine)
{
	const bool csv = c->format == AS_CSV;
	void (*text)(struct buf *, const char *) = csv ? csv_text : tsv_text;
	const char *gap = csv ? "," : "\t";
	struct buf *b = &c->json.out;
	char p[40], q[40];

	num_format_float((float)probability, p, sizeof(p));
	num_format_float((float)cosine, q, sizeof(q));
	text(b, r->file != NULL ? r->file : "-");
	if (r->number != 0)
		buf_printf(b, "#%" PRIu64, r->number);
	buf_puts(b, gap);
	text(b, label);
	buf_printf(b, "%s%s%s%s\n", gap, p, gap, q);
}

/* Writes a line for each of the n best labels.  A picture that failed has one
 * line, without a label. */
static void
put_lines(struct clip_classify *c, const struct clip_result *r, size_t n)
{
	if (r->error != NULL)
		put_line(c, r, "", NAN, NAN);
	for (size_t i = 0; i < n; i++)
		put_line(c, r, c->labels.name[c->score[i].label],
		    c->score[i].probability, c->score[i].cosine);
}

static void
write_out(struct clip_classify *c)
{
	struct buf *b = &c->json.out;

	cmd_check_buf(b);
	c->writing = true;
	cmd_write(&c->out, b->p, b->n);
	buf_clear(b);
	cmd_end_record(&c->out);
	c->writing = false;
}

/* Returns how many labels are printed: at most --count, and only those whose
 * probability, rounded to float as it is printed, is at least --min. */
static size_t
count_best(const struct clip_classify *c)
{
	size_t n = 0, most = c->o->top == 0 ? c->labels.n : c->o->top;

	while (n < c->labels.n && n < most &&
	    (float)c->score[n].probability >= (float)c->o->min)
		n++;
	return n;
}

static void
put(void *arg, const struct clip_result *result)
{
	struct clip_classify *c = arg;
	struct clip_result r = *result;
	struct npu_err err;
	size_t n = 0;

	if (r.error == NULL && npu_l2_normalise(r.x, c->labels.dim, &err) < 0)
		r.error = err.msg;
	if (r.error == NULL) {
		labels_score(&c->labels, r.x, c->o->scale, c->score);
		n = count_best(c);
	} else {
		cmd_warn("%s: %s", r.name, r.error);
		c->failed++;
	}
	c->written += n;
	if (c->format == AS_TSV || c->format == AS_CSV) {
		put_lines(c, &r, n);
	} else {
		put_json(c, &r, n);
		if (c->format == AS_JSONL)
			buf_puts(&c->json.out, "\n"), c->json.comma = false;
	}
	write_out(c);
	cmd_end_if_stopped();
}

static void
close_output(struct clip_classify *c)
{
	if (c->format == AS_JSON) {
		json_end_array(&c->json);
		buf_puts(&c->json.out, "\n");
	}
	/* The end of the JSON array; or the CSV header, if not one picture was
	 * given. */
	if (c->json.out.n > 0)
		write_out(c);
	c->writing = true;	/* end_early() must not write any more */
	cmd_close_output(&c->out);
	json_free(&c->json);
	free(c->score);
}

/* Adds an object with the error in place of the pictures that were not
 * processed. */
static void
put_failure(struct clip_classify *c)
{
	struct json *j = &c->json;

	json_object(j);
	json_member_str(j, "schema", SCHEMA);
	json_key(j, "file"), json_null(j);
	json_exit_error(j);
	json_key(j, "labels"), json_array(j);
	json_end_array(j);
	json_end_object(j);
}

/* Called at exit: if the program ends early, completes the document with the
 * results so far and the error. */
static void
end_early(void *arg)
{
	struct clip_classify *c = arg;

	cmd_close_model();
	if (c->format != AS_JSON || c->writing || !json_ends_failed())
		return;
	put_failure(c);
	close_output(c);
}

static void
open_output(struct clip_classify *c)
{
	if (c->format == UNSET)
		c->format = c->o->output == NULL && isatty(STDOUT_FILENO) ?
		    AS_TSV : AS_JSONL;
	cmd_claim_stdout();
	cmd_open_output(&c->out, c->o->output, false);
	/* Flush even to a file: results must survive a later failure. */
	c->out.record_flush = true;
	c->json.pretty = c->format == AS_JSON;
	if (c->format == AS_JSON)
		json_array(&c->json);
	else if (c->format == AS_CSV)
		buf_puts(&c->json.out, "file,label,probability,cosine\n");
	cmd_on_exit(end_early, c);
}

/* ---- Main -------------------------------------------------------------- */

static void
classify(struct clip_classify *c, struct clip *image)
{
	c->run.done = put;
	c->run.arg = c;
	c->score = cmd_alloc(c->labels.n * sizeof(*c->score));
	clip_run_begin(&c->run, image);
	clip_run_pictures(&c->run);
	clip_run_end(&c->run);
}

int
main(int argc, char *argv[])
{
	struct clip_classify_options o = { .text_model = CLIP_TEXT_MODEL,
	    .image_model = CLIP_IMAGE_MODEL, .recipe = clip_recipes[0],
	    .threads = 2, .format = UNSET,
	    .scale = 100, .top = 5 };
	struct clip_classify c = { .o = &o };
	struct clip text, image;

	cmd_start();
	read_options(&o, argc, argv);
	cmd_device_resolve();
	c.format = o.format;
	c.labels = o.labels;
	c.run.pictures = o.pictures;
	c.run.images.spec = (struct preprocess_spec){ .threads = o.threads,
	    .limits.fast = o.fast };
	open_output(&c);
	clip_run_pictures_open(&c.run, o.operands);
	check_stdin(&o, &c.run.pictures);
	read_labels(&c.labels, &o);
	clip_text_plan(&text, o.text_model, REFUSE);
	text.limit.no_choice = true;
	clip_image_plan(&image, o.image_model, o.recipe, o.fast);
	clip_same_width(&text, &image);
	labels_embed(&c.labels, &text);
	classify(&c, &image);
	close_output(&c);
	labels_free(&c.labels);
	clip_free(&text);
	clip_free(&image);
	free(o.source);
	cmd_exit(c.failed > 0 ? EXIT_FAILED : o.exit_status &&
	    c.written == 0 ? EXIT_VERDICT : EXIT_DONE);
}
