// SPDX-License-Identifier: Apache-2.0
/* npu-dequant - stored tensor elements to real numbers. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tensors/describe.h"
#include "tensors/diff.h"
#include "tensors/real_writer.h"

enum { OPT_STATS = 256, OPT_EXPLAIN, OPT_DIFF, OPT_TOL };

static const struct opt options[] = {
	TAKES('m', "model", "=MODEL[:out0]", COMPLETE_MODEL,
	    "type, scale, zero point as the outputs of MODEL have them (or "
	    "one, as out0 or by name)"),
	TENSOR_OPTIONS("by hand: s8, u8, s16, u16, s32, f16, bf16...",
	    "by hand (default: flat, whole input)",
	    "by hand: steps per unit (default 1)",
	    "by hand: zero point, steps (default 0)"),
	FLAG('n', "normalise", "divide each tensor by its Euclidean length"),
	ONE_OF('F', "format", "=FORMAT", real_formats,
	    "label, raw, npy, jsonl (an object a tensor) or text (a line a "
	    "tensor); default label, on a terminal text"),
	FLAG('r', "raw", "the floats alone; the same as -F raw"),
	TAKES('o', "output", "=FILE", COMPLETE_FILE, "write to FILE"),
	FLAG(OPT_STATS, "stats", "say min, max, mean, ... on standard error"),
	FLAG(OPT_EXPLAIN, "explain",
	    "show the formula with its numbers, and end"),
	TAKES(OPT_DIFF, "diff", "=REF", COMPLETE_FILE,
	    "compare with the tensors of file REF instead"),
	TAKES(OPT_TOL, "tol", "=LIST", COMPLETE_NONE,
	    "with --diff, exit 4 beyond max:0.01,rms:0.1,cos:0.999,sqnr:40"),
	FLAG('q', "quiet", "no notes"),
	CMD_COMMON,
	{ 0 },
};

static const struct cmd_env env[] = {
	CMD_MODEL_ENV,
	{ 0 },
};

const struct program program = {
	.name = "npu-dequant",
	.synopsis = "npu-dequant [OPTION]... [FILE]...",
	.examples =
	"  clip-tokenize <texts | npu-run clip_txt.cix | npu-dequant -n\n"
	"  npu-dequant -t s8 -s 27.67 -z 60 <bytes\n",
	.help =
	"Converts tensors to 32-bit floats: x = (q + zero) / scale.  FILEs\n"
	"are read one after the other, standard input without any, or for -.\n"
	"A labelled stream says itself what it is; raw bytes need --model\n"
	"or --type; .npy has a type, but no scale.\n",
	.options = options,
	.operands = { COMPLETE_FILE, COMPLETE_FILE },
	.env = env,
};

struct choice {
	struct tensor_spec spec;
	enum real_format format;
	const char *output;
	bool normalise, stats, explain;
	const char *reference;		/* --diff; NULL: none */
	struct tolerance tolerance;
	bool has_tolerance;
};

static struct value_stats stats;

static void
take_option(struct choice *c, int opt)
{
	switch (opt) {
	case 'm': c->spec.model = optarg; break;
	case 'n': c->normalise = true; break;
	case 'F': c->format = real_format_parse(optarg); break;
	case 'r': c->format = REAL_RAW; break;
	case 'o': c->output = optarg; break;
	case 'q': cmd_quiet = true; break;
	case OPT_STATS: c->stats = true; break;
	case OPT_EXPLAIN: c->explain = true; break;
	case OPT_DIFF: c->reference = optarg; break;
	case OPT_TOL:
		tolerance_parse(&c->tolerance, optarg);
		c->has_tolerance = true;
		break;
	default: tensor_option(&c->spec.options, opt, optarg); break;
	}
}

/* ---- Converting ------------------------------------------------------- */

/* In pieces: memory does not depend on the tensor's size. */
static void
stream_through(struct real_writer *v, const struct choice *c,
    struct real_reader *r)
{
	static float x[REAL_READER_PIECE];
	size_t n;

	while ((n = real_reader_read(r, x)) > 0) {
		if (c->stats)
			value_stats_add(&stats, x, n);
		real_writer_put(v, x, n);
	}
}

/* Whole: its length is not known before its end, or all of it is needed. */
static void
whole(struct real_writer *v, const struct choice *c, struct real_reader *r,
    struct npu_label *l)
{
	struct buf b = { 0 };
	struct npu_err err;
	size_t count;
	float *x;

	real_reader_read_all(r, &b);
	x = (float *)(void *)b.p;
	count = b.n / sizeof(*x);
	if (c->normalise && npu_l2_normalise(x, count, &err) < 0)
		real_reader_die(r, "%s", err.msg);
	if (c->stats)
		value_stats_add(&stats, x, count);
	l->tensor.size = b.n;
	real_writer_begin(v, l, r->s.frame);
	real_writer_put(v, x, count);
	buf_free(&b);
}

