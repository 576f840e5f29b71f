// SPDX-License-Identifier: Apache-2.0
/* npu-tensor - describe, label, convert, cut and join streams of tensors. */
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "tensor/npy.h"
#include "tensors/describe.h"
#include "tensors/stream.h"
#include "tensors/tensor_options.h"

enum { OPT_ZIP = 256 };

static const char *const formats[] = { "text", "jsonl", "label", "npy", "raw",
    NULL };

static const struct opt options[] = {
	FLAG('a', "add",
	    "put a label before raw bytes or .npy; raw bytes need --type"),
	TENSOR_OPTIONS("their element type: s8, u8, s32, f16, ...",
	    "their shape, one frame (default: flat, as long as the "
	    "input)",
	    "their scale, steps per unit (default 1)",
	    "their zero point, steps (default 0)"),
	FLAG('r', "raw", "write the bytes without labels"),
	ONE_OF('F', "format", "=FORMAT", formats,
	    "text (the default) or jsonl: describe; label, npy or raw: write "
	    "tensors"),
	TAKES('f', "frames", "=RANGE", COMPLETE_NONE,
	    "only frames 3, 2-4 or 2-; the first is 1"),
	TAKES('i', "tensor", "=LIST", COMPLETE_NONE,
	    "only tensors 0,2 of each frame; from 0"),
	FLAG(OPT_ZIP, "zip", "a frame of each FILE makes one frame"),
	TAKES('o', "output", "=FILE", COMPLETE_FILE, "write to FILE"),
	FLAG('q', "quiet", "no notes"),
	CMD_COMMON,
	{ 0 },
};

const struct program program = {
	.name = "npu-tensor",
	.synopsis = "npu-tensor [OPTION]... [FILE]...",
	.examples =
	"  npu-tensor embeddings.npt\n"
	"  npu-tensor --add -t s8 --shape=1,512 -s 27.67 -z 60 <q >t\n",
	.help =
	"Describes a stream of tensors, labelled or .npy, one line each; or\n"
	"writes it again: labelled, bare, as .npy, cut, joined.  FILEs are\n"
	"read one after the other, standard input without any or for -.\n",
	.options = options,
	.operands = { COMPLETE_FILE, COMPLETE_FILE },
};

enum format { UNSAID, TEXT, JSONL, LABEL, NPY, RAW };

struct choice {
	enum format format;
	struct tensor_options tensor;
	bool add, zip;
	uint64_t first, last;		/* frames, from 1 */
	bool some;			/* these were said */
	uint8_t *tensors;		/* NULL: all; else one flag each */
	unsigned most, count;		/* the last of them; how many */
	const char *output;
	bool several;			/* FILEs: say which */
};

static enum format
take_format(const char *arg)
{
	return TEXT + cmd_choice("--format", arg, formats);
}

/* "3", "2-4", "2-" */
static void
take_frames(struct choice *c, const char *arg)
{
	char first[24];
	size_t n = strcspn(arg, "-");

	snprintf(first, sizeof(first), "%.*s", (int)n, arg);
	c->some = true;
	c->first = (uint64_t)cmd_int("--frames", first, 1, INT64_MAX);
	c->last = c->first;
	if (arg[n] == '-')
		c->last = arg[n + 1] == '\0' ? INT64_MAX : (uint64_t)cmd_int(
		    "--frames", arg + n + 1, (int64_t)c->first, INT64_MAX);
}

static void
take_tensors(struct choice *c, const char *arg)
{
	char *copy = strdup(arg), *rest = copy, *one;
	unsigned i;

	if (copy == NULL)
		cmd_die("out of memory");
	if (c->tensors == NULL)
		c->tensors = cmd_alloc(UINT16_MAX);
	while ((one = strsep(&rest, ",")) != NULL) {
		i = (unsigned)cmd_int("--tensor", one, 0, UINT16_MAX - 1);
		c->count += !c->tensors[i];
		c->tensors[i] = 1;
		if (i > c->most)
			c->most = i;
	}
	free(copy);
}

static void
take_option(struct choice *c, int opt)
{
	switch (opt) {
	case 'a': c->add = true; break;
	case 'F': c->format = take_format(optarg); break;
	case 'f': take_frames(c, optarg); break;
	case 'i': take_tensors(c, optarg); break;
	case 'o': c->output = optarg; break;
	case 'q': cmd_quiet = true; break;
	case 'r': c->format = RAW; break;
	case OPT_ZIP: c->zip = true; break;
	default: tensor_option(&c->tensor, opt, optarg); break;
	}
}

static void
check_choice(struct choice *c)
{
	const struct tensor_options *p = &c->tensor;
	bool described = p->has_type || p->has_shape || p->has_scale ||
	    p->has_zero;

	if (described && !c->add)
		cmd_usage("--type, --shape, --scale and --zero say what --add "
		    "puts in front");
	if (c->format == UNSAID)
		c->format = c->add || c->zip || c->tensors != NULL ||
		    c->some ? LABEL : TEXT;
}

/* ---- Input ------------------------------------------------------------ */

