// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "device.h"
#include "frame.h"
#include "stream.h"

/*
 * Either one source for all inputs (files one after another, or stdin), or one
 * for each input (-i).
 */
struct frames {
	const struct npu *npu;
	char **files;		/* still to be read; n_files 0: no more */
	int n_files;
	bool per_input;
	struct stream *streams;	/* one, or one for each input */
	bool open;		/* streams[0] is; when not per_input */
	uint64_t frame;		/* from 1 */
};

static const char **given;	/* -i, as they were given */
static uint32_t n_given;

void
frame_add_source(const char *arg)
{
	given = cmd_realloc(given, (n_given + 1) * sizeof(*given));
	given[n_given++] = arg;
}

void
frame_check_sources(char **files, int n)
{
	if (n > 0 && n_given > 0)
		cmd_usage("-i and '%s': an input comes from one place only",
		    files[0]);
}

/* ---- -i ------------------------------------------------------------------ */

/* The input that "NAME=" of arg means, or -1; *file is what follows. */
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

/* file[i] becomes the one that -i gives to input i. */
static void
share_out(const struct npu *npu, const char **file)
{
	uint32_t n = npu_inputs(npu), next = 0;
	bool stdin_taken = false;
	const char *path;
	int64_t i;

	for (uint32_t k = 0; k < n_given; k++) {
		i = named_input(npu, given[k], &path);
		while (i < 0 && next < n && file[next] != NULL)
			next++;
		if (i < 0)
			i = next;
		if (i >= n)
			cmd_usage("-i %s: the model has only %" PRIu32
			    " inputs", given[k], n);
		if (file[i] != NULL)
			cmd_usage("-i %s: input %" PRId64 " has a file "
			    "already", given[k], i);
		if (strcmp(path, "-") == 0 && stdin_taken)
			cmd_usage("-i %s: stdin is another input's already",
			    given[k]);
		stdin_taken |= strcmp(path, "-") == 0;
		file[i] = path;
	}
}

static void
open_per_input(struct frames *f)
{
	uint32_t n = npu_inputs(f->npu);
	const char **file = cmd_alloc(n * sizeof(*file));

	share_out(f->npu, file);
	for (uint32_t k = 0; k < n; k++) {
		if (file[k] == NULL)
			cmd_usage("input %" PRIu32 " (%s) has no file: give "
			    "each of the %" PRIu32 " inputs one with -i, or "
			    "none", k, npu_input(f->npu, k)->name, n);
		stream_open(&f->streams[k], file[k]);
		stream_frames(&f->streams[k], npu_input(f->npu, k), 1);
	}
	free(file);
}

struct frames *
frames_open(const struct npu *npu, char **files, int n)
{
	static char *standard_input[] = { NULL };
	struct frames *f = cmd_alloc(sizeof(*f));

	if (npu_inputs(npu) == 0)
		cmd_die("%s: has no input, so no frame says how often it is "
		    "to run", cmd_model_in_use());
	*f = (struct frames){
		.npu = npu, .per_input = n_given > 0,
		.files = n > 0 ? files : standard_input,
		.n_files = n > 0 ? n : 1,
	};
	f->streams = cmd_alloc((f->per_input ? npu_inputs(npu) : 1) *
	    sizeof(*f->streams));
	if (f->per_input)
		open_per_input(f);
	return f;
}

/* ---- Does it fit? -------------------------------------------------------- */

/* Equal but for dimensions of 1; an unknown shape fits any. */
static bool
same_shape(const struct npu_tensor *a, const struct npu_tensor *b)
{
	uint32_t i = 0, j = 0;

	if (a->ndim == 0 || b->ndim == 0)
		return true;
	for (;;) {
		while (i < a->ndim && a->dim[i] == 1)
			i++;
		while (j < b->ndim && b->dim[j] == 1)
			j++;
		if (i == a->ndim || j == b->ndim)
			return i == a->ndim && j == b->ndim;
		if (a->dim[i++] != b->dim[j++])
			return false;
	}
}

