// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/num.h"
#include "device.h"
#include "frame_reader.h"
#include "stream.h"

/*
 * Either one source for all inputs (files one after another, or stdin), or one
 * for each input (-i).
 */
struct frame_reader {
	uint32_t n;		/* inputs of the model */
	struct npu_tensor *input;	/* copied: a thread that reads may
					   outlive the model */
	char **files;		/* still to be read; n_files 0: no more */
	int n_files;
	bool per_input;
	struct stream *streams;	/* one, or one for each input */
	bool open;		/* streams[0] is; when not per_input */
	uint64_t frame;		/* from 1 */
	const char *name;	/* of what was read last */
};

static const char **inputs;	/* the arguments of -i, in order */
static uint32_t n_inputs;

void
frame_reader_add_input(const char *arg)
{
	inputs = cmd_realloc(inputs, (n_inputs + 1) * sizeof(*inputs));
	inputs[n_inputs++] = arg;
}

void
frame_reader_check_inputs(char **files, int n)
{
	if (n > 0 && n_inputs > 0)
		cmd_usage("-i and '%s': an input comes from one place only",
		    files[0]);
}

/* ---- -i ------------------------------------------------------------------ */

/* The input that "NAME=" of arg means, or -1; *file is the rest of arg. */
static int64_t
named_input(const struct npu *npu, const char *arg, const char **file)
{
	const char *equals = strchr(arg, '=');
	char name[NPU_MAX_NAME];
	int64_t i;

	*file = arg;
	if (equals == NULL || (size_t)(equals - arg) >= sizeof(name))
		return -1;
	memcpy(name, arg, (size_t)(equals - arg));
	name[equals - arg] = '\0';
	*file = equals + 1;
	for (uint32_t k = 0; k < npu_inputs(npu); k++)
		if (*name != '\0' && strcmp(npu_input(npu, k)->name, name) == 0)
			return k;
	if (num_int(name, 0, (int64_t)npu_inputs(npu) - 1, &i, NULL) == 0)
		return i;
	cmd_usage("-i %s: the model has no input '%s'; it has %" PRIu32 ": "
	    "npu-run --dry-run lists them", arg, name, npu_inputs(npu));
}

/* Sets file[i] to the file that -i names for input i. */
static void
assign_inputs(const struct npu *npu, const char **file)
{
	uint32_t n = npu_inputs(npu), next = 0;
	bool stdin_taken = false;
	const char *path;
	int64_t i;

	for (uint32_t k = 0; k < n_inputs; k++) {
		i = named_input(npu, inputs[k], &path);
		while (i < 0 && next < n && file[next] != NULL)
			next++;
		if (i < 0)
			i = next;
		if (i >= n)
			cmd_usage("-i %s: the model has only %" PRIu32
			    " inputs", inputs[k], n);
		if (file[i] != NULL)
			cmd_usage("-i %s: input %" PRId64 " has a file "
			    "already", inputs[k], i);
		if (cmd_is_dash(path) && stdin_taken)
			cmd_usage("-i %s: stdin is another input's already",
			    inputs[k]);
		stdin_taken |= cmd_is_dash(path);
		file[i] = path;
	}
}

static void
open_per_input(struct frame_reader *f, const struct npu *npu)
{
	uint32_t n = f->n;
	const char **file = cmd_alloc(n * sizeof(*file));
	struct npu_err err;

	assign_inputs(npu, file);
	for (uint32_t k = 0; k < n; k++) {
		if (file[k] == NULL)
			cmd_usage("input %" PRIu32 " (%s) has no file: give "
			    "each of the %" PRIu32 " inputs one with -i, or "
			    "none", k, f->input[k].name, n);
		if (stream_try_open(&f->streams[k], file[k], &err) < 0 &&
		    cmd_stop == 0)
			cmd_die_err(f->streams[k].name, &err);
		stream_frames(&f->streams[k], &f->input[k], 1);
	}
	free(file);
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
		.n = npu_inputs(npu), .per_input = n_inputs > 0,
		.files = n > 0 ? files : standard_input,
		.n_files = n > 0 ? n : 1,
	};
	f->input = cmd_alloc(f->n * sizeof(*f->input));
	for (uint32_t i = 0; i < f->n; i++)
		f->input[i] = *npu_input(npu, i);
	f->streams = cmd_alloc((f->per_input ? npu_inputs(npu) : 1) *
	    sizeof(*f->streams));
	if (f->per_input)
		open_per_input(f, npu);
	else
		cmd_refuse_terminal(f->files[0]);
	return f;
}

