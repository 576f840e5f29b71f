// SPDX-License-Identifier: Apache-2.0
/*
 * npu-tensor - describes, labels, converts, cuts and joins streams of tensors.
 */
#include <stdlib.h>

#include "added.h"
#include "base/num.h"
#include "cmd.h"
#include "progress.h"
#include "selection.h"
#include "tensors/archive_writer.h"
#include "tensors/describe.h"
#include "tensors/rearrange.h"
#include "tensors/stream.h"
#include "tensors/tensor_options.h"

enum {
	OPT_TENSOR = 256, OPT_TENSOR_NAMES, OPT_ZIP, OPT_LAYOUT, OPT_SWAP
};

static const char *const formats[] = { "text", "jsonl", "csv", "tsv", "label",
    "npy", "raw", "npz", "safetensors", NULL };
static const char *const layouts[] = { "chw", "hwc", NULL };

static const struct opt options[] = {
	FLAG('a', "add",
	    "put a label before raw bytes or .npy; raw bytes need --type"),
	TENSOR_OPTIONS("with --add: element type, s8, u8, s32, f16, ...",
	    "with --add: shape of one frame (default: flat, as long as the "
	    "input)",
	    "with --add: scale, steps per unit (default 1)",
	    "with --add: zero point, steps (default 0)"),
	FLAG('r', "raw", "write the bytes without labels"),
	ONE_OF('F', "format", "=FORMAT", formats,
	    "text (the default), jsonl, csv, tsv: describe; label, npy, raw, "
	    "npz or safetensors: write tensors"),
	TAKES('f', "frames", "=RANGE", COMPLETE_NONE,
	    "only frames 3, 2-4 or 2-; the first is 1"),
	TAKES(OPT_TENSOR, "tensor", "=LIST", COMPLETE_NONE,
	    "only tensors 0,2 of each frame; the first is 0"),
	TAKES(OPT_TENSOR_NAMES, "tensor-names", "=LIST", COMPLETE_NONE,
	    "names of the tensors in npz or safetensors"),
	ONE_OF(OPT_LAYOUT, "layout", "=LAYOUT", layouts,
	    "chw or hwc: convert pictures of the other layout to it"),
	FLAG(OPT_SWAP, "swap",
	    "reverse the three channels: RGB to BGR, or back"),
	FLAG(OPT_ZIP, "zip", "join a frame of each FILE to one frame"),
	TAKES('o', "output", "=FILE", COMPLETE_FILE, "write to FILE"),
	PROGRESS_OPTIONS,
	FLAG('q', "quiet", "no notes, no progress"),
	FLAG('v', "verbose", "print what was read from each file"),
	CMD_COMMON,
	{ 0 },
};

static const struct moved moved[] = {
	{ "-i", "--tensor", "--interval" },
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
	.moved = moved,
	.operands = { COMPLETE_FILE, COMPLETE_FILE },
};

enum format { UNSET, TEXT, JSONL, CSV, TSV, LABEL, NPY, RAW, NPZ, SAFETENSORS };

/* ---- Options ---------------------------------------------------------- */

struct npu_tensor_options {
	enum format format;
	struct tensor_options tensor;
	bool add, zip;
	struct selection selection;
	struct rearrangement rearrangement;
	const char *output;
	struct archive_writer *archive;	/* for npz and safetensors */
	bool several;			/* several FILEs: messages name them */
};

static enum format
parse_format(const char *arg)
{
	return TEXT + cmd_choice("--format", arg, formats);
}

