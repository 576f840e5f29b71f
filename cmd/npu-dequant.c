// SPDX-License-Identifier: Apache-2.0
/* npu-dequant - stored tensor elements to real numbers. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "given.h"
#include "values.h"

enum { OPT_STATS = 256, OPT_EXPLAIN };

static const struct option options[] = {
	CMD_COMMON,
	PARAM_OPTIONS,
	{ "explain", no_argument, NULL, OPT_EXPLAIN },
	{ "format", required_argument, NULL, 'F' },
	{ "model", required_argument, NULL, 'm' },
	{ "normalise", no_argument, NULL, 'n' },
	{ "output", required_argument, NULL, 'o' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "raw", no_argument, NULL, 'r' },
	{ "stats", no_argument, NULL, OPT_STATS },
	{ 0 },
};

static const struct cmd_env env[] = {
	{ "NPU_MODEL_PATH", "folders where --model looks, ':' between" },
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
	"or --type; .npy has a type, but no scale.\n"
	"\n"
	"  -m, --model=MODEL[:out0]  type, scale, zero point as the outputs\n"
	"                        of MODEL have them (or one: number or name)\n"
	"  -t, --type=TYPE       by hand: s8, u8, s16, u16, s32, f16, bf16...\n"
	"      --shape=N,N,...   by hand (default: flat, whole input)\n"
	"  -s, --scale=S         by hand: steps per unit (default 1)\n"
	"  -z, --zero=Z          by hand: zero point, steps (default 0)\n"
	"  -n, --normalise       divide each tensor by its Euclidean length\n"
	"  -F, --format=FORMAT   label, raw, npy, jsonl (an object a tensor)\n"
	"                        or text (a line a tensor); default label, on\n"
	"                        a terminal text\n"
	"  -r, --raw             the floats alone; the same as -F raw\n"
	"  -o, --output=FILE     write to FILE\n"
	"      --stats           say min, max, mean, ... on standard error\n"
	"      --explain         show the formula with its numbers, and end\n"
	"  -q, --quiet           no notes\n"
	"  -h, --help            this text\n"
	"  -V, --version         version\n",
	.options = options,
	.env = env,
};

struct choice {
	struct given given;
	enum value_format format;
	const char *output;
	bool normalise, stats, explain;
};

/* Elements converted at a time, whatever the input's length. */
enum { PIECE = 16384 };

static struct summary summary;

static void
take_option(struct choice *c, int opt)
{
	switch (opt) {
	case 'm': c->given.model = optarg; break;
	case 'n': c->normalise = true; break;
	case 'F': c->format = values_format(optarg); break;
	case 'r': c->format = VALUES_RAW; break;
	case 'o': c->output = optarg; break;
	case 'q': cmd_quiet = true; break;
	case OPT_STATS: c->stats = true; break;
	case OPT_EXPLAIN: c->explain = true; break;
	default: param_option(&c->given.param, opt, optarg); break;
	}
}

static _Noreturn void
fail(struct output *o, const struct stream *s, const struct npu_err *err)
{
	cmd_abandon_output(o);
	cmd_die_err(s->name, err);
}

/* ---- What the tensor at hand is --------------------------------------- */

static _Noreturn void
contradiction(struct output *o, const struct stream *s,
    const struct npu_tensor *t, const char *by, const struct npu_tensor *g)
{
	char a[200], b[200];

	npu_tensor_format(t, a, sizeof(a));
	npu_tensor_format(g, b, sizeof(b));
	cmd_abandon_output(o);
	cmd_die("%s: %s is %s, but %s says %s", s->name, given_place(s), a, by,
	    b);
}

/* By hand: what was said must not contradict the label. */
static void
check_by_hand(struct output *o, const struct choice *c,
    const struct stream *s, const struct npu_tensor *t)
{
	const struct param *p = &c->given.param;
	struct npu_tensor g = *t;

	if (npu_dtype_is_float(t->dtype) && (p->has_scale || p->has_zero)) {
		cmd_abandon_output(o);
		cmd_die("%s: %s is %s, which is never scaled; leave --scale "
		    "and --zero out", s->name, given_place(s),
		    npu_dtype_name(t->dtype));
	}
	if (p->has_type)
		g.dtype = p->dtype;
	if (p->has_scale)
		g.scale = p->scale;
	if (p->has_zero)
		g.zero_point = p->zero_point;
	if (p->has_shape) {
		g.ndim = p->ndim;
		memcpy(g.dim, p->dim, sizeof(g.dim));
	}
	if (!param_same(&g, t) || (p->has_shape && t->ndim != 0 &&
	    (g.ndim != t->ndim || memcmp(g.dim, t->dim, sizeof(g.dim)) != 0)))
		contradiction(o, s, t, "the command line", &g);
}