static _Noreturn void
fail(struct output *o, const struct stream *s, const struct npu_err *err)
{
	cmd_abandon_output(o);
	cmd_die_err(s->name, err);
}

/* Opens path and gives raw bytes their meaning. */
static void
open_stream(const struct choice *c, struct stream *s, const char *path)
{
	static struct npu_tensor raw;	/* read-only once set */

	stream_open(s, path);
	if (s->kind == STREAM_RAW && c->add) {
		tensor_from_options(&c->tensor, &raw);
		stream_frames(s, &raw, 1);
	} else if (s->kind == STREAM_RAW) {
		cmd_die("%s: neither a labelled stream nor .npy; --add with "
		    "--type says what the bytes are", s->name);
	}
	if (s->kind == STREAM_LABELLED && c->add)
		cmd_die("%s: is labelled already; --raw takes labels off",
		    s->name);
	if (s->kind == STREAM_NPY && (c->tensor.has_type ||
	    c->tensor.has_shape))
		cmd_die("%s: a .npy file says its type and shape itself; leave "
		    "--type and --shape out", s->name);
}

/* --add on .npy: the scale, which it cannot hold. */
static void
add_scale(const struct choice *c, struct output *o, const struct stream *s,
    struct npu_tensor *t)
{
	if (npu_dtype_is_float(t->dtype) && (c->tensor.has_scale ||
	    c->tensor.has_zero)) {
		cmd_abandon_output(o);
		cmd_die("%s: %s is never scaled; leave --scale and --zero out",
		    s->name, npu_dtype_name(t->dtype));
	}
	if (c->tensor.has_scale)
		t->scale = c->tensor.scale;
	if (c->tensor.has_zero)
		t->zero_point = c->tensor.zero_point;
}

/* ---- Output ----------------------------------------------------------- */

static void
put_npy(struct output *o, const struct npu_tensor *t)
{
	static bool noted;
	struct buf head = { 0 };
	struct npu_err err;

	if (npy_encode(t, &head, &err) < 0) {
		cmd_abandon_output(o);
		cmd_die("%s", err.msg);
	}
	if (!noted && (t->scale != 1 || t->zero_point != 0) &&
	    !npu_dtype_is_float(t->dtype)) {
		cmd_note("scale %.9g and zero point %d are not kept in .npy",
		    (double)t->scale, t->zero_point);
		noted = true;
	}
	cmd_write_buf(o, &head);
}

static void
put_head(struct output *o, enum format f, const struct npu_label *l)
{
	if (f == LABEL)
		stream_put_label(o, l);
	else if (f == NPY)
		put_npy(o, &l->tensor);
}

static void
describe(const struct choice *c, struct output *o, const struct stream *s,
    uint64_t frame, const struct npu_label *l)
{
	const char *name = c->several ? s->name : NULL;

	if (c->format == JSONL)
		describe_jsonl(o, name, frame, l);
	else
		describe_line(o, name, frame, l);
}

/* A raw tensor that ends with the input: its size is known when it is read. */
static void
copy_open_end(const struct choice *c, struct output *o, struct stream *s,
    uint64_t frame)
{
	struct npu_label l = s->label;
	struct buf b = { 0 };
	struct npu_err err;
	uint8_t head[NPU_LABEL_SIZE];

	if (stream_whole(s, &b, &err) < 0)
		fail(o, s, &err);
	l.tensor.size = b.n;
	if (npu_label_encode(&l, head, &err) < 0)
		fail(o, s, &err);
	put_head(o, c->format, &l);
	if (c->format >= LABEL)
		cmd_write(o, b.p, b.n);
	else
		describe(c, o, s, frame, &l);
	buf_free(&b);
}

/* The tensor at hand, labelled *l, in pieces. */
static void
copy(const struct choice *c, struct output *o, struct stream *s,
    uint64_t frame, const struct npu_label *l)
{
	static char piece[65536];
	uint8_t head[NPU_LABEL_SIZE];
	struct npu_err err;
	int64_t n;

	if (s->open_end) {
		copy_open_end(c, o, s, frame);
		return;
	}
	if (npu_label_encode(l, head, &err) < 0)
		fail(o, s, &err);
	put_head(o, c->format, l);
	while ((n = stream_read(s, piece, sizeof(piece), &err)) > 0)
		if (c->format >= LABEL)
			cmd_write(o, piece, (size_t)n);
	if (n < 0)
		fail(o, s, &err);
	if (c->format < LABEL)
		describe(c, o, s, frame, l);
}

/* ---- Cutting ---------------------------------------------------------- */

/* The label of the tensor at hand among those that are kept of its frame;
 * false if it is not. */
static bool
kept(const struct choice *c, struct output *o, const struct stream *s,
    struct npu_label *l)
{
	const struct npu_label *in = &s->label;
	unsigned before = 0;