static void
parse_option(struct npu_tensor_options *o, int opt)
{
	if (progress_option(opt, optarg))
		return;
	switch (opt) {
	case 'a': o->add = true; break;
	case 'F': o->format = parse_format(optarg); break;
	case 'f': selection_frames(&o->selection, optarg); break;
	case OPT_TENSOR: selection_tensors(&o->selection, optarg); break;
	case 'o': o->output = optarg; break;
	case 'q': cmd_quiet = true; break;
	case 'v': cmd_verbose = true; break;
	case 'r': o->format = RAW; break;
	case OPT_LAYOUT:
		o->rearrangement.layout = LAYOUT_CHW +
		    cmd_choice("--layout", optarg, layouts);
		break;
	case OPT_SWAP: o->rearrangement.swap = true; break;
	case OPT_TENSOR_NAMES: o->archive->names = optarg; break;
	case OPT_ZIP: o->zip = true; break;
	default: tensor_option(&o->tensor, opt, optarg); break;
	}
}

static bool
is_rearranged(const struct npu_tensor_options *o)
{
	return o->rearrangement.layout != LAYOUT_KEPT || o->rearrangement.swap;
}

static void
check_options(struct npu_tensor_options *o, int operands)
{
	const struct tensor_options *p = &o->tensor;
	const struct selection *c = &o->selection;
	bool described = p->has_type || p->has_shape || p->has_scale ||
	    p->has_zero;

	if (described && !o->add)
		cmd_usage("--type, --shape, --scale and --zero say what --add "
		    "puts in front");
	if (o->format == UNSET)
		o->format = is_rearranged(o) || o->add || o->zip ||
		    c->tensors != NULL || c->some_frames ? LABEL : TEXT;
	if (is_rearranged(o) && o->format < LABEL)
		cmd_usage("--layout and --swap write tensors: --format=label, "
		    "npy, raw, npz or safetensors");
	if (o->zip && (operands < 2 || c->tensors != NULL || c->first != 1 ||
	    c->last != INT64_MAX))
		cmd_usage("--zip takes two or more files, and neither --frames "
		    "nor --tensor");
	if (o->archive->names != NULL && o->format < NPZ)
		cmd_usage("--tensor-names is for --format=npz and "
		    "--format=safetensors");
	o->archive->npz = o->format == NPZ;
	o->several = operands > 1 && !o->zip;
}

static void
read_options(struct npu_tensor_options *o, int argc, char *argv[])
{
	int opt;

	while ((opt = cmd_option(argc, argv)) != -1)
		parse_option(o, opt);
	check_options(o, argc - optind);
	cmd_name_operands(argv + optind);
}

/* ---- Output ----------------------------------------------------------- */

static _Noreturn void
fail(struct output *out, const struct stream *s, const struct npu_err *err)
{
	cmd_abandon_output(out);
	cmd_die_err(s->name, err);
}

static void
put_npy(struct output *out, const struct npu_tensor *t)
{
	struct buf head = { 0 };

	stream_add_npy(&head, t, NULL);
	cmd_write_buf(out, &head);
}

static void
put_head(struct output *out, enum format f, const struct npu_label *l)
{
	if (f == LABEL)
		stream_put_label(out, l);
	else if (f == NPY)
		put_npy(out, &l->tensor);
}

static void
describe(const struct npu_tensor_options *o, struct output *out,
    const struct stream *s, uint64_t frame, const struct npu_label *l)
{
	const char *name = o->several ? s->name : NULL;

	if (o->format == JSONL)
		describe_jsonl(out, name, frame, l);
	else if (o->format == CSV || o->format == TSV)
		describe_row(out, s->name, frame, l,
		    o->format == CSV ? ',' : '\t');
	else
		describe_line(out, name, frame, l);
}

/* Copies a raw tensor that ends with the input: its size is known once it is
 * read. */
static void
copy_open_end(const struct npu_tensor_options *o, struct output *out,
    struct stream *s, uint64_t frame)
{
	struct npu_label l = s->label;
	struct buf b = { 0 };
	struct npu_err err;
	uint8_t head[NPU_LABEL_SIZE];

	if (stream_read_all(s, &b, &err) < 0)
		fail(out, s, &err);
	l.tensor.size = b.n;
	if (npu_label_encode(&l, head, &err) < 0)
		fail(out, s, &err);
	put_head(out, o->format, &l);
	if (o->format >= LABEL)
		cmd_write(out, b.p, b.n);
	else
		describe(o, out, s, frame, &l);
	buf_free(&b);
}

