// SPDX-License-Identifier: Apache-2.0
/* img-tensor - pictures to the tensors that a model reads. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "pictures/pictures.h"
#include "pictures/preprocess_options.h"
#include "pictures/preprocess_pool.h"
#include "tensor/npy.h"

enum { OPT_EXPLAIN = 256, OPT_FAST, OPT_ON_ERROR };

static const char *const formats[] = { "label", "raw", "npy", "text", "json",
    NULL };
static const char *const on_errors[] = { "keep", "skip", "fail", NULL };

static const struct opt options[] = {
	TAKES('m', "model", "=MODEL[:in0]", COMPLETE_MODEL,
	    "type, scale, zero point, size and layout as MODEL has them"),
	PREPROCESS_FOR_OPTION,
	FLAG(OPT_EXPLAIN, "explain", "show the whole recipe, and end"),
	BETWEEN("\nThe recipe in single options:"),
	PREPROCESS_OPTIONS,
	TAKES('t', "type", "=TYPE", COMPLETE_TYPE,
	    "u8, s8, u16, s16, f16, f32 (default) ..."),
	TAKES('s', "scale", "=S", COMPLETE_NONE, "steps per unit (1)"),
	TAKES('z', "zero", "=Z", COMPLETE_NONE, "zero point, steps (0)"),
	BETWEEN("\nPictures and tensors:"),
	PICTURES_OPTIONS,
	ONE_OF(OPT_ON_ERROR, "on-error", "=WHAT", on_errors,
	    "a bad picture: keep its place with gray (the default), skip it, "
	    "or fail"),
	FLAG(OPT_FAST, "fast",
	    "decode large JPEGs at a fraction of their size"),
	TAKES('j', "jobs", "=N", COMPLETE_NONE,
	    "threads (1); 0: as many as processors"),
	ONE_OF('F', "format", "=FORMAT", formats,
	    "label (default), raw or npy; for --explain text or json"),
	FLAG('r', "raw", "the elements alone; the same as -F raw"),
	TAKES('o', "output", "=FILE", COMPLETE_FILE, "write to FILE"),
	FLAG('q', "quiet", "no notes"),
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
	"Turns each picture (JPEG, PNG, PPM) into a tensor as a model reads\n"
	"it.  Without FILE, or for -, standard input is one picture.\n",
	.options = options,
	.operands = { COMPLETE_PICTURE, COMPLETE_PICTURE },
	.env = env,
};

enum format { LABEL, RAW, NPY, TEXT, JSON, UNSAID };

enum on_error { KEEP, SKIP, FAIL };

struct img_tensor {
	struct preprocess_options preprocess;
	struct pictures pictures;
	struct preprocess_spec spec;	/* prep, limits */
	enum format format;
	enum on_error on_error;
	unsigned threads;
	bool explain;
	int of_pictures;		/* an option said that --explain does
					   not need; 0: none */
	const char *output;

	struct prep *prep;
	struct buf head;		/* before each tensor */
	struct preprocess_pool *pool;
	struct output out;
	bool failed;			/* a picture was bad */
};

/* ---- A picture --------------------------------------------------------- */

static void
put_tensor(struct img_tensor *j, const struct preprocessed *p)
{
	size_t head = j->spec.head.n;

	cmd_write(&j->out, p->tensor - head, head +
	    prep_recipe(j->spec.prep)->tensor.size);
	cmd_end_record(&j->out);
}

/* A long name loses its middle, not the reason. */
static void
report_bad(struct img_tensor *j, const struct preprocessed *p)
{
	struct npu_err err;

	npu_fail(&err, NPU_EFORMAT, "%s", p->error);
	npu_prefix(&err, NPU_EFORMAT, "%s", p->name);
	if (j->on_error == FAIL)
		cmd_die("%s", err.msg);
	cmd_warn("%s", err.msg);
	j->failed = true;
}

static void
finish_oldest(struct img_tensor *j)
{
	struct preprocessed *p = preprocess_pool_take(j->pool);

	if (p == NULL)
		cmd_die_of_signal();
	if (p->error == NULL || j->on_error == KEEP)
		put_tensor(j, p);
	if (p->error != NULL)
		report_bad(j, p);
	preprocess_pool_release(j->pool);
}

/* Before a read that waits: nothing that is there is held back. */
static void
drain(void *arg)
{
	struct img_tensor *j = arg;

	while (preprocess_pool_waiting(j->pool))
		finish_oldest(j);
}

/* ---- All of them ------------------------------------------------------- */

/* Whatever the program dies of, the tensors before are written. */
static struct img_tensor *unfinished;

static void
abandon(void)
{
	preprocess_pool_close(unfinished->pool);
	cmd_abandon_output(&unfinished->out);
}

static void
make_head(struct img_tensor *j)
{
	const struct npu_tensor *t = &prep_recipe(j->prep)->tensor;
	uint8_t label[NPU_LABEL_SIZE];
	struct npu_err err;

	if (j->format == LABEL) {
		if (npu_label_encode(&(struct npu_label){ *t, 0, 1 }, label,
		    &err) < 0)
			cmd_die("%s", err.msg);
		buf_add(&j->head, label, sizeof(label));
	} else if (j->format == NPY && npy_encode(t, &j->head, &err) < 0) {
		cmd_die("%s", err.msg);
	}
	if (j->head.failed)
		cmd_die("out of memory");
}

