// SPDX-License-Identifier: Apache-2.0
/* npu-quant - converts real numbers to the elements that a model takes. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "dimensions.h"
#include "progress.h"
#include "tensor/npy.h"
#include "tensors/describe.h"
#include "tensors/real_reader.h"
#include "tensors/real_writer.h"

enum { OPT_STATS = 256, OPT_EXPLAIN, OPT_CLIP, OPT_NAN };

/* The formats for stored elements, the first in enum real_format. */
static const char *const formats[] = { "label", "raw", "npy", NULL };
static const char *const clips[] = { "error", "count", NULL };
static const char *const nans[] = { "error", "zero", NULL };

static const struct opt options[] = {
	TAKES('m', "model", "=MODEL[:in0]", COMPLETE_MODEL,
	    "take type, shape, scale, zero point from the inputs of MODEL "
	    "(or from one, as in0 or by name)"),
	CMD_DIM_OPTION,
	TENSOR_OPTIONS("without -m: s8, u8, s16, u16, s32, f16, bf16...",
	    "without -m: shape (default: the input's)",
	    "without -m: steps per unit (default 1)",
	    "without -m: zero point, steps (default 0)"),
	ONE_OF(OPT_CLIP, "clip", "=HOW", clips,
	    "for values outside the type's range: count them on standard "
	    "error (count, the default), or error"),
	ONE_OF(OPT_NAN, "nan", "=HOW", nans,
	    "for not-a-number: error (the default) or zero"),
	ONE_OF('F', "format", "=FORMAT", formats,
	    "label (the default), raw or npy"),
	FLAG('r', "raw", "the elements alone; the same as -F raw"),
	TAKES('o', "output", "=FILE", COMPLETE_FILE, "write to FILE"),
	FLAG(OPT_STATS, "stats", "print min, max, mean, ... on standard error"),
	FLAG(OPT_EXPLAIN, "explain",
	    "show the formula with its numbers, and end"),
	PROGRESS_OPTIONS,
	FLAG('q', "quiet", "no notes, no progress"),
	FLAG('v', "verbose", "print what was read from each file"),
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

/* ---- Options ---------------------------------------------------------- */

struct npu_quant_options {
	struct tensor_spec spec;
	enum real_format format;
	const char *output;
	bool clip_error, zero_nan, stats, explain;
	const char *converts;		/* an option about values; NULL: not
					   given */
};

static void
parse_option(struct npu_quant_options *o, int opt)
{
	if (cmd_dim_option(opt, optarg) || progress_option(opt, optarg))
		return;
	switch (opt) {
	case 'm': o->spec.model = optarg; break;
	case 'F':
		o->format = REAL_LABEL + cmd_choice("--format", optarg,
		    formats);
		o->converts = "--format";
		break;
	case 'r':
		o->format = REAL_RAW;
		o->converts = "--raw";
		break;
	case 'o': o->output = optarg; break;
	case 'q': cmd_quiet = true; break;
	case 'v': cmd_verbose = true; break;
	case OPT_CLIP:
		o->clip_error = cmd_choice("--clip", optarg, clips) == 0;
		o->converts = "--clip";
		break;
	case OPT_NAN:
		o->zero_nan = cmd_choice("--nan", optarg, nans) == 1;
		o->converts = "--nan";
		break;
	case OPT_STATS:
		o->stats = true;
		o->converts = "--stats";
		break;
	case OPT_EXPLAIN: o->explain = true; break;
	default: tensor_option(&o->spec.options, opt, optarg); break;
	}
}

static void
read_options(struct npu_quant_options *o, int argc, char *argv[])
{
	int opt;

	while ((opt = cmd_option(argc, argv)) != -1)
		parse_option(o, opt);
	tensor_spec_resolve(&o->spec, false, true);
	if (o->spec.n == 0)
		cmd_usage("say what is to be made: --model, or --type, --scale "
		    "and --zero");
	if (o->explain && (o->converts != NULL || optind < argc))
		cmd_usage("--explain reads no values; leave '%s' out",
		    o->converts != NULL ? o->converts : argv[optind]);
	if (o->format == REAL_UNSET)
		o->format = REAL_LABEL;
	cmd_name_operands(argv + optind);
}

struct npu_quant {
	const struct npu_quant_options *o;
	struct output out;
	struct value_stats stats;	/* --stats */
	struct npu_quant_stats counted;
	uint64_t elements;		/* number of elements converted */
};

/* ---- Input ------------------------------------------------------------ */

/* Describes raw input: floats, as many as the inputs have elements. */
static struct npu_tensor *
raw_floats(const struct tensor_spec *g)
{
	struct npu_tensor *t = cmd_alloc(g->n * sizeof(*t));

	for (uint16_t i = 0; i < g->n; i++)
		tensor_as_floats(&g->tensors[i], &t[i]);
	return t;
}

/* ---- Converting ------------------------------------------------------- */

/* Sets *t from the options and the current tensor; its size is 0 while the end
 * of the input is open. */
static void
target(const struct npu_quant_options *o, struct real_reader *r,
    struct npu_tensor *t)
{
	uint64_t have = npu_tensor_count(&r->t), expected;
	struct npu_err err;

	*t = *tensor_spec_tensor(&o->spec, &r->s);
	expected = npu_tensor_count(t);
	if (t->size != 0 && have != expected)
		real_reader_die(r, "%" PRIu64 " elements, but %" PRIu64 " are "
		    "wanted", have, expected);
	if (tensor_spec_check_shape(&o->spec, &r->s, &err) < 0)
		real_reader_die(r, "%s", err.msg);
	if (t->ndim == 0) {
		t->ndim = r->t.ndim;
		memcpy(t->dim, r->t.dim, sizeof(t->dim));
	}
	t->size = have * npu_dtype_size(t->dtype);
}

/* Returns the index of the first NaN, for a message; n if all are numbers. */
static size_t
first_nan(const float *x, size_t n)
{
	size_t i = 0;

	while (i < n && !isnan(x[i]))
		i++;
	return i;
}

/* Converts n numbers of the current tensor; the first is element at. */
static void
convert(struct npu_quant *d, struct real_reader *r, const struct npu_tensor *t,
    const float *x, size_t n, uint64_t at, void *q)
{
	struct npu_quant_stats st = { 0 };
	struct npu_err err;
	size_t nan = d->o->zero_nan ? n : first_nan(x, n);

	if (nan < n)
		real_reader_die(r, "element %" PRIu64 " is not a number (NaN); "
		    "--nan=zero takes it as 0", at + nan);
	if (npu_quantise(t, x, n, q, d->o->zero_nan, &st, &err) < 0)
		real_reader_die(r, "%s", err.msg);
	if (st.clipped > 0 && d->o->clip_error)
		real_reader_die(r,
		    "%" PRIu64 " of elements %" PRIu64 " to %" PRIu64
		    " are outside the range of %s (--clip=error)",
		    st.clipped, at, at + n - 1, npu_dtype_name(t->dtype));
	d->counted.clipped += st.clipped;
	d->counted.nan += st.nan;
	d->elements += n;
	if (d->o->stats) {
		value_stats_add(&d->stats, x, n);
		value_stats_add_stored(&d->stats, t->dtype, q, n);
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

/* Converts in pieces, which are written immediately, or kept if the header
 * needs the size and only the end of the input shows it. */
static void
convert_tensor(struct npu_quant *d, struct real_reader *r)
{
	static uint64_t q[REAL_READER_PIECE];
	static float x[REAL_READER_PIECE];
	const enum real_format format = d->o->format;
	struct npu_label l = r->s.label;
	bool keep = r->s.open_end && format != REAL_RAW;
	struct buf kept = { 0 };
	struct npu_err err;
	size_t n, each;

	target(d->o, r, &l.tensor);
	each = npu_dtype_size(l.tensor.dtype);
	d->stats.tensors++;
	if (!keep)
		put_head(&d->out, format, &l);
	while ((n = real_reader_read(r, x)) > 0) {
		convert(d, r, &l.tensor, x, n, r->at - n, q);
		if (keep && stream_check_flat(&r->s, &err) < 0)
			real_reader_die(r, "%s", err.msg);
		if (keep)
			buf_add(&kept, q, n * each);
		else
			cmd_write(&d->out, q, n * each);
	}
	if (!keep)
		return;
	if (kept.failed)
		real_reader_die(r, "out of memory");
	l.tensor.size = kept.n;
	put_head(&d->out, format, &l);
	cmd_write_buf(&d->out, &kept);
}

static void
convert_file(struct npu_quant *d, const char *path)
{
	const struct tensor_spec *spec = &d->o->spec;
	struct npu_tensor *raw = raw_floats(spec);
	static struct real_reader r;

	real_reader_open(&r, path, NULL, &d->out);
	cmd_may_replace_input(path);
	stream_frames(&r.s, raw, spec->n);
	while (real_reader_next(&r)) {
		convert_tensor(d, &r);
		if (r.s.label.index + 1 == r.s.label.count)
			cmd_end_record(&d->out);
	}
	real_reader_close(&r);
	free(raw);
}

static void
convert_all(struct npu_quant *d, char *paths[], int n)
{
	progress_begin_files(paths, n);
	if (n == 0)
		convert_file(d, NULL);
	for (int i = 0; i < n; i++)
		convert_file(d, paths[i]);
	progress_end();
}

static void
explain_all(struct npu_quant *d)
{
	char name[24];

	for (uint16_t i = 0; i < d->o->spec.n; i++) {
		snprintf(name, sizeof(name), "in%u", d->o->spec.first + i);
		describe_formula(&d->out, name, &d->o->spec.tensors[i]);
	}
}

static void
report_counts(const struct npu_quant *d)
{
	double percent = d->elements == 0 ? 0 :
	    100 * (double)d->counted.clipped / (double)d->elements;

	if (d->counted.clipped > 0)
		cmd_note("%" PRIu64 " of %" PRIu64 " value%s clipped (%.2f%%)",
		    d->counted.clipped, d->elements, num_plural(d->elements),
		    percent);
	if (d->counted.nan > 0)
		cmd_note("%" PRIu64 " of %" PRIu64 " value%s %s NaN and became "
		    "0", d->counted.nan, d->elements,
		    num_plural(d->elements),
		    d->counted.nan == 1 ? "was" : "were");
	if (d->o->stats)
		value_stats_report(&d->stats, "stats");
}

/* ---- Start and end ---------------------------------------------------- */

int
main(int argc, char *argv[])
{
	struct npu_quant_options o = { 0 };
	struct npu_quant d = { .o = &o };

	cmd_start();
	read_options(&o, argc, argv);
	cmd_open_output(&d.out, o.output, !o.explain);
	cmd_abandon_output_on_exit(&d.out);
	if (o.explain)
		explain_all(&d);
	else
		convert_all(&d, argv + optind, argc - optind);
	cmd_close_output(&d.out);
	if (!o.explain)
		report_counts(&d);
	free(d.stats.seen);
	tensor_spec_free(&o.spec);
	cmd_exit(EXIT_DONE);
}