/* Writes the current tensor, labelled *l, in another order: reads it whole. */
static void
copy_rearranged(const struct npu_tensor_options *o, struct output *out,
    struct stream *s, const struct npu_label *l)
{
	struct npu_label new = *l;
	struct buf b = { 0 };
	struct npu_err err;
	char *to;

	if (stream_read_all(s, &b, &err) < 0)
		fail(out, s, &err);
	new.tensor.size = b.n;
	to = cmd_alloc(b.n);
	if (rearrange(&o->rearrangement, &new.tensor, b.p, to, &err) < 0)
		fail(out, s, &err);
	if (o->format >= NPZ) {
		archive_writer_add(o->archive, s, &new, to);
	} else {
		put_head(out, o->format, &new);
		cmd_write(out, to, b.n);
	}
	free(to);
	buf_free(&b);
}

/* Writes the current tensor, labelled *l, in pieces. */
static void
copy(const struct npu_tensor_options *o, struct output *out, struct stream *s,
    uint64_t frame, const struct npu_label *l)
{
	static char piece[65536];
	uint8_t head[NPU_LABEL_SIZE];
	struct npu_err err;
	int64_t n;

	if (is_rearranged(o)) {
		copy_rearranged(o, out, s, l);
		return;
	}
	if (o->format >= NPZ) {
		archive_writer_add(o->archive, s, l, NULL);
		return;
	}
	if (s->open_end) {
		copy_open_end(o, out, s, frame);
		return;
	}
	if (npu_label_encode(l, head, &err) < 0)
		fail(out, s, &err);
	put_head(out, o->format, l);
	while ((n = stream_read(s, piece, sizeof(piece), &err)) > 0)
		if (o->format >= LABEL)
			cmd_write(out, piece, (size_t)n);
	if (n < 0)
		fail(out, s, &err);
	if (o->format < LABEL)
		describe(o, out, s, frame, l);
}

/* ---- Cutting ---------------------------------------------------------- */

/* Sets the label of the current tensor among the selected tensors of its frame.
 * Returns false if the tensor is not selected. */
static bool
kept(const struct npu_tensor_options *o, struct output *out,
    const struct stream *s, struct npu_label *l)
{
	const struct selection *c = &o->selection;
	const struct npu_label *in = &s->label;

	*l = *in;
	added_scale(&o->tensor, out, s, &l->tensor);
	if (c->tensors != NULL && c->most >= in->count) {
		cmd_abandon_output(out);
		cmd_die("%s: frame %llu has %u tensor%s, numbered from 0: "
		    "it lacks tensor %u", s->name,
		    (unsigned long long)s->frame, in->count,
		    num_plural(in->count), c->most);
	}
	return selection_place(c, l);
}

/* Copies one file; *frame continues from the previous file.  Returns false if
 * the rest is not needed. */
static bool
copy_file(const struct npu_tensor_options *o, struct output *out,
    const char *path, uint64_t *frame)
{
	struct npu_label l;
	struct stream s;
	struct npu_err err;
	int rc;

	added_open(&o->tensor, o->add, &s, path);
	while ((rc = stream_next(&s, &err)) > 0) {
		*frame += s.label.index == 0;
		if (*frame >= o->selection.first && kept(o, out, &s, &l)) {
			copy(o, out, &s, *frame, &l);
			if (l.index + 1 == l.count)
				cmd_end_record(out);
		}
		/* The next tensor may take long to arrive. */
		if (*frame == o->selection.last &&
		    s.label.index + 1 == s.label.count)
			break;
	}
	if (rc < 0)
		fail(out, &s, &err);
	stream_detail(&s);
	stream_close(&s);
	return *frame < o->selection.last;
}

