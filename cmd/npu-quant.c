// SPDX-License-Identifier: Apache-2.0
/* npu-quant - real numbers to the elements that a model takes. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tensor/npy.h"
#include "tensors/describe.h"
#include "tensors/real_reader.h"
#include "tensors/real_writer.h"

enum { OPT_STATS = 256, OPT_EXPLAIN, OPT_CLIP, OPT_NAN };

/* The formats that are for what is stored. */
static const char *const formats[] = { "label", "raw", "npy", NULL };
static const char *const clips[] = { "error", "count", NULL };
static const char *const nans[] = { "error", "zero", NULL };

static const struct opt options[] = {
	TAKES('m', "model", "=MODEL[:in0]", COMPLETE_MODEL,
	    "type, shape, scale, zero point of the inputs of MODEL (or one, "
	    "as in0 or by name)"),
	TENSOR_OPTIONS("by hand: s8, u8, s16, u16, s32, f16, bf16...",
	    "by hand (default: that of the input)",
	    "by hand: steps per unit (default 1)",
	    "by hand: zero point, steps (default 0)"),
	ONE_OF(OPT_CLIP, "clip", "=HOW", clips,
	    "values outside the type's range: count (the default: said on "
	    "standard error) or error"),
	ONE_OF(OPT_NAN, "nan", "=HOW", nans,
	    "not-a-number: error (the default) or zero"),
	ONE_OF('F', "format", "=FORMAT", formats,
	    "label (the default), raw or npy"),
	FLAG('r', "raw", "the elements alone; the same as -F raw"),
	TAKES('o', "output", "=FILE", COMPLETE_FILE, "write to FILE"),
	FLAG(OPT_STATS, "stats", "say min, max, mean, ... on standard error"),
	FLAG(OPT_EXPLAIN, "explain",
	    "show the formula with its numbers, and end"),
	FLAG('q', "quiet", "no notes"),
	CMD_COMMON,
	{ 0 },
};

static const struct cmd_env env[] = {
	CMD_MODEL_ENV,
	{ 0 },
};

const struct program program = {
	.name = "npu-quant",
	.synopsis = "npu-quant {-m MODEL | -t TYPE} [OPTION]... [FILE]...",
	.examples =
	"  npu-quant -m clip_visual.cix image.npy | npu-run clip_visual.cix\n"
	"  npu-quant -t s8 -s 64.75 -z 12 --stats floats.npy >labelled\n",
	.help =
	"Converts real numbers to what a model takes:\n"
	"q = clip(rint(x * scale - zero)), halves to even.  FILEs are read\n"
	"one after the other, standard input without any or for -; they are\n"
	"labelled, .npy (both of any type), or raw 32-bit floats.\n",
	.options = options,
	.operands = { COMPLETE_FILE, COMPLETE_FILE },
	.env = env,
};

struct choice {
	struct tensor_spec spec;
	enum real_format format;
	const char *output;
	bool clip_error, zero_nan, stats, explain;
};

static struct value_stats stats;
static struct npu_quant_stats counted;
static uint64_t elements;

static enum real_format
take_format(const char *arg)
{
	enum real_format f = real_format_parse(arg);

	if (f > REAL_NPY)
		cmd_usage("--format: %s is for real numbers; label, raw or "
		    "npy is possible here", arg);
	return f;
}

static void
take_option(struct choice *c, int opt)
{
	switch (opt) {
	case 'm': c->spec.model = optarg; break;
	case 'F': c->format = take_format(optarg); break;
	case 'r': c->format = REAL_RAW; break;
	case 'o': c->output = optarg; break;
	case 'q': cmd_quiet = true; break;
	case OPT_CLIP:
		c->clip_error = cmd_choice("--clip", optarg, clips) == 0;
		break;
	case OPT_NAN:
		c->zero_nan = cmd_choice("--nan", optarg, nans) == 1;
		break;
	case OPT_STATS: c->stats = true; break;
	case OPT_EXPLAIN: c->explain = true; break;
	default: tensor_option(&c->spec.options, opt, optarg); break;
	}
}

/* ---- Input ------------------------------------------------------------ */

/* Raw input is floats, as many as the inputs have elements. */
static struct npu_tensor *
raw_floats(const struct tensor_spec *g)
{
	struct npu_tensor *t = cmd_alloc(g->n * sizeof(*t));

	for (uint16_t i = 0; i < g->n; i++) {
		t[i] = g->tensors[i];
		t[i].size = npu_tensor_count(&t[i]) * sizeof(float);
		t[i].dtype = NPU_F32;
		t[i].scale = 1;
		t[i].zero_point = 0;
	}
	return t;
}

/* ---- The tensor to be made -------------------------------------------- */

/* *t from what was given and the tensor at hand; its size is 0 while the
 * input's end is open. */
static void
target(const struct choice *c, struct real_reader *r, struct npu_tensor *t)
{
	uint64_t have = npu_tensor_count(&r->t), want;

	*t = *tensor_spec_tensor(&c->spec, &r->s);
	want = npu_tensor_count(t);
	if (t->size != 0 && have != want)
		real_reader_die(r, "%" PRIu64 " elements, but %" PRIu64 " are "
		    "wanted", have, want);
	if (t->ndim == 0) {
		t->ndim = r->t.ndim;
		memcpy(t->dim, r->t.dim, sizeof(t->dim));
	}
	t->size = have * npu_dtype_size(t->dtype);
}

