// SPDX-License-Identifier: Apache-2.0
/* npu-ref - computes what a kernel of an AMD XDNA NPU computes. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "progress.h"
#include "ref/kernel.h"
#include "ref/layernorm.h"
#include "suggest.h"
#include "tensors/stream.h"

enum { OPT_ROW = 256 };

static const struct opt options[] = {
	TAKES(OPT_ROW, "row", "=N", COMPLETE_NONE,
	    "elements in a row, for layernorm and layernorm-exact (512)"),
	FLAG('r', "raw", "write the elements alone, without labels"),
	TAKES('o', "output", "=FILE", COMPLETE_FILE, "write to FILE"),
	PROGRESS_OPTIONS,
	FLAG('q', "quiet", "no notes, no progress"),
	FLAG('v', "verbose", "print what was read from each file"),
	CMD_COMMON,
	BETWEEN("\nKernels:\n"
	    "  layernorm             rows of bf16 to mean 0 and variance 1, "
	    "bf16\n"
	    "  attention             Q, K, V of 64 x 64 s8 to 64 x 64 s8\n"
	    "  layernorm-exact, attention-exact\n"
	    "                        the same by definition, in double, "
	    "to f32\n"
	    "  attention-guide, attention-lut8, attention-shift4, "
	    "attention-int8\n"
	    "                        less accurate ones that others have "
	    "published"),
	{ 0 },
};

static const char *
kernel_name(size_t i)
{
	return ref_kernels[i].name;
}

const struct program program = {
	.name = "npu-ref",
	.synopsis = "npu-ref [OPTION]... KERNEL [FILE]...",
	.examples =
	"  npu-ref layernorm <rows | npu-dequant -F text\n"
	"  npu-ref -r attention <qkv >expected\n",
	.help =
	"Computes on this processor what KERNEL computes on an AMD XDNA NPU,\n"
	"bit for bit.  FILEs are read one after the other, standard input\n"
	"without any or for -; they are labelled, .npy or raw.\n",
	.options = options,
	.operands = { COMPLETE_CHOICE, COMPLETE_FILE },
	.operand_word = kernel_name,
};

/* ---- Options ---------------------------------------------------------- */

struct npu_ref_options {
	struct ref_kernel kernel;
	uint32_t row;			/* --row; 0: not given */
	bool raw;
	const char *output;
	char **files;			/* ends with NULL */
};

static void
parse_option(struct npu_ref_options *o, int opt)
{
	if (progress_option(opt, optarg))
		return;
	switch (opt) {
	case OPT_ROW:
		o->row = (uint32_t)cmd_int("--row", optarg, 1,
		    REF_LAYERNORM_LONGEST);
		break;
	case 'r': o->raw = true; break;
	case 'o': o->output = optarg; break;
	case 'q': cmd_quiet = true; break;
	case 'v': cmd_verbose = true; break;
	}
}

static _Noreturn void
unknown_kernel(const char *name)
{
	const struct ref_kernel *k;
	struct suggestion s;

	suggest_begin(&s, name, strlen(name));
	for (k = ref_kernels; k->name != NULL; k++)
		suggest_try(&s, k->name);
	if (s.best != NULL)
		cmd_usage("no kernel is called '%s'; did you mean '%s'?", name,
		    s.best);
	cmd_usage("no kernel is called '%s'; --help lists them", name);
}

/* Returns the kernel called name, with rows as long as the options set. */
static void
choose_kernel(struct npu_ref_options *o, const char *name)
{
	const struct ref_kernel *k = ref_kernel_find(name);

	if (k == NULL)
		unknown_kernel(name);
	if (o->row != 0 && !k->has_rows)
		cmd_usage("--row is for layernorm and layernorm-exact; %s "
		    "takes matrices of 64 x 64", name);
	o->kernel = *k;
	if (o->row != 0)
		ref_kernel_row(k, o->row, &o->kernel);
}

static void
read_options(struct npu_ref_options *o, int argc, char *argv[])
{
	int opt;

	while ((opt = cmd_option(argc, argv)) != -1)
		parse_option(o, opt);
	if (optind == argc)
		cmd_usage("no kernel given: npu-ref KERNEL [FILE...]; --help "
		    "lists them");
	choose_kernel(o, argv[optind]);
	o->files = argv + optind + 1;
	cmd_name_operands(o->files);
}

struct npu_ref {
	const struct npu_ref_options *o;
	const struct ref_kernel *kernel;
	struct output out;
	void *in, *result;		/* one frame of the kernel; owned */
};

/* ---- Tensors ---------------------------------------------------------- */

static _Noreturn void
fail(struct npu_ref *d, const struct stream *s, const struct npu_err *err)
{
	cmd_abandon_output(&d->out);
	cmd_die_err(s->name, err);
}

/* True if *t is frames of *w: flat, or with a frame in its last dimensions. */
static bool
holds_frames(const struct npu_tensor *t, const struct npu_tensor *w)
{
	uint64_t frame = npu_tensor_count(w), last = 1;

	if (npu_tensor_count(t) % frame != 0)
		return false;
	for (uint32_t i = t->ndim; i > 0 && last < frame; i--)
		last *= t->dim[i - 1];
	return t->ndim < 2 || last == frame;
}