/* .npy has no scale: it is taken from the model or the command line. */
static void
add_scale(const struct choice *c, const struct npu_tensor *g,
    struct npu_tensor *t)
{
	const struct param *p = &c->given.param;

	if (c->given.model != NULL) {
		t->scale = g->scale;
		t->zero_point = g->zero_point;
		return;
	}
	if (p->has_scale)
		t->scale = p->scale;
	if (p->has_zero)
		t->zero_point = p->zero_point;
}

static void
what_is_it(struct output *o, const struct choice *c, const struct stream *s,
    struct npu_tensor *t)
{
	const struct npu_tensor *g = given_tensor(&c->given, s);
	const char *name = npu_dtype_name(s->label.tensor.dtype);

	*t = s->label.tensor;
	if (npu_dtype_size(t->dtype) == 0) {
		cmd_abandon_output(o);
		cmd_die("%s: %s is %s, which has no whole number of bytes and "
		    "cannot be converted", s->name, given_place(s),
		    name != NULL ? name : "of an unknown type");
	}
	if (s->kind == STREAM_NPY)
		add_scale(c, g, t);
	if (c->given.model != NULL) {
		if (!param_same(g, t) || (t->size != g->size && t->size != 0))
			contradiction(o, s, t, c->given.model, g);
	} else {
		check_by_hand(o, c, s, t);
	}
}

/* ---- Converting ------------------------------------------------------- */

/* n elements at q, the first being number at of the tensor. */
static void
convert(struct output *o, const struct choice *c, const struct stream *s,
    const struct npu_tensor *t, const void *q, size_t n, uint64_t at, float *x)
{
	struct npu_err err;

	if (npu_dequantise(t, q, n, x, &err) < 0) {
		cmd_abandon_output(o);
		cmd_die("%s: %s, from element %" PRIu64 " on: %s", s->name,
		    given_place(s), at, err.msg);
	}
	if (c->stats)
		summary_stored(&summary, t->dtype, q, n);
}

/* Reads up to PIECE elements; a part of one is an error. */
static size_t
read_piece(struct output *o, struct stream *s, const struct npu_tensor *t,
    void *q)
{
	size_t each = npu_dtype_size(t->dtype);
	struct npu_err err;
	int64_t n;

	if ((n = stream_read(s, q, PIECE * each, &err)) < 0)
		fail(o, s, &err);
	if ((size_t)n % each != 0) {
		cmd_abandon_output(o);
		cmd_die("%s: %" PRIu64 " bytes is not a whole number of %s",
		    s->name, s->total, npu_dtype_name(t->dtype));
	}
	return (size_t)n / each;
}

/* In pieces: memory does not depend on the tensor's size. */
static void
stream_through(struct values *v, const struct choice *c, struct stream *s,
    const struct npu_tensor *t)
{
	static uint64_t q[PIECE];
	static float x[PIECE];
	uint64_t at = 0;
	size_t n;

	while ((n = read_piece(v->o, s, t, q)) > 0) {
		convert(v->o, c, s, t, q, n, at, x);
		if (c->stats)
			summary_add(&summary, x, n);
		values_put(v, x, n);
		at += n;
	}
}

/* Whole: its length is not known before its end, or all of it is needed. */
static void
whole(struct values *v, const struct choice *c, struct stream *s,
    const struct npu_tensor *t, struct npu_label *l)
{
	static uint64_t q[PIECE];
	struct buf b = { 0 };
	struct npu_err err;
	size_t n, count;
	float *x;

	while ((n = read_piece(v->o, s, t, q)) > 0) {
		if ((x = buf_reserve(&b, n * sizeof(*x))) == NULL)
			cmd_die("%s: %s: out of memory", s->name,
			    given_place(s));
		convert(v->o, c, s, t, q, n, b.n / sizeof(*x), x);
		b.n += n * sizeof(*x);
	}
	x = (float *)(void *)b.p;
	count = b.n / sizeof(*x);
	if (c->normalise && npu_l2_normalise(x, count, &err) < 0) {
		cmd_abandon_output(v->o);
		cmd_die("%s: %s: %s", s->name, given_place(s), err.msg);
	}
	if (c->stats)
		summary_add(&summary, x, count);
	l->tensor.size = b.n;
	values_begin(v, l, s->frame);
	values_put(v, x, count);
	buf_free(&b);
}