static const char *
what_differs(const struct stream *s, const struct npu_tensor *t,
    const struct npu_tensor *want)
{
	if (t->dtype != want->dtype)
		return "type";
	if (t->size != want->size)
		return "size";
	if (!same_shape(t, want))
		return "shape";
	/* .npy and raw bytes say nothing of these; floats have none. */
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

static void
check_fit(const struct stream *s, uint32_t i, const struct npu_tensor *want)
{
	const struct npu_tensor *t = &s->label.tensor;
	const char *differs = what_differs(s, t, want);
	char is[200], wants[200];

	if (differs == NULL)
		return;
	npu_tensor_format(t, is, sizeof(is));
	npu_tensor_format(want, wants, sizeof(wants));
	cmd_die("%s: frame %" PRIu64 ": wrong %s of input %" PRIu32 ": it is "
	    "%s, %" PRIu64 " bytes, and the model wants %s, %" PRIu64
	    " bytes%s",
	    s->name, s->frame, differs, i, is, t->size, wants, want->size,
	    advice(t, want));
}

/* A labelled frame must have as many tensors as the model has inputs. */
static void
check_place(const struct stream *s, uint32_t i, uint32_t n)
{
	if (s->kind != STREAM_LABELLED ||
	    (s->label.index == i && s->label.count == n))
		return;
	cmd_die("%s: frame %" PRIu64 ": tensor %u of %u where input %" PRIu32
	    " of %" PRIu32 " belongs", s->name, s->frame, s->label.index,
	    s->label.count, i, n);
}

/* ---- Read ---------------------------------------------------------------- */

/* One tensor of s into p.  False at the end, or when stopped. */
static bool
read_tensor(struct frames *f, struct stream *s, uint32_t i, uint8_t *p)
{
	const struct npu_tensor *want = npu_input(f->npu, i);
	struct npu_err err;
	int64_t n;
	int rc;

	rc = s->kind == STREAM_EMPTY ? 0 : stream_next(s, &err);
	if (rc > 0) {
		check_place(s, f->per_input ? 0 : i,
		    f->per_input ? 1 : npu_inputs(f->npu));
		check_fit(s, i, want);
		n = stream_read(s, p, want->size, &err);
		if (n == (int64_t)want->size)
			return true;
		rc = n < 0 ? (int)n : 0;
	}
	if (rc < 0 && cmd_stop == 0)
		cmd_die_err(s->name, &err);
	return false;
}

/* The streams of -i end together, or one of them is cut. */
static bool
read_per_input(struct frames *f, uint8_t *in)
{
	uint32_t n = npu_inputs(f->npu);
	bool have, first = false;

	for (uint32_t i = 0; i < n; i++) {
		have = read_tensor(f, &f->streams[i], i, in);
		if (cmd_stop != 0)
			return false;
		if (i == 0)
			first = have;
		if (have != first)
			cmd_die("%s: ends after %" PRIu64 " frames, but %s "
			    "goes on", f->streams[have ? 0 : i].name,
			    f->frame, f->streams[have ? i : 0].name);
		in += npu_input(f->npu, i)->size;
	}
	f->frame++;
	return first;
}

/* Opens the next file when none is open.  False when there is none left. */
static bool
next_file(struct frames *f)
{
	if (f->open)
		return true;
	if (f->n_files == 0)
		return false;
	stream_open(&f->streams[0], *f->files++);
	f->n_files--;
	stream_frames(&f->streams[0], npu_input(f->npu, 0),
	    (uint16_t)npu_inputs(f->npu));
	f->open = true;
	return true;
}

static bool
read_one_source(struct frames *f, uint8_t *in)
{
	struct stream *s = &f->streams[0];
	uint8_t *p = in;
	uint32_t i = 0;

	while (next_file(f) && cmd_stop == 0) {
		if (read_tensor(f, s, i, p)) {
			p += npu_input(f->npu, i)->size;
			if (++i == npu_inputs(f->npu))
				return true;
			continue;
		}
		if (i > 0 && cmd_stop == 0)
			cmd_die("%s: frame %" PRIu64 " ends after %" PRIu32
			    " of %" PRIu32 " inputs", s->name, s->frame, i,
			    npu_inputs(f->npu));
		stream_close(s);
		f->open = false;
	}
	return false;
}

bool
frame_read(struct frames *f, uint8_t *in)
{
	return f->per_input ? read_per_input(f, in) : read_one_source(f, in);
}
