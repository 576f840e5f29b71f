// SPDX-License-Identifier: Apache-2.0
/* img-tensor - convert pictures to the input tensors of a model. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "dimensions.h"
#include "explain.h"
#include "json_error.h"
#include "pictures/pictures.h"
#include "pictures/preprocess_options.h"
#include "pictures/preprocess_pool.h"
#include "progress.h"
#include "tensor/npy.h"

enum { OPT_EXPLAIN = 256, OPT_FAST, OPT_ON_ERROR };

static const char *const formats[] = { "label", "raw", "npy", "text", "json",
    NULL };
static const char *const on_errors[] = { "keep", "skip", "fail", NULL };

static const struct opt options[] = {
	TAKES('m', "model", "=MODEL[:in0]", COMPLETE_MODEL,
	    "take type, scale, zero point, size and layout from MODEL"),
	PREPROCESS_FOR_OPTION,
	FLAG(OPT_EXPLAIN, "explain", "show the whole recipe and exit"),
	BETWEEN("\nParts of the recipe:"),
	PREPROCESS_OPTIONS,
	CMD_DIM_OPTION,
	TAKES('t', "type", "=TYPE", COMPLETE_TYPE,
	    "u8, s8, u16, s16, f16, f32 (default) ..."),
	TAKES('s', "scale", "=S", COMPLETE_NONE, "steps per unit (1)"),
	TAKES('z', "zero", "=Z", COMPLETE_NONE, "zero point, steps (0)"),
	BETWEEN("\nPictures and tensors:"),
	PICTURES_OPTIONS,
	ONE_OF(OPT_ON_ERROR, "on-error", "=WHAT", on_errors,
	    "for a bad picture: keep (default: a gray tensor), skip or fail"),
	FLAG(OPT_FAST, "fast", "decode large JPEGs at a reduced size"),
	TAKES('j', "jobs", "=N", COMPLETE_NONE,
	    "threads (1); 0: as many as processors"),
	ONE_OF('F', "format", "=FORMAT", formats,
	    "label (default), raw or npy; for --explain text or json"),
	FLAG('r', "raw", "only the elements; the same as -F raw"),
	TAKES('o', "output", "=FILE", COMPLETE_FILE, "write to FILE"),
	PROGRESS_OPTIONS,
	FLAG('q', "quiet", "no notes, no progress"),
	FLAG('v', "verbose", "print the size of each picture"),
	CMD_COMMON,
	{ 0 },
};

static const struct cmd_env env[] = {
	CMD_MODEL_ENV,
	{ 0 },
};

const struct program program = {
	.name = "img-tensor",
	.synopsis = "img-tensor [OPTION]... [FILE]...",
	.examples =
	"  img-tensor -m clip_visual.cix cat.jpg | npu-run clip_visual.cix\n"
	"  img-tensor --for=yolo -R photos | npu-tensor\n",
	.help =
	"Converts each picture (JPEG, PNG, PPM) to the input tensor of a\n"
	"model.  Without FILE, or for -, it reads one picture from standard\n"
	"input.\n",
	.options = options,
	.operands = { COMPLETE_PICTURE, COMPLETE_PICTURE },
	.env = env,
};

enum format { LABEL, RAW, NPY, TEXT, JSON, UNSET };

enum on_error { KEEP, SKIP, FAIL };

/* ---- Options ----------------------------------------------------------- */

struct img_tensor_options {
	struct preprocess_options preprocess;
	struct pictures pictures;
	struct prep_limits limits;
	enum format format;
	enum on_error on_error;
	unsigned threads;
	bool explain;
	int pictures_alone;		/* an option that --explain
					   excludes; 0: none */
	const char *output;
	char *const *operands;
};