/* True if the stored integers of *t differ from the numbers they represent. */
static bool
is_scaled(const struct npu_tensor *t)
{
	return !npu_dtype_is_float(t->dtype) &&
	    (t->scale != 1 || t->zero_point != 0);
}

/*
 * Returns advice about *t, which does not fit the kernel; "" if nothing helps.
 */
static const char *
advice(const struct ref_kernel *k, const struct npu_tensor *t)
{
	static char text[80];

	if (t->dtype != k->in.dtype)
		snprintf(text, sizeof(text), "; %snpu-quant -t %s converts it",
		    t->dtype == NPU_F32 ? "" : "npu-dequant | ",
		    npu_dtype_name(k->in.dtype));
	else if (is_scaled(t))
		return "; the kernel knows no scale: npu-tensor -r takes the "
		    "label off";
	else if (k->has_rows && t->ndim > 0 &&
	    t->dim[t->ndim - 1] <= REF_LAYERNORM_LONGEST)
		snprintf(text, sizeof(text), "; --row=%" PRIu32 " takes its "
		    "rows", t->dim[t->ndim - 1]);
	return text;
}

/* Dies unless the current tensor is frames of the kernel. */
static void
check_tensor(struct npu_ref *d, const struct stream *s)
{
	const struct npu_tensor *t = &s->label.tensor, *w = &d->kernel->in;
	char is[200], wanted[200];

	if (t->dtype == w->dtype && holds_frames(t, w) && !is_scaled(t))
		return;
	npu_tensor_format(t, is, sizeof(is));
	npu_tensor_format(w, wanted, sizeof(wanted));
	cmd_abandon_output(&d->out);
	cmd_die("%s: frame %" PRIu64 ", tensor %u: it is %s, and %s takes one "
	    "or more %s%s", s->name, s->frame, s->label.index, is,
	    d->kernel->name, wanted, advice(d->kernel, t));
}

/* Sets *r to the result for *t.  It keeps a shape of rows; otherwise several
 * frames are the first dimension. */
static void
describe_result(const struct ref_kernel *k, const struct npu_tensor *t,
    struct npu_tensor *r)
{
	uint64_t frames = t->size / k->in.size;

	*r = k->out;
	r->size = frames * k->out.size;
	if (k->has_rows) {
		r->ndim = t->ndim;
		memcpy(r->dim, t->dim, sizeof(r->dim));
	} else if (frames > 1) {
		memcpy(r->dim + 1, k->out.dim, k->out.ndim * sizeof(*r->dim));
		r->dim[0] = (uint32_t)frames;
		r->ndim++;
	}
}

/* ---- Computing -------------------------------------------------------- */

/* Runs the current tensor, one frame of the kernel at a time: memory does not
 * depend on its size. */
static void
compute_tensor(struct npu_ref *d, struct stream *s)
{
	const struct ref_kernel *k = d->kernel;
	struct npu_label l = s->label;
	struct npu_err err;
	int64_t n;

	check_tensor(d, s);
	describe_result(k, &s->label.tensor, &l.tensor);
	if (!d->o->raw)
		stream_put_label(&d->out, &l);
	while ((n = stream_read(s, d->in, k->in.size, &err)) > 0) {
		k->compute(k, d->in, d->result);
		cmd_write(&d->out, d->result, k->out.size);
		if (d->o->raw)
			cmd_mark_record(&d->out);
	}
	if (n < 0)
		fail(d, s, &err);
	if (l.index + 1 == l.count)
		cmd_end_record(&d->out);
}

static void
compute_file(struct npu_ref *d, const char *path)
{
	struct npu_err err;
	struct stream s;
	int rc;

	stream_open(&s, path);
	cmd_may_replace_input(path);
	stream_frames(&s, &d->kernel->in, 1);
	while ((rc = stream_next(&s, &err)) > 0)
		compute_tensor(d, &s);
	if (rc < 0)
		fail(d, &s, &err);
	stream_detail(&s);
	stream_close(&s);
}

int
main(int argc, char *argv[])
{
	struct npu_ref_options o = { 0 };
	struct npu_ref d = { .o = &o, .kernel = &o.kernel };

	cmd_start();
	read_options(&o, argc, argv);
	cmd_open_output(&d.out, o.output, true);
	cmd_abandon_output_on_exit(&d.out);
	d.in = cmd_alloc(o.kernel.in.size);
	d.result = cmd_alloc(o.kernel.out.size);
	progress_begin_files(o.files, argc - (int)(o.files - argv));
	if (*o.files == NULL)
		compute_file(&d, NULL);
	for (char **file = o.files; *file != NULL; file++)
		compute_file(&d, *file);
	progress_end();
	cmd_close_output(&d.out);
	free(d.in);
	free(d.result);
	cmd_exit(EXIT_DONE);
}
