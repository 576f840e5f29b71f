// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/num.h"
#include "device.h"
#include "fill.h"
#include "frame_count.h"
#include "frame_reader.h"
#include "input_files.h"
#include "shape.h"
#include "stream.h"
#include "tensor_options.h"
#include "widen.h"

/*
 * Reads either one source for all inputs (files one after another, or stdin),
 * or one source for each input (--input).
 */
struct frame_reader {
	uint32_t n;		/* number of inputs of the model */
	struct npu_tensor *input;	/* copied: a reading thread may
					   outlive the model */
	struct npu_tensor *given;	/* tensors that the streams must
					   have: the inputs, or the inputs as
					   floats */
	float *x;		/* floats of one input; NULL: not asked for */
	struct npu_quant_stats counted;
	uint64_t elements;	/* number of quantised elements */
	char **files;		/* files not read yet; n_files 0: all were
				   read */
	int n_files;
	bool per_input;
	char *first;		/* per_input: the first file; NULL: none */
	uint32_t first_input;	/* its input */
	struct stream *streams;	/* one stream, or one for each input */
	uint64_t *batch;	/* for each input: frames left in its array */
	uint8_t **filled;	/* for each input: its bytes, if it does not
				   have a file; or NULL */
	bool open;		/* streams[0] is open; only if not per_input */
	uint64_t frame;		/* from 1 */
	const char *name;	/* of the stream that was read last */
};

static struct input_files named;	/* the files of --input */
static struct fill filling;	/* for inputs without a file */
static bool floats;

void
frame_reader_add_input(const char *arg)
{
	input_files_add(&named, arg);
}

void
frame_reader_fill(const char *arg)
{
	fill_parse(&filling, arg);
}

void
frame_reader_take_floats(void)
{
	floats = true;
}

void
frame_reader_check_inputs(char **files, int n)
{
	if (n > 0 && named.n > 0)
		cmd_usage("--input and '%s': an input comes from one place "
		    "only", files[0]);
	if (n > 0 && filling.with != FILL_NONE)
		cmd_usage("--fill and '%s': a file without --input has all "
		    "inputs", files[0]);
}

/* ---- --input ------------------------------------------------------------- */

static void
open_per_input(struct frame_reader *f, const struct npu *npu)
{
	/* Static: if a message ends the program, nothing leaks. */
	static const char **file;
	uint32_t n = f->n;
	struct npu_err err;

	file = cmd_alloc(n * sizeof(*file));
	input_files_assign(&named, npu, file);
	if (filling.with != FILL_NONE && named.n == n)
		cmd_usage("--fill: each input of the model has a file");
	for (uint32_t k = 0; k < n; k++) {
		if (file[k] == NULL && filling.with != FILL_NONE) {
			f->filled[k] = cmd_alloc(f->input[k].size);
			fill_tensor(&f->input[k], &filling, f->filled[k]);
			continue;
		}
		if (file[k] == NULL)
			cmd_usage("input %" PRIu32 " (%s) has no file: give "
			    "each of the %" PRIu32 " inputs one with "
			    "--input, or none; or --fill", k, f->input[k].name,
			    n);
		if (f->first == NULL)
			f->first_input = k;
		if (f->first == NULL)
			f->first = (char *)(uintptr_t)file[k];
		if (stream_try_open(&f->streams[k], file[k], &err) < 0 &&
		    cmd_stop == 0)
			cmd_die_err(f->streams[k].name, &err);
		stream_frames(&f->streams[k], &f->given[k], 1);
	}
	free(file);
}

/* True for integers that are not quantised reals, such as the ids of a text. */
static bool
is_number(const struct npu_tensor *t)
{
	return npu_dtype_size(t->dtype) >= 4 &&
	    !npu_dtype_is_float(t->dtype) && t->scale == 1 &&
	    t->zero_point == 0;
}

/* True if input i is read as floats, and then quantised. */
static bool
takes_floats(const struct frame_reader *f, uint32_t i)
{
	return f->x != NULL && !is_number(&f->input[i]);
}