static void
parse_option(struct img_tensor_options *o, int opt)
{
	if (cmd_dim_option(opt, optarg))
		return;
	switch (opt) {
	case 'F': o->format = (enum format)
	    cmd_choice("--format", optarg, formats); break;
	case 'j':
		o->threads = thread_count(optarg);
		o->pictures_alone = opt;
		break;
	case 'm': o->preprocess.model = optarg; break;
	case 'o': o->output = optarg; break;
	case 'q': cmd_quiet = true; break;
	case 'v': cmd_verbose = true; break;
	case 'r': o->format = RAW; break;
	case OPT_EXPLAIN: o->explain = true; break;
	case OPT_FAST: o->limits.fast = true; break;
	case OPT_ON_ERROR:
		o->on_error = (enum on_error)cmd_choice("--on-error", optarg,
		    on_errors);
		o->pictures_alone = opt;
		break;
	default:
		if (pictures_option(&o->pictures, opt, optarg) ||
		    progress_option(opt, optarg))
			o->pictures_alone = opt;
		else
			preprocess_option(&o->preprocess, opt, optarg);
	}
}

static void
read_options(struct img_tensor_options *o, int argc, char *argv[])
{
	int opt;

	while ((opt = cmd_option(argc, argv)) != -1)
		parse_option(o, opt);
	o->operands = argv + optind;
	if (o->format == UNSET)
		o->format = o->explain ? TEXT : LABEL;
	if (o->explain && o->format < TEXT)
		cmd_usage("--explain writes text or json");
	if (!o->explain && o->format >= TEXT)
		cmd_usage("--format: text and json are for --explain");
	if (o->explain && o->operands[0] != NULL)
		cmd_usage("--explain reads no pictures; leave '%s' out",
		    o->operands[0]);
	if (o->explain && o->pictures_alone != 0)
		cmd_usage("--explain reads no pictures; leave --%s out",
		    cmd_option_name(o->pictures_alone));
}

/* ---- Preprocessing ----------------------------------------------------- */

static struct prep *
open_prep(struct preprocess_options *o)
{
	struct prep_recipe r;
	struct npu_err err;
	struct prep *prep;

	preprocess_resolve(o, &r);
	if (prep_open(&prep, &r, &err) < 0) {
		if (o->model == NULL && err.code == NPU_EUSAGE)
			cmd_usage("%s", err.msg);
		cmd_die_err(o->model, &err);
	}
	preprocess_note_losses(o, prep);
	return prep;
}

static void
explain(const struct img_tensor_options *o, const struct prep *prep)
{
	struct buf b = { 0 };

	explain_recipe(&b, &o->preprocess, prep, o->limits.fast,
	    o->format == JSON);
	cmd_on_exit(NULL, NULL);
	cmd_write_document(o->output, &b);
}

/* ---- A picture --------------------------------------------------------- */

struct img_tensor {
	const struct img_tensor_options *o;
	const struct prep *prep;
	struct pictures pictures;
	struct buf head;		/* label or .npy header, written
					   before each tensor */
	struct preprocess_pool *pool;
	struct output out;
	uint64_t finished;		/* pictures */
	bool failed;			/* a picture was bad */
};

static void
put_tensor(struct img_tensor *t, const struct preprocessed *p)
{
	cmd_write(&t->out, p->tensor - t->head.n, t->head.n +
	    prep_recipe(t->prep)->tensor.size);
	cmd_end_record(&t->out);
}

/* Reports a bad picture.  npu_prefix() shortens a long name in the middle,
 * which keeps the reason readable. */
static void
report_bad(struct img_tensor *t, const struct preprocessed *p)
{
	struct npu_err err;

	npu_fail(&err, NPU_EFORMAT, "%s", p->error);
	npu_prefix(&err, NPU_EFORMAT, "%s", p->name);
	if (t->o->on_error == FAIL)
		cmd_die("%s", err.msg);
	cmd_warn("%s", err.msg);
	t->failed = true;
}

