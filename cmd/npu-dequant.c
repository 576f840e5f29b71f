// SPDX-License-Identifier: Apache-2.0
/* npu-dequant - converts stored tensor elements to real numbers. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dimensions.h"
#include "progress.h"
#include "tensors/describe.h"
#include "tensors/diff.h"
#include "tensors/real_writer.h"

enum { OPT_STATS = 256, OPT_EXPLAIN, OPT_DIFF, OPT_TOL, OPT_NORM,
	OPT_NORMALISE, OPT_KEEP_ZERO };

/* Most numbers in a vector of --norm, which is held whole: 4 GiB. */
#define NORM_MOST ((size_t)1 << 30)

enum norm { NORM_NONE, NORM_L2, NORM_ALL };
static const char *const norms[] = { "none", "l2", "all", NULL };

static const struct opt options[] = {
	TAKES('m', "model", "=MODEL[:out0]", COMPLETE_MODEL,
	    "take type, scale, zero point from the outputs of MODEL (or "
	    "from one, as out0 or by name)"),
	CMD_DIM_OPTION,
	TENSOR_OPTIONS("without -m: s8, u8, s16, u16, s32, f16, bf16...",
	    "without -m: shape (default: flat, whole input)",
	    "without -m: steps per unit (default 1)",
	    "without -m: zero point, steps (default 0)"),
	FLAG(OPT_NORMALISE, "normalise",
	    "divide each row, of the last dimension, by its Euclidean "
	    "length; the same as --norm=l2"),
	ONE_OF(OPT_NORM, "norm", "=WHAT", norms,
	    "none (default), l2 (each row) or all (each tensor as one vector)"),
	FLAG(OPT_KEEP_ZERO, "keep-zero",
	    "with --norm, a vector of zeros stays as it is"),
	ONE_OF('F', "format", "=FORMAT", real_formats,
	    "label, raw, npy, jsonl (an object a tensor) or text (a line a "
	    "tensor); default label, on a terminal text"),
	FLAG('r', "raw", "the floats alone; the same as -F raw"),
	TAKES('o', "output", "=FILE", COMPLETE_FILE, "write to FILE"),
	FLAG(OPT_STATS, "stats", "print min, max, mean, ... on standard error"),
	FLAG(OPT_EXPLAIN, "explain",
	    "show the formula with its numbers, and end"),
	TAKES(OPT_DIFF, "diff", "=REF", COMPLETE_FILE,
	    "compare with the tensors of file REF instead"),
	TAKES(OPT_TOL, "tol", "=LIST", COMPLETE_NONE,
	    "with --diff, exit 4 beyond max:0.01,rms:0.1,cos:0.999,sqnr:40,"
	    "corr:0.999,mae:0.5"),
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

static const struct moved moved[] = {
	{ "-n", "--normalise", "--count" },
	{ 0 },
};

const struct program program = {
	.name = "npu-dequant",
	.synopsis = "npu-dequant [OPTION]... [FILE]...",
	.examples =
	"  clip-tokenize <texts | npu-run clip_txt.cix |\n"
	"      npu-dequant --norm=l2\n"
	"  npu-dequant -t s8 -s 27.67 -z 60 <bytes\n",
	.help =
	"Converts tensors to 32-bit floats: x = (q + zero) / scale.  FILEs\n"
	"are read one after the other, standard input without any, or for -.\n"
	"A labelled stream says itself what it is; raw bytes need --model\n"
	"or --type; .npy has a type, but no scale.\n",
	.options = options,
	.moved = moved,
	.operands = { COMPLETE_FILE, COMPLETE_FILE },
	.env = env,
};

/* ---- Options ---------------------------------------------------------- */

struct npu_dequant_options {
	struct tensor_spec spec;
	enum real_format format;
	const char *output;
	enum norm norm;
	bool stats, explain, keep_zero;
	const char *reference;		/* --diff; NULL: not given */
	struct tolerance tolerance;
	bool has_tolerance;
};

static void
parse_option(struct npu_dequant_options *o, int opt)
{
	if (cmd_dim_option(opt, optarg) || progress_option(opt, optarg))
		return;
	switch (opt) {
	case 'm': o->spec.model = optarg; break;
	case OPT_NORMALISE: o->norm = NORM_L2; break;
	case OPT_NORM:
		o->norm = (enum norm)cmd_choice("--norm", optarg, norms);
		break;
	case 'F': o->format = real_format_parse(optarg); break;
	case 'r': o->format = REAL_RAW; break;
	case 'o': o->output = optarg; break;
	case 'q': cmd_quiet = true; break;
	case 'v': cmd_verbose = true; break;
	case OPT_KEEP_ZERO: o->keep_zero = true; break;
	case OPT_STATS: o->stats = true; break;
	case OPT_EXPLAIN: o->explain = true; break;
	case OPT_DIFF: o->reference = optarg; break;
	case OPT_TOL:
		tolerance_parse(&o->tolerance, optarg);
		o->has_tolerance = true;
		break;
	default: tensor_option(&o->spec.options, opt, optarg); break;
	}
}

static void
check_options(struct npu_dequant_options *o, int operands)
{
	bool text = o->output == NULL && isatty(STDOUT_FILENO);

	if (o->keep_zero && o->norm == NORM_NONE)
		cmd_usage("--keep-zero needs --norm");
	if (o->has_tolerance && o->reference == NULL)
		cmd_usage("--tol is for --diff");
	if (o->reference != NULL && (o->norm != NORM_NONE || o->stats ||
	    o->explain || (o->format != REAL_UNSET && o->format < REAL_JSONL)))
		cmd_usage("--diff writes text or jsonl, and goes with neither "
		    "--normalise nor --stats nor --explain");
	if (o->explain && (o->norm != NORM_NONE || o->stats ||
	    o->format != REAL_UNSET))
		cmd_usage("--explain converts nothing; leave %s out",
		    o->format != REAL_UNSET ? "--format" :
		    o->stats ? "--stats" : "--norm");
	if (o->explain && operands > (o->spec.n == 0))
		cmd_usage(o->spec.n == 0 ? "--explain reads one file" :
		    "--explain reads no file when the type is given");
	if (o->format == REAL_UNSET)
		o->format = text || o->reference != NULL ? REAL_TEXT :
		    REAL_LABEL;
}

static void
read_options(struct npu_dequant_options *o, int argc, char *argv[])
{
	int opt;

	while ((opt = cmd_option(argc, argv)) != -1)
		parse_option(o, opt);
	tensor_spec_resolve(&o->spec, true, false);
	check_options(o, argc - optind);
	cmd_name_input(o->reference);
	cmd_name_operands(argv + optind);
}

/* ---- Converting ------------------------------------------------------- */

struct npu_dequant {
	const struct npu_dequant_options *o;
	struct output out;
	struct real_writer writer;	/* writes to out */
	struct value_stats stats;	/* --stats */
};

/* Converts in pieces: memory does not depend on the tensor's size. */
static void
convert_pieces(struct npu_dequant *d, struct real_reader *r)
{
	static float x[REAL_READER_PIECE];
	size_t n;

	while ((n = real_reader_read(r, x)) > 0) {
		if (d->o->stats)
			value_stats_add(&d->stats, x, n);
		real_writer_put(&d->writer, x, n);
	}
}

static bool
is_zero(const float *x, size_t n)
{
	size_t i = 0;

	while (i < n && x[i] == 0)
		i++;
	return i == n;
}

/* Writes one vector of n numbers: row of rows, from 1. */
static void
normalise(const struct npu_dequant *d, struct real_reader *r, float *x,
    size_t n, uint64_t row, uint64_t rows)
{
	struct npu_err err;

	if (npu_l2_normalise(x, n, &err) == 0 ||
	    (d->o->keep_zero && is_zero(x, n)))
		return;
	if (rows == 1)
		real_reader_die(r, "%s", err.msg);
	real_reader_die(r, "row %" PRIu64 " of %" PRIu64 ": %s", row, rows,
	    err.msg);
}

/* Returns the numbers in a vector of --norm: in a row, or in the tensor. */
static size_t
vector_length(const struct npu_dequant *d, struct real_reader *r)
{
	bool row = d->o->norm == NORM_L2 && r->t.ndim >= 2;
	size_t n = row ? r->t.dim[r->t.ndim - 1] : npu_tensor_count(&r->t);

	if (n > NORM_MOST)
		real_reader_die(r, "a %s of %zu numbers; --norm takes at most "
		    "%zu", row ? "row" : "vector", n, NORM_MOST);
	return n;
}

/* Writes a vector at a time, because its length is only known at its end. */
static void
convert_vectors(struct npu_dequant *d, struct real_reader *r)
{
	const size_t n = vector_length(d, r);
	const uint64_t rows = npu_tensor_count(&r->t) / n;
	struct buf b = { 0 };
	size_t got, whole, i;
	uint64_t row = 0;
	float *x;

	do {
		if (buf_reserve(&b, REAL_READER_PIECE * sizeof(*x)) == NULL)
			real_reader_die(r, "out of memory after %zu bytes",
			    b.n);
		x = (float *)(void *)b.p;
		got = real_reader_read(r, x + b.n / sizeof(*x));
		b.n += got * sizeof(*x);
		whole = b.n / sizeof(*x) / n * n;
		for (i = 0; i < whole; i += n)
			normalise(d, r, x + i, n, ++row, rows);
		if (d->o->stats)
			value_stats_add(&d->stats, x, whole);
		real_writer_put(&d->writer, x, whole);
		b.n -= whole * sizeof(*x);
		memmove(x, x + whole, b.n);
	} while (got > 0);
	buf_free(&b);
}

/* Writes immediately: the length is not known before the end. */
static void
convert_open(struct npu_dequant *d, struct real_reader *r, struct npu_label *l)
{
	struct buf b = { 0 };
	size_t count;
	float *x;

	real_reader_read_all(r, &b);
	x = (float *)(void *)b.p;
	count = b.n / sizeof(*x);
	if (d->o->norm != NORM_NONE)
		normalise(d, r, x, count, 1, 1);
	if (d->o->stats)
		value_stats_add(&d->stats, x, count);
	l->tensor.size = b.n;
	real_writer_begin(&d->writer, l, r->s.frame);
	real_writer_put(&d->writer, x, count);
	buf_free(&b);
}

static void
convert_tensor(struct npu_dequant *d, struct real_reader *r)
{
	struct real_writer *v = &d->writer;
	struct npu_label l = r->s.label;
	bool norm = d->o->norm != NORM_NONE;

	l.tensor = (struct npu_tensor){ .dtype = NPU_F32, .ndim = r->t.ndim,
	    .scale = 1, .size = npu_tensor_count(&r->t) * sizeof(float) };
	memcpy(l.tensor.dim, r->t.dim, sizeof(l.tensor.dim));
	d->stats.tensors++;
	if (r->s.open_end && (norm || (v->format < REAL_JSONL &&
	    v->format != REAL_RAW))) {
		convert_open(d, r, &l);
	} else {
		real_writer_begin(v, &l, r->s.frame);
		if (norm)
			convert_vectors(d, r);
		else
			convert_pieces(d, r);
	}
	real_writer_end(v);
}

static void
convert_file(struct npu_dequant *d, const char *path)
{
	static struct real_reader r;

	real_reader_open(&r, path, &d->o->spec, &d->out);
	cmd_may_replace_input(path);
	r.stats = d->o->stats ? &d->stats : NULL;
	while (real_reader_next(&r)) {
		convert_tensor(d, &r);
		if (r.s.label.index + 1 == r.s.label.count)
			cmd_end_record(&d->out);
	}
	d->writer.before += r.s.frame - 1;
	real_reader_close(&r);
}

static void
convert_all(struct npu_dequant *d, char *paths[], int n)
{
	d->writer = (struct real_writer){ .o = &d->out,
	    .format = d->o->format };
	progress_begin_files(paths, n);
	if (n == 0)
		convert_file(d, NULL);
	for (int i = 0; i < n; i++)
		convert_file(d, paths[i]);
	progress_end();
}

/* ---- --explain -------------------------------------------------------- */

/* Sets the tensors of the options, else the tensors of the first frame. */
static void
explain_all(struct npu_dequant *d, const char *path)
{
	const struct tensor_spec *spec = &d->o->spec;
	static struct real_reader r;
	char name[24];

	for (uint16_t i = 0; i < spec->n; i++) {
		snprintf(name, sizeof(name), "out%u", spec->first + i);
		describe_formula(&d->out, name, &spec->tensors[i]);
	}
	if (spec->n > 0)
		return;
	real_reader_open(&r, path, spec, &d->out);
	while (real_reader_next(&r) && r.s.frame == 1) {
		snprintf(name, sizeof(name), "1.%u", r.s.label.index);
		describe_formula(&d->out, name, &r.t);
	}
	real_reader_close(&r);
}

/* ---- --diff ----------------------------------------------------------- */

/* Returns EXIT_VERDICT if a tensor is beyond the tolerance. */
static int
compare(struct npu_dequant *d, char *paths[], int n)
{
	const struct npu_dequant_options *o = d->o;
	static const struct npu_tensor flat = { .dtype = NPU_F32, .scale = 1 };
	char *const both[] = { n == 0 ? NULL : paths[0],
	    (char *)(uintptr_t)o->reference };
	static struct real_reader a, b;
	bool good;

	if (n > 1)
		cmd_usage("--diff compares one file, or standard input");
	real_reader_open(&a, n == 0 ? NULL : paths[0], &o->spec, &d->out);
	real_reader_open(&b, o->reference, NULL, &d->out);
	stream_frames(&b.s, &flat, a.s.per_frame);
	if (b.s.kind == STREAM_RAW && a.s.per_frame != 1)
		cmd_die("%s: raw bytes cannot be a reference for several "
		    "tensors a frame; label them", b.s.name);
	progress_begin_files(both, 2);
	good = diff(&d->out, &a, &b, &o->tolerance, o->format == REAL_JSONL);
	progress_end();
	real_reader_close(&a);
	real_reader_close(&b);
	return good ? EXIT_DONE : EXIT_VERDICT;
}

/* ---- Start and end ---------------------------------------------------- */

int
main(int argc, char *argv[])
{
	struct npu_dequant_options o = { 0 };
	struct npu_dequant d = { .o = &o };
	int status = EXIT_DONE;

	cmd_start();
	read_options(&o, argc, argv);
	cmd_open_output(&d.out, o.output, o.format < REAL_JSONL &&
	    !o.explain);
	cmd_abandon_output_on_exit(&d.out);
	if (o.explain)
		explain_all(&d, argv[optind]);
	else if (o.reference != NULL)
		status = compare(&d, argv + optind, argc - optind);
	else
		convert_all(&d, argv + optind, argc - optind);
	cmd_close_output(&d.out);
	if (o.stats)
		value_stats_report(&d.stats, "stats");
	free(d.stats.seen);
	tensor_spec_free(&o.spec);
	cmd_exit(status);
}