/* The index of the first NaN, for a message; n if there is none. */
static size_t
first_nan(const float *x, size_t n)
{
	size_t i = 0;

	while (i < n && !isnan(x[i]))
		i++;
	return i;
}

/* n numbers of the tensor at hand, the first being number at of it. */
static void
convert(const struct choice *c, struct real_reader *r,
    const struct npu_tensor *t, const float *x, size_t n, uint64_t at, void *q)
{
	struct npu_quant_stats st = { 0 };
	struct npu_err err;
	size_t nan = c->zero_nan ? n : first_nan(x, n);

	if (nan < n)
		real_reader_die(r, "element %" PRIu64 " is not a number (NaN); "
		    "--nan=zero takes it as 0", at + nan);
	if (npu_quantise(t, x, n, q, c->zero_nan, &st, &err) < 0)
		real_reader_die(r, "%s", err.msg);
	if (st.clipped > 0 && c->clip_error)
		real_reader_die(r, "%" PRIu64 " of elements %" PRIu64 " to %"
		    PRIu64 " are outside the range of %s (--clip=error)",
		    st.clipped, at, at + n - 1, npu_dtype_name(t->dtype));
	counted.clipped += st.clipped;
	counted.nan += st.nan;
	elements += n;
	if (c->stats) {
		value_stats_add(&stats, x, n);
		value_stats_add_stored(&stats, t->dtype, q, n);
	}
}

/* ---- Output ----------------------------------------------------------- */

static void
put_head(struct output *o, enum real_format f, const struct npu_label *l)
{
	struct buf b = { 0 };
	struct npu_err err;

	if (f == REAL_LABEL)
		stream_put_label(o, l);
	if (f != REAL_NPY)
		return;
	if (npy_encode(&l->tensor, &b, &err) < 0) {
		cmd_abandon_output(o);
		cmd_die("%s", err.msg);
	}
	cmd_write_buf(o, &b);
}

/* In pieces, which are written at once, or kept where the head must tell the
 * size and only the end of the input does. */
static void
one_tensor(struct output *o, const struct choice *c, struct real_reader *r)
{
	static uint64_t q[REAL_READER_PIECE];
	static float x[REAL_READER_PIECE];
	struct npu_label l = r->s.label;
	bool keep = r->s.open_end && c->format != REAL_RAW;
	struct buf kept = { 0 };
	size_t n, each;

	target(c, r, &l.tensor);
	each = npu_dtype_size(l.tensor.dtype);
	stats.tensors++;
	if (!keep)
		put_head(o, c->format, &l);
	while ((n = real_reader_read(r, x)) > 0) {
		convert(c, r, &l.tensor, x, n, r->at - n, q);
		if (keep)
			buf_add(&kept, q, n * each);
		else
			cmd_write(o, q, n * each);
	}
	if (!keep)
		return;
	if (kept.failed)
		real_reader_die(r, "out of memory");
	l.tensor.size = kept.n;
	put_head(o, c->format, &l);
	cmd_write_buf(o, &kept);
}

static void
one_file(struct output *o, const struct choice *c, const char *path)
{
	struct npu_tensor *raw = raw_floats(&c->spec);
	static struct real_reader r;

	real_reader_open(&r, path, NULL, o);
	stream_frames(&r.s, raw, c->spec.n);
	while (real_reader_next(&r)) {
		one_tensor(o, c, &r);
		if (r.s.label.index + 1 == r.s.label.count)
			cmd_end_record(o);
	}
	real_reader_close(&r);
	free(raw);
}

static void
convert_all(const struct choice *c, struct output *o, char *paths[], int n)
{
	if (n == 0)
		one_file(o, c, NULL);
	for (int i = 0; i < n; i++)
		one_file(o, c, paths[i]);
}

static void
explain_all(const struct choice *c, struct output *o)
{
	char name[24];

	for (uint16_t i = 0; i < c->spec.n; i++) {
		snprintf(name, sizeof(name), "in%u", i);
		describe_formula(o, name, &c->spec.tensors[i]);
	}
}

static void
say_counts(const struct choice *c)
{
	double percent = elements == 0 ? 0 :
	    100 * (double)counted.clipped / (double)elements;

	if (counted.clipped > 0)
		cmd_note("%" PRIu64 " of %" PRIu64 " values clipped (%.2f%%)",
		    counted.clipped, elements, percent);
	if (counted.nan > 0)
		cmd_note("%" PRIu64 " of %" PRIu64 " values were NaN and "
		    "taken as 0", counted.nan, elements);
	if (c->stats)
		value_stats_report(&stats, "stats");
}

static struct output *unfinished;

/* However it fails: what is whole is written. */
static void
abandon(void)
{
	cmd_abandon_output(unfinished);
}

int
main(int argc, char *argv[])
{
	struct choice c = { .format = REAL_LABEL };
	struct output out;
	int opt;

	cmd_start();
	while ((opt = cmd_option(argc, argv)) != -1)
		take_option(&c, opt);
	tensor_spec_resolve(&c.spec, false, true);
	if (c.spec.n == 0)
		cmd_usage("say what is to be made: --model, or --type, --scale "
		    "and --zero");
	cmd_open_output(&out, c.output, !c.explain);
	unfinished = &out;
	cmd_at_exit = abandon;
	if (c.explain)
		explain_all(&c, &out);
	else
		convert_all(&c, &out, argv + optind, argc - optind);
	cmd_close_output(&out);
	if (!c.explain)
		say_counts(&c);
	free(stats.seen);
	tensor_spec_free(&c.spec);
	cmd_exit(EXIT_DONE);
}