static void
one_tensor(struct real_writer *v, const struct choice *c, struct real_reader *r)
{
	struct npu_label l = r->s.label;

	l.tensor = (struct npu_tensor){ .dtype = NPU_F32, .ndim = r->t.ndim,
	    .scale = 1, .size = npu_tensor_count(&r->t) * sizeof(float) };
	memcpy(l.tensor.dim, r->t.dim, sizeof(l.tensor.dim));
	stats.tensors++;
	if (c->normalise || (r->s.open_end && v->format < REAL_JSONL &&
	    v->format != REAL_RAW)) {
		whole(v, c, r, &l);
	} else {
		real_writer_begin(v, &l, r->s.frame);
		stream_through(v, c, r);
	}
	real_writer_end(v);
}

static void
one_file(struct real_writer *v, const struct choice *c, const char *path)
{
	static struct real_reader r;

	real_reader_open(&r, path, &c->spec, v->o);
	r.stats = c->stats ? &stats : NULL;
	while (real_reader_next(&r)) {
		one_tensor(v, c, &r);
		if (r.s.label.index + 1 == r.s.label.count)
			cmd_end_record(v->o);
	}
	v->before += r.s.frame - 1;
	real_reader_close(&r);
}

/* ---- --explain -------------------------------------------------------- */

/* The tensors that were given, else those of the first frame. */
static void
explain_all(struct output *o, const struct choice *c, const char *path)
{
	static struct real_reader r;
	char name[24];

	for (uint16_t i = 0; i < c->spec.n; i++) {
		snprintf(name, sizeof(name), "out%u", i);
		describe_formula(o, name, &c->spec.tensors[i]);
	}
	if (c->spec.n > 0)
		return;
	real_reader_open(&r, path, &c->spec, o);
	while (real_reader_next(&r) && r.s.frame == 1) {
		snprintf(name, sizeof(name), "1.%u", r.s.label.index);
		describe_formula(o, name, &r.t);
	}
	real_reader_close(&r);
}

/* ---- --diff ----------------------------------------------------------- */

/* EXIT_VERDICT if a tensor is beyond the tolerance. */
static int
compare(struct output *o, const struct choice *c, char *paths[], int n)
{
	static const struct npu_tensor flat = { .dtype = NPU_F32, .scale = 1 };
	static struct real_reader a, b;
	bool good;

	if (n > 1)
		cmd_usage("--diff compares one file, or standard input");
	real_reader_open(&a, n == 0 ? NULL : paths[0], &c->spec, o);
	real_reader_open(&b, c->reference, NULL, o);
	stream_frames(&b.s, &flat, a.s.per_frame);
	if (b.s.kind == STREAM_RAW && a.s.per_frame != 1)
		cmd_die("%s: raw bytes cannot be a reference for several "
		    "tensors a frame; label them", b.s.name);
	good = diff(o, &a, &b, &c->tolerance, c->format == REAL_JSONL);
	real_reader_close(&a);
	real_reader_close(&b);
	return good ? EXIT_DONE : EXIT_VERDICT;
}

/* ---- ------------------------------------------------------------------ */

static void
convert_all(const struct choice *c, struct output *o, char *paths[], int n)
{
	struct real_writer v = { .o = o, .format = c->format };

	if (n == 0)
		one_file(&v, c, NULL);
	for (int i = 0; i < n; i++)
		one_file(&v, c, paths[i]);
}

static void
check_choice(struct choice *c)
{
	bool text = c->output == NULL && isatty(STDOUT_FILENO);

	if (c->has_tolerance && c->reference == NULL)
		cmd_usage("--tol is for --diff");
	if (c->reference != NULL && (c->normalise || c->stats || c->explain ||
	    (c->format != REAL_UNSET && c->format < REAL_JSONL)))
		cmd_usage("--diff writes text or jsonl, and goes with neither "
		    "--normalise nor --stats nor --explain");
	if (c->format == REAL_UNSET)
		c->format = text || c->reference != NULL ? REAL_TEXT :
		    REAL_LABEL;
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
	struct choice c = { 0 };
	struct output out;
	int opt, status = EXIT_DONE;

	cmd_start();
	while ((opt = cmd_option(argc, argv)) != -1)
		take_option(&c, opt);
	tensor_spec_resolve(&c.spec, true, false);
	check_choice(&c);
	cmd_open_output(&out, c.output, c.format < REAL_JSONL &&
	    !c.explain);
	unfinished = &out;
	cmd_at_exit = abandon;
	if (c.explain)
		explain_all(&out, &c, argv[optind]);
	else if (c.reference != NULL)
		status = compare(&out, &c, argv + optind, argc - optind);
	else
		convert_all(&c, &out, argv + optind, argc - optind);
	cmd_close_output(&out);
	if (c.stats && !c.explain)
		value_stats_report(&stats, "stats");
	free(stats.seen);
	tensor_spec_free(&c.spec);
	cmd_exit(status);
}