static void
copy_files(const struct npu_tensor_options *o, struct output *out,
    char *paths[], int n)
{
	const uint64_t first = o->selection.first;
	uint64_t frame = 0;

	if (n == 0)
		copy_file(o, out, NULL, &frame);
	for (int i = 0; i < n; i++)
		if (!copy_file(o, out, paths[i], &frame))
			break;
	if (frame < first && first > 1) {
		cmd_abandon_output(out);
		cmd_die("%s: no frame %llu: the last is frame %llu",
		    n == 1 ? cmd_input_name(paths[0]) : n == 0 ? "stdin" :
		    "all files", (unsigned long long)first,
		    (unsigned long long)frame);
	}
}

/* ---- Joining side by side --------------------------------------------- */

/* Copies all tensors of the current frame of *s, numbered from index. */
static unsigned
zip_one(const struct npu_tensor_options *o, struct output *out,
    struct stream *s, uint64_t frame, unsigned index, unsigned count)
{
	struct npu_err err;
	struct npu_label l;

	for (;;) {
		l = s->label;
		added_scale(&o->tensor, out, s, &l.tensor);
		l.index = (uint16_t)index++;
		l.count = (uint16_t)count;
		if (s->open_end) {
			cmd_abandon_output(out);
			cmd_die("%s: --zip needs --shape for raw bytes from a "
			    "pipe", s->name);
		}
		copy(o, out, s, frame, &l);
		if (s->label.index + 1 == s->label.count)
			return index;
		if (stream_next(s, &err) < 0)
			fail(out, s, &err);
	}
}

/* Moves every stream to its next frame.  Returns the sum of their tensors, 0 at
 * the end. */
static unsigned
next_frames(struct output *out, struct stream *s, int n)
{
	struct npu_err err;
	unsigned count = 0;
	int rc, ended = -1, goes_on = -1;

	for (int i = 0; i < n; i++) {
		if ((rc = stream_next(&s[i], &err)) < 0)
			fail(out, &s[i], &err);
		if (rc == 0)
			ended = i;
		else
			goes_on = i;
		count += s[i].label.count;
	}
	if (ended >= 0 && goes_on >= 0) {
		cmd_abandon_output(out);
		cmd_die("%s: has more frames than %s", s[goes_on].name,
		    s[ended].name);
	}
	if (count > UINT16_MAX) {
		cmd_abandon_output(out);
		cmd_die("%u tensors a frame; at most %d are possible", count,
		    UINT16_MAX);
	}
	return ended >= 0 ? 0 : count;
}

static void
zip_files(const struct npu_tensor_options *o, struct output *out, char *paths[],
    int n)
{
	struct stream *s = cmd_alloc((size_t)n * sizeof(*s));
	unsigned count, index;
	uint64_t frame = 0;

	for (int i = 0; i < n; i++)
		added_open(&o->tensor, o->add, &s[i], paths[i]);
	while ((count = next_frames(out, s, n)) > 0) {
		index = 0;
		frame++;
		for (int i = 0; i < n; i++)
			index = zip_one(o, out, &s[i], frame, index, count);
		cmd_end_record(out);
	}
	for (int i = 0; i < n; i++) {
		stream_detail(&s[i]);
		stream_close(&s[i]);
	}
	free(s);
}

/* ---- Start and end ---------------------------------------------------- */

int
main(int argc, char *argv[])
{
	struct archive_writer archive = { .npz = false };
	struct npu_tensor_options o = { .selection = SELECTION_ALL,
	    .archive = &archive };
	struct output out;

	cmd_start();
	read_options(&o, argc, argv);
	argv += optind;
	argc -= optind;
	cmd_open_output(&out, o.output, o.format >= LABEL);
	cmd_abandon_output_on_exit(&out);
	if (o.format == CSV)
		describe_header(&out);
	progress_begin_files(argv, argc);
	if (o.zip)
		zip_files(&o, &out, argv, argc);
	else
		copy_files(&o, &out, argv, argc);
	progress_end();
	if (o.format >= NPZ)
		archive_writer_end(&archive, &out);
	cmd_close_output(&out);
	selection_free(&o.selection);
	cmd_exit(EXIT_DONE);
}