static void
report_good(const struct preprocessed *p)
{
	const struct geometry *g = &p->geometry;

	cmd_detail("%s: %" PRIu32 "x%" PRIu32 " pixels, scaled to %" PRIu64
	    "x%" PRIu64 " for %" PRIu32 "x%" PRIu32, p->name, g->width,
	    g->height, g->to_width, g->to_height, g->in_width, g->in_height);
}

static void
finish_oldest(struct img_tensor *t)
{
	struct preprocessed *p = preprocess_pool_take(t->pool);

	if (p == NULL)
		cmd_die_of_signal();
	if (p->error == NULL || t->o->on_error == KEEP)
		put_tensor(t, p);
	if (p->error != NULL)
		report_bad(t, p);
	else
		report_good(p);
	preprocess_pool_release(t->pool);
	progress_update(++t->finished);
}

/* Writes all results.  Called before a read that may block. */
static void
drain(void *arg)
{
	struct img_tensor *t = arg;

	while (preprocess_pool_waiting(t->pool))
		finish_oldest(t);
}

/* ---- Main -------------------------------------------------------------- */

/* Called at exit: if the program ends early, keeps the tensors that were
 * written before. */
static void
end_early(void *arg)
{
	struct img_tensor *t = arg;

	preprocess_pool_close(t->pool);
	cmd_abandon_output(&t->out);
}

static void
make_head(struct img_tensor *t)
{
	const struct npu_tensor *tensor = &prep_recipe(t->prep)->tensor;
	uint8_t label[NPU_LABEL_SIZE];
	struct npu_err err;

	if (t->o->format == LABEL) {
		if (npu_label_encode(&(struct npu_label){ *tensor, 0, 1 },
		    label, &err) < 0)
			cmd_die("%s", err.msg);
		buf_add(&t->head, label, sizeof(label));
	} else if (t->o->format == NPY &&
	    npy_encode(tensor, &t->head, &err) < 0) {
		cmd_die("%s", err.msg);
	}
	cmd_check_buf(&t->head);
}

static void
open_pool(struct img_tensor *t)
{
	struct preprocess_spec spec = { .prep = t->prep,
	    .limits = t->o->limits, .in_use = 1,
	    .threads = t->o->threads > 1 ? t->o->threads : 0,
	    .head = { (uint8_t *)t->head.p, t->head.n } };

	spec.limits.max_pixels = t->pictures.max_pixels;
	t->pool = preprocess_pool_open(&spec);
}

static void
convert_all(struct img_tensor *t)
{
	struct picture_item item;

	make_head(t);
	cmd_open_output(&t->out, t->o->output, true);
	cmd_on_exit(end_early, t);
	t->pictures = t->o->pictures;
	t->pictures.pause = drain;
	t->pictures.arg = t;
	pictures_open(&t->pictures, t->o->operands);
	open_pool(t);
	progress_begin("pictures", 0);
	if (progress_wanted())
		progress_total(pictures_count(&t->pictures));
	while (pictures_next(&t->pictures, &item)) {
		while (preprocess_pool_full(t->pool))
			finish_oldest(t);
		preprocess_pool_add(t->pool, &item);
		while (preprocess_pool_ready(t->pool))
			finish_oldest(t);
	}
	drain(t);
	progress_end();
	pictures_close(&t->pictures);
	preprocess_pool_close(t->pool);
	t->pool = NULL;
	cmd_close_output(&t->out);
	buf_free(&t->head);
}

int
main(int argc, char *argv[])
{
	struct img_tensor_options o = { .threads = 1, .format = UNSET };
	struct img_tensor t = { .o = &o };
	struct prep *prep;

	cmd_start();
	read_options(&o, argc, argv);
	if (o.format == JSON)
		json_on_failure("img-tensor/1", o.output);
	t.prep = prep = open_prep(&o.preprocess);
	if (o.explain)
		explain(&o, prep);
	else
		convert_all(&t);
	prep_close(prep);
	cmd_exit(t.failed ? EXIT_FAILED : EXIT_DONE);
}