static void
convert_all(struct img_tensor *j, char *const *operands)
{
	struct picture_item item;

	j->spec.threads = j->threads > 1 ? j->threads : 0;
	j->spec.in_use = 1;
	j->spec.head = (struct bytes){ (uint8_t *)j->head.p, j->head.n };
	j->pictures.pause = drain;
	j->pictures.arg = j;
	pictures_open(&j->pictures, operands);
	j->spec.limits.max_pixels = j->pictures.max_pixels;
	j->pool = preprocess_pool_open(&j->spec);
	while (pictures_next(&j->pictures, &item)) {
		while (preprocess_pool_full(j->pool))
			finish_oldest(j);
		preprocess_pool_add(j->pool, &item);
		while (preprocess_pool_ready(j->pool))
			finish_oldest(j);
	}
	drain(j);
	pictures_close(&j->pictures);
	preprocess_pool_close(j->pool);
	j->pool = NULL;
}

static void
explain(const struct img_tensor *j)
{
	struct buf b = { 0 };

	preprocess_explain(&b, &j->preprocess, j->prep, j->spec.limits.fast,
	    j->format == JSON);
	cmd_write_document(j->output, &b);
}

/* ---- Options ----------------------------------------------------------- */

static void
take_option(struct img_tensor *j, int opt)
{
	switch (opt) {
	case 'F': j->format = (enum format)
	    cmd_choice("--format", optarg, formats); break;
	case 'j':
		j->threads = thread_count(optarg);
		j->of_pictures = opt;
		break;
	case 'm': j->preprocess.model = optarg; break;
	case 'o': j->output = optarg; break;
	case 'q': cmd_quiet = true; break;
	case 'r': j->format = RAW; break;
	case OPT_EXPLAIN: j->explain = true; break;
	case OPT_FAST: j->spec.limits.fast = true; break;
	case OPT_ON_ERROR:
		j->on_error = (enum on_error)cmd_choice("--on-error", optarg,
		    on_errors);
		j->of_pictures = opt;
		break;
	default:
		if (pictures_option(&j->pictures, opt, optarg))
			j->of_pictures = opt;
		else
			preprocess_option(&j->preprocess, opt, optarg);
	}
}

static void
check_options(struct img_tensor *j, char *const *operands)
{
	if (j->format == UNSAID)
		j->format = j->explain ? TEXT : LABEL;
	if (j->explain && j->format < TEXT)
		cmd_usage("--explain writes text or json");
	if (!j->explain && j->format >= TEXT)
		cmd_usage("--format: text and json are for --explain");
	if (j->explain && operands[0] != NULL)
		cmd_usage("--explain reads no pictures; leave '%s' out",
		    operands[0]);
	if (j->explain && j->of_pictures != 0)
		cmd_usage("--explain reads no pictures; leave --%s out",
		    cmd_option_name(j->of_pictures));
}

/* A step per unit is seldom meant for values such as 0 to 1. */
static bool
few_shades(const struct img_tensor *j)
{
	const struct tensor_options *p = &j->preprocess.tensor;
	double range = 0, r;

	if (!p->has_type || p->has_scale || npu_dtype_is_float(p->dtype))
		return false;
	for (unsigned c = 0; c < 3; c++) {
		r = (double)prep_value(j->prep, c, 255) -
		    (double)prep_value(j->prep, c, 0);
		range = r > range ? r : range;
	}
	if (range < 64)
		cmd_note("%s without --scale: 256 shades become %.0f",
		    npu_dtype_name(p->dtype), rint(range) + 1);
	return range < 64;
}

/* What the model takes, or what was said, cannot be. */
static _Noreturn void
refuse(const struct img_tensor *j, const struct npu_err *err)
{
	if (j->preprocess.model == NULL && err->code == NPU_EUSAGE)
		cmd_usage("%s", err->msg);
	cmd_die_err(j->preprocess.model, err);
}

int
main(int argc, char *argv[])
{
	struct img_tensor j = { .threads = 1, .format = UNSAID };
	struct prep_recipe r;
	struct npu_err err;
	int opt;

	cmd_start();
	while ((opt = cmd_option(argc, argv)) != -1)
		take_option(&j, opt);
	check_options(&j, argv + optind);
	preprocess_resolve(&j.preprocess, &r);
	if (prep_open(&j.prep, &r, &err) < 0)
		refuse(&j, &err);
	j.spec.prep = j.prep;
	if (!few_shades(&j))
		preprocess_note_clipped(j.prep);
	if (j.explain) {
		explain(&j);
	} else {
		make_head(&j);
		cmd_open_output(&j.out, j.output, true);
		unfinished = &j;
		cmd_at_exit = abandon;
		convert_all(&j, argv + optind);
		cmd_close_output(&j.out);
	}
	buf_free(&j.head);
	prep_close(j.prep);
	cmd_exit(j.failed ? EXIT_FAILED : EXIT_DONE);
}