	*l = *in;
	add_scale(c, o, s, &l->tensor);
	if (c->tensors == NULL)
		return true;
	if (c->most >= in->count) {
		cmd_abandon_output(o);
		cmd_die("%s: frame %llu has %u tensors; there is no tensor %u",
		    s->name, (unsigned long long)s->frame, in->count, c->most);
	}
	for (unsigned i = 0; i < in->index; i++)
		before += c->tensors[i];
	l->index = (uint16_t)before;
	l->count = (uint16_t)c->count;
	return c->tensors[in->index] != 0;
}

/* One file; *frame counts on from the file before.  False: no more wanted. */
static bool
one_file(const struct choice *c, struct output *o, const char *path,
    uint64_t *frame)
{
	struct npu_label l;
	struct stream s;
	struct npu_err err;
	int rc;

	open_stream(c, &s, path);
	while ((rc = stream_next(&s, &err)) > 0) {
		*frame += s.label.index == 0;
		if (*frame >= c->first && kept(c, o, &s, &l)) {
			copy(c, o, &s, *frame, &l);
			if (l.index + 1 == l.count)
				cmd_end_record(o);
		}
		/* What comes after it may be long in coming. */
		if (*frame == c->last && s.label.index + 1 == s.label.count)
			break;
	}
	if (rc < 0)
		fail(o, &s, &err);
	stream_close(&s);
	return *frame < c->last;
}

static void
all_files(const struct choice *c, struct output *o, char *paths[], int n)
{
	uint64_t frame = 0;

	if (n == 0)
		one_file(c, o, NULL, &frame);
	for (int i = 0; i < n; i++)
		if (!one_file(c, o, paths[i], &frame))
			break;
	if (frame < c->first && c->first > 1) {
		cmd_abandon_output(o);
		cmd_die("no frame %llu; there are %llu",
		    (unsigned long long)c->first, (unsigned long long)frame);
	}
}

/* ---- Joining side by side --------------------------------------------- */

/* All tensors of the frame at hand of *s, numbered from index on. */
static unsigned
zip_one(const struct choice *c, struct output *o, struct stream *s,
    uint64_t frame, unsigned index, unsigned count)
{
	struct npu_err err;
	struct npu_label l;

	for (;;) {
		l = s->label;
		add_scale(c, o, s, &l.tensor);
		l.index = (uint16_t)index++;
		l.count = (uint16_t)count;
		if (s->open_end) {
			cmd_abandon_output(o);
			cmd_die("%s: --zip needs --shape for raw bytes from a "
			    "pipe", s->name);
		}
		copy(c, o, s, frame, &l);
		if (s->label.index + 1 == s->label.count)
			return index;
		if (stream_next(s, &err) < 0)
			fail(o, s, &err);
	}
}

/* Moves every stream to its next frame: tensors of them all, 0 at the end. */
static unsigned
next_frames(struct output *o, struct stream *s, int n)
{
	struct npu_err err;
	unsigned count = 0;
	int rc, ended = -1, goes_on = -1;

	for (int i = 0; i < n; i++) {
		if ((rc = stream_next(&s[i], &err)) < 0)
			fail(o, &s[i], &err);
		if (rc == 0)
			ended = i;
		else
			goes_on = i;
		count += s[i].label.count;
	}
	if (ended >= 0 && goes_on >= 0) {
		cmd_abandon_output(o);
		cmd_die("%s: has more frames than %s", s[goes_on].name,
		    s[ended].name);
	}
	if (count > UINT16_MAX) {
		cmd_abandon_output(o);
		cmd_die("%u tensors a frame; at most %d are possible", count,
		    UINT16_MAX);
	}
	return ended >= 0 ? 0 : count;
}

static void
zip_files(const struct choice *c, struct output *o, char *paths[], int n)
{
	struct stream *s = cmd_alloc((size_t)n * sizeof(*s));
	unsigned count, index;
	uint64_t frame = 0;

	for (int i = 0; i < n; i++)
		open_stream(c, &s[i], paths[i]);
	while ((count = next_frames(o, s, n)) > 0) {
		index = 0;
		frame++;
		for (int i = 0; i < n; i++)
			index = zip_one(c, o, &s[i], frame, index, count);
		cmd_end_record(o);
	}
	for (int i = 0; i < n; i++)
		stream_close(&s[i]);
	free(s);
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
	struct choice c = { .first = 1, .last = INT64_MAX };
	struct output out;
	int opt;

	cmd_start();
	while ((opt = cmd_option(argc, argv)) != -1)
		take_option(&c, opt);
	argv += optind;
	argc -= optind;
	check_choice(&c);
	if (c.zip && (argc < 2 || c.tensors != NULL || c.first != 1 ||
	    c.last != INT64_MAX))
		cmd_usage("--zip takes two or more files, and neither --frames "
		    "nor --tensor");
	c.several = argc > 1 && !c.zip;
	cmd_open_output(&out, c.output, c.format >= LABEL);
	unfinished = &out;
	cmd_at_exit = abandon;
	if (c.zip)
		zip_files(&c, &out, argv, argc);
	else
		all_files(&c, &out, argv, argc);
	cmd_close_output(&out);
	free(c.tensors);
	cmd_exit(EXIT_DONE);
}