static void
prepare_floats(struct frame_reader *f)
{
	uint64_t most = sizeof(float);

	f->given = cmd_alloc(f->n * sizeof(*f->given));
	for (uint32_t i = 0; i < f->n; i++) {
		if (npu_dtype_size(f->input[i].dtype) == 0)
			cmd_die("%s: input %" PRIu32 " cannot be made of "
			    "floats: elements of its type are not whole bytes",
			    cmd_model_in_use(), i);
		if (is_number(&f->input[i]))
			f->given[i] = f->input[i];
		else
			tensor_as_floats(&f->input[i], &f->given[i]);
		if (f->given[i].size > most)
			most = f->given[i].size;
	}
	f->x = cmd_alloc(most);
}

struct frame_reader *
frame_reader_open(const struct npu *npu, char **files, int n)
{
	static char *standard_input[] = { NULL };
	struct frame_reader *f;

	if (npu_inputs(npu) == 0)
		cmd_die("%s: has no input, so no frame says how often it is "
		    "to run", cmd_model_in_use());
	f = cmd_alloc(sizeof(*f));
	*f = (struct frame_reader){
		.n = npu_inputs(npu), .per_input = named.n > 0 ||
		    filling.with != FILL_NONE,
		.files = n > 0 ? files : standard_input,
		.n_files = n > 0 ? n : 1,
	};
	f->input = cmd_alloc(f->n * sizeof(*f->input));
	f->given = f->input;
	for (uint32_t i = 0; i < f->n; i++)
		f->input[i] = *npu_input(npu, i);
	if (floats)
		prepare_floats(f);
	f->streams = cmd_alloc((f->per_input ? npu_inputs(npu) : 1) *
	    sizeof(*f->streams));
	f->batch = cmd_alloc((f->per_input ? npu_inputs(npu) : 1) *
	    sizeof(*f->batch));
	f->filled = cmd_alloc(f->n * sizeof(*f->filled));
	if (f->per_input)
		open_per_input(f, npu);
	else
		cmd_refuse_terminal(f->files[0]);
	return f;
}

uint64_t
frame_reader_count(const struct frame_reader *f)
{
	if (!f->per_input)
		return frame_count(f->files, f->n_files, f->given, f->n);
	return f->first == NULL ? 1 : frame_count(&f->first, 1,
	    &f->given[f->first_input], 1);
}

/* ---- Checks -------------------------------------------------------------- */

static const char *
difference(const struct stream *s, const struct npu_tensor *t,
    const struct npu_tensor *want)
{
	if (t->dtype != want->dtype)
		return "type";
	if (t->size != want->size)
		return "size";
	if (!shape_same(t, want))
		return "shape";
	/* .npy and raw bytes lack scale and zero point, and floats do not use
	 * them. */
	if (s->kind != STREAM_LABELLED || npu_dtype_is_float(t->dtype))
		return NULL;
	if (t->scale != want->scale)
		return "scale";
	if (t->zero_point != want->zero_point)
		return "zero point";
	return NULL;
}

static const char *
advice(const struct npu_tensor *t, const struct npu_tensor *want)
{
	if (npu_tensor_count(t) != npu_tensor_count(want) ||
	    !shape_same(t, want))
		return shape_advice(t, want);
	if (want->dtype == NPU_F32)
		return "; npu-dequant converts it";
	if (t->dtype == NPU_F32)
		return "; npu-quant -m MODEL makes it so";
	return "; npu-dequant | npu-quant -m MODEL converts it";
}

static int
check_fit(const struct stream *s, uint32_t i, const struct npu_tensor *want,
    struct npu_err *err)
{
	const struct npu_tensor *t = &s->label.tensor;
	const char *differs = difference(s, t, want);
	char is[200], wants[200];

	if (differs == NULL)
		return 0;
	npu_tensor_format(t, is, sizeof(is));
	npu_tensor_format(want, wants, sizeof(wants));
	return npu_fail(err, NPU_EFORMAT, "frame %" PRIu64 ": wrong %s of "
	    "input %" PRIu32 ": it is %s, %" PRIu64 " bytes, and the model "
	    "wants %s, %" PRIu64 " bytes%s", s->frame, differs, i, is,
	    t->size, wants, want->size, advice(t, want));
}