static void
one_tensor(struct values *v, const struct choice *c, struct stream *s)
{
	struct npu_label l = s->label;
	struct npu_tensor t;

	what_is_it(v->o, c, s, &t);
	l.tensor = (struct npu_tensor){ .dtype = NPU_F32, .ndim = t.ndim,
	    .scale = 1, .size = npu_tensor_count(&t) * sizeof(float) };
	memcpy(l.tensor.dim, t.dim, sizeof(t.dim));
	summary.tensors++;
	if (c->normalise || (s->open_end && v->format < VALUES_JSONL &&
	    v->format != VALUES_RAW)) {
		whole(v, c, s, &t, &l);
	} else {
		values_begin(v, &l, s->frame);
		stream_through(v, c, s, &t);
	}
	values_end(v);
}

static void
open_stream(const struct choice *c, struct stream *s, const char *path)
{
	stream_open(s, path);
	if (s->kind == STREAM_RAW && c->given.n == 0)
		cmd_die("%s: neither a labelled stream nor .npy; --model or "
		    "--type says what the bytes are", s->name);
	if (s->kind == STREAM_RAW)
		stream_frames(s, c->given.tensors, c->given.n);
	else if (c->given.n > 0)
		stream_frames(s, NULL, c->given.n);
}

static void
one_file(struct values *v, const struct choice *c, const char *path)
{
	struct stream s;
	struct npu_err err;
	int rc;

	open_stream(c, &s, path);
	while ((rc = stream_next(&s, &err)) > 0) {
		one_tensor(v, c, &s);
		cmd_end_record(v->o);
	}
	if (rc < 0)
		fail(v->o, &s, &err);
	v->before += s.frame - 1;
	stream_close(&s);
}

/* ---- --explain -------------------------------------------------------- */

/* The tensors that were given, else those of the first frame. */
static void
explain_all(struct output *o, const struct choice *c, const char *path)
{
	struct stream s;
	struct npu_err err;
	struct npu_tensor t;
	char name[24];
	int rc;

	for (uint16_t i = 0; i < c->given.n; i++) {
		snprintf(name, sizeof(name), "out%u", i);
		explain(o, name, &c->given.tensors[i]);
	}
	if (c->given.n > 0)
		return;
	open_stream(c, &s, path);
	while ((rc = stream_next(&s, &err)) > 0 && s.frame == 1) {
		what_is_it(o, c, &s, &t);
		snprintf(name, sizeof(name), "1.%u", s.label.index);
		explain(o, name, &t);
	}
	if (rc < 0)
		fail(o, &s, &err);
	stream_close(&s);
}

/* ---- ------------------------------------------------------------------ */

static void
convert_all(const struct choice *c, struct output *o, char *paths[], int n)
{
	struct values v = { .o = o, .format = c->format };

	if (n == 0)
		one_file(&v, c, NULL);
	for (int i = 0; i < n; i++)
		one_file(&v, c, paths[i]);
}

int
main(int argc, char *argv[])
{
	struct choice c = { 0 };
	struct output out;
	int opt;

	cmd_start(argc, argv);
	while ((opt = cmd_option(argc, argv)) != -1)
		take_option(&c, opt);
	given_take(&c.given, true, false);
	if (c.format == VALUES_UNSAID)
		c.format = c.output == NULL && isatty(STDOUT_FILENO) ?
		    VALUES_TEXT : VALUES_LABEL;
	cmd_open_output(&out, c.output, c.format < VALUES_JSONL &&
	    !c.explain);
	if (c.explain)
		explain_all(&out, &c, argv[optind]);
	else
		convert_all(&c, &out, argv + optind, argc - optind);
	cmd_close_output(&out);
	if (c.stats && !c.explain)
		summary_say(&summary, "stats");
	free(summary.seen);
	given_free(&c.given);
	return EXIT_DONE;
}