/* ---- Checks -------------------------------------------------------------- */

/* The next dimension other than 1; 1 after the last. */
static uint32_t
next_dim(const struct npu_tensor *t, uint32_t *i)
{
	while (*i < t->ndim)
		if (t->dim[(*i)++] != 1)
			return t->dim[*i - 1];
	return 1;
}

/* Equal except for dimensions of 1; an unknown shape fits any. */
static bool
same_shape(const struct npu_tensor *a, const struct npu_tensor *b)
{
	uint32_t i = 0, j = 0, dim;

	if (a->ndim == 0 || b->ndim == 0)
		return true;
	do {
		dim = next_dim(a, &i);
		if (next_dim(b, &j) != dim)
			return false;
	} while (dim != 1);
	return true;
}

static const char *
difference(const struct stream *s, const struct npu_tensor *t,
    const struct npu_tensor *want)
{
	if (t->dtype != want->dtype)
		return "type";
	if (t->size != want->size)
		return "size";
	if (!same_shape(t, want))
		return "shape";
	/* .npy and raw bytes do not have these, nor do floats. */
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
	if (npu_tensor_count(t) != npu_tensor_count(want))
		return "; is it meant for another model?";
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

/* For a command line that names a file for each input without -i. */
static const char a_file_each[] = "; -i gives each input a file";

/* A labelled frame must have as many tensors as the model has inputs. */
static int
check_count(const struct stream *s, uint32_t i, uint32_t n,
    struct npu_err *err)
{
	if (s->kind != STREAM_LABELLED || s->label.count == n)
		return 0;	/* the stream checks their order */
	return npu_fail(err, NPU_EFORMAT, "frame %" PRIu64 ": tensor %u of %u "
	    "where input %" PRIu32 " of %" PRIu32 " belongs%s", s->frame,
	    s->label.index, s->label.count, i, n,
	    s->label.count == 1 ? a_file_each : "");
}

/* ---- Reading ------------------------------------------------------------- */

/* Reads one tensor of s into p, as frame_reader_read() does. */
static int
read_tensor(struct frame_reader *f, struct stream *s, uint32_t i, uint8_t *p,
    struct npu_err *err)
{
	const struct npu_tensor *want = &f->input[i];
	int64_t n;
	int rc;

	f->name = s->name;
	rc = s->kind == STREAM_EMPTY ? 0 : stream_next(s, err);
	if (rc <= 0)
		return rc;
	if ((rc = check_count(s, f->per_input ? 0 : i,
	    f->per_input ? 1 : f->n, err)) < 0 ||
	    (rc = check_fit(s, i, want, err)) < 0)
		return rc;
	n = stream_read(s, p, want->size, err);
	return n < 0 ? (int)n : n == (int64_t)want->size;
}

/* The streams of -i must end together. */
static int
read_per_input(struct frame_reader *f, uint8_t *in, struct npu_err *err)
{
	uint32_t n = f->n;
	int rc, first = 0;

	for (uint32_t i = 0; i < n; i++) {
		rc = read_tensor(f, &f->streams[i], i, in, err);
		if (rc < 0 || cmd_stop != 0)
			return rc;
		if (i == 0)
			first = rc;
		if (rc != first) {
			f->name = f->streams[rc ? 0 : i].name;
			return npu_fail(err, NPU_EFORMAT, "ends after %" PRIu64
			    " frames, but %s goes on", f->frame,
			    f->streams[rc ? i : 0].name);
		}
		in += f->input[i].size;
	}
	f->frame++;
	return first;
}

/* Opens the next file when none is open: 1, or 0 after the last. */
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
	stream_frames(&f->streams[0], &f->input[0],
	    (uint16_t)f->n);
	/* A labelled stream gives the number of its tensors itself. */
	if (f->streams[0].kind != STREAM_LABELLED &&
	    f->streams[0].fd != STDIN_FILENO)
		f->streams[0].advice = a_file_each;
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
		/* The end within a frame was an error of the stream. */
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
	free(f->input);
	free(f->streams);
	free(f);
}