/*
 * Advice for a frame whose number of tensors differs from the model's inputs.
 */
static const char *count_advice = "; --input gives each input a file";

void
frame_reader_one_file(void)
{
	count_advice = "; the inputs of a frame follow each other in one file";
}

/* Checks that a labelled frame has as many tensors as the model has inputs. */
static int
check_count(const struct stream *s, uint32_t i, uint32_t n,
    struct npu_err *err)
{
	if (s->kind != STREAM_LABELLED || s->label.count == n)
		return 0;	/* the stream itself checks their order */
	return npu_fail(err, NPU_EFORMAT, "frame %" PRIu64 ": tensor %u of %u "
	    "where input %" PRIu32 " of %" PRIu32 " belongs%s", s->frame,
	    s->label.index, s->label.count, i, n,
	    s->label.count == 1 ? count_advice : "");
}

/*
 * Returns the number of frames in a .npy array that has one additional first
 * dimension, or N where the model has 1; 0 if the array is not such a batch.
 * With --input, or with one input, the end of each frame is known.
 */
static uint64_t
batch_frames(const struct frame_reader *f, const struct stream *s,
    const struct npu_tensor *want)
{
	const struct npu_tensor *t = &s->label.tensor;
	uint32_t skip = want->ndim == t->ndim && want->dim[0] == 1;

	if (s->kind != STREAM_NPY || (!f->per_input && f->n != 1) ||
	    t->dtype != want->dtype || want->ndim == 0 ||
	    t->ndim != want->ndim - skip + 1 ||
	    memcmp(t->dim + 1, want->dim + skip,
	    (t->ndim - 1) * sizeof(*t->dim)) != 0)
		return 0;
	return t->dim[0];
}

/* ---- Reading ------------------------------------------------------------- */

/* Moves s to the next tensor for input i, if the current tensor was read.  Sets
 * *batch to the number of frames left in it. */
static int
next_tensor(const struct frame_reader *f, struct stream *s, uint32_t i,
    uint64_t *batch, struct npu_err *err)
{
	struct npu_tensor want;
	int rc;

	if (*batch > 0)
		return 1;
	rc = s->kind == STREAM_EMPTY ? 0 : stream_next(s, err);
	if (rc <= 0)
		return rc;
	if ((rc = check_count(s, f->per_input ? 0 : i,
	    f->per_input ? 1 : f->n, err)) < 0)
		return rc;
	want = f->given[i];
	if (widens_to(&s->label.tensor, &want)) {
		want.dtype = NPU_S32;
		want.size /= 2;
	}
	if ((*batch = batch_frames(f, s, &want)) > 0)
		return 1;
	*batch = 1;
	return (rc = check_fit(s, i, &want, err)) < 0 ? rc : 1;
}

/* Quantises the floats just read, from frame s->frame, to input i at p. */
static int
quantise(struct frame_reader *f, const struct stream *s, uint32_t i,
    uint8_t *p, struct npu_err *err)
{
	size_t n = npu_tensor_count(&f->input[i]);
	int rc = npu_quantise(&f->input[i], f->x, n, p, false, &f->counted,
	    err);

	f->elements += n;
	return rc == 0 ? 1 : npu_prefix(err, rc, "frame %" PRIu64 ", input %"
	    PRIu32, s->frame, i);
}

/* Reads the bytes of a tensor as they are, or of s32 where the model takes
 * s64. */
static int64_t
read_bytes(const struct frame_reader *f, struct stream *s, uint32_t i,
    uint8_t *p, struct npu_err *err)
{
	size_t size = f->given[i].size;
	int64_t n;

	if (takes_floats(f, i))
		return stream_read(s, f->x, size, err);
	if (!widens_to(&s->label.tensor, &f->given[i]))
		return stream_read(s, p, size, err);
	n = stream_read(s, p + size / 2, size / 2, err);
	if (n != (int64_t)size / 2)
		return n;
	widen(p, size / sizeof(int64_t));
	return (int64_t)size;
}

/* Reads one tensor of s into p, as frame_reader_read() does. */
static int
read_tensor(struct frame_reader *f, struct stream *s, uint32_t i, uint8_t *p,
    struct npu_err *err)
{
	uint64_t *batch = &f->batch[s - f->streams];
	size_t size = f->given[i].size;
	int64_t n;
	int rc;

	f->name = s->name;
	if ((rc = next_tensor(f, s, i, batch, err)) <= 0)
		return rc;
	n = read_bytes(f, s, i, p, err);
	if (n < 0)
		return (int)n;
	--*batch;
	if (n != (int64_t)size)
		return 0;
	return takes_floats(f, i) ? quantise(f, s, i, p, err) : 1;
}

/* Checks that the streams of --input end together.  Without streams there is
 * one frame. */
static int
read_per_input(struct frame_reader *f, uint8_t *in, struct npu_err *err)
{
	int64_t first = -1;	/* the first input with a stream */
	int rc, more = f->frame == 0;

	for (uint32_t i = 0; i < f->n; in += f->input[i++].size) {
		if (f->filled[i] != NULL) {
			memcpy(in, f->filled[i], f->input[i].size);
			continue;
		}
		rc = read_tensor(f, &f->streams[i], i, in, err);
		if (rc < 0 || cmd_stop != 0)
			return rc;
		if (first < 0) {
			first = i;
			more = rc;
		}
		if (rc != more) {
			f->name = f->streams[rc ? (uint32_t)first : i].name;
			return npu_fail(err, NPU_EFORMAT, "ends after frame "
			    "%" PRIu64 ", but %s goes on", f->frame,
			    f->streams[rc ? i : (uint32_t)first].name);
		}
	}
	f->frame++;
	return more;
}

/* Opens the next file if no file is open.  Returns 1, or 0 after the last. */
static int
next_file(struct frame_reader *f, struct npu_err *err)
{
	int rc;

	if (f->open)
		return 1;
	if (f->n_files == 0)
		return 0;
	rc = stream_try_open(&f->streams[0], *f->files++, err);
	f->name = f->streams[0].name;
	if (rc < 0)
		return rc;
	f->n_files--;
	stream_frames(&f->streams[0], &f->given[0],
	    (uint16_t)f->n);
	/* A labelled stream contains its number of tensors. */
	if (f->streams[0].kind != STREAM_LABELLED &&
	    f->streams[0].fd != STDIN_FILENO)
		f->streams[0].advice = count_advice;
	f->open = true;
	return 1;
}

static int
read_one_source(struct frame_reader *f, uint8_t *in, struct npu_err *err)
{
	struct stream *s = &f->streams[0];
	uint8_t *p = in;
	uint32_t i = 0;
	int rc;

	while ((rc = next_file(f, err)) > 0 && cmd_stop == 0) {
		if ((rc = read_tensor(f, s, i, p, err)) < 0)
			return rc;
		if (rc > 0) {
			p += f->input[i].size;
			if (++i == f->n)
				return 1;
			continue;
		}
		/*
		 * An end within a frame was reported as an error of the stream.
		 */
		stream_close(s);
		f->open = false;
	}
	return rc < 0 ? rc : 0;
}

int
frame_reader_read(struct frame_reader *f, uint8_t *in, struct npu_err *err)
{
	return f->per_input ? read_per_input(f, in, err) :
	    read_one_source(f, in, err);
}

const char *
frame_reader_name(const struct frame_reader *f)
{
	return f->name;
}

void
frame_reader_close(struct frame_reader *f)
{
	if (f->open)
		stream_close(&f->streams[0]);
	for (uint32_t i = 0; i < f->n; i++)
		free(f->filled[i]);
	free(f->filled);
	if (f->counted.clipped > 0)
		cmd_note("%" PRIu64 " of %" PRIu64 " value%s clipped (%.2f%%)",
		    f->counted.clipped, f->elements, num_plural(f->elements),
		    100 * (double)f->counted.clipped / (double)f->elements);
	if (f->given != f->input)
		free(f->given);
	free(f->x);
	free(f->input);
	free(f->streams);
	free(f->batch);
	free(f);
}
