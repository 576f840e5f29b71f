// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "frames.h"

enum { FLUSH_NS = 10000000 };

/* ---- Opening ----------------------------------------------------------- */

/* Makes the labels of the outputs, which are the same for all frames. */
static void
make_labels(struct frames *f, const struct shapes *s)
{
	struct npu_tensor out[XDNA_BUFFERS];
	struct npu_err err;

	f->outputs = shapes_outputs(s, f->job, out);
	for (unsigned i = 0; i < f->outputs && !f->raw; i++) {
		struct npu_label l = { .tensor = out[i], .index = (uint16_t)i,
		    .count = (uint16_t)f->outputs };

		if (npu_label_encode(&l, f->label[i], &err) < 0)
			cmd_usage("--shape: output %u: %s", i, err.msg);
	}
}

static void
find_buffers(struct frames *f)
{
	unsigned out = 0;

	for (unsigned i = 0; i < f->job->buffers; i++) {
		const struct xdna_buffer *b = &f->job->buffer[i];

		if (b->in) {
			f->input[f->inputs] = shapes_bytes(b->bytes);
			f->in_buffer[f->inputs++] = i;
			f->in_size += b->bytes + NPU_LABEL_SIZE;
		}
		if (b->out)
			f->out_buffer[out++] = i;
	}
	f->once = f->inputs == 0;
}

void
frames_open(struct frames *f, const struct xdna_job *job,
    const struct shapes *s, bool raw, const char *output)
{
	*f = (struct frames){ .job = job, .raw = raw };
	find_buffers(f);
	make_labels(f, s);
	if (f->inputs > 0)
		cmd_refuse_terminal(NULL);
	cmd_open_output(&f->out, output, true);
	/* Flush even to a file: results must survive a later failure. */
	f->out.record_flush = true;
}

int
frames_begin(struct frames *f, struct npu_err *err)
{
	int rc;

	if (f->inputs == 0)
		return 0;
	cmd_take_stdin(NULL);
	if ((rc = stream_try_open(&f->in, NULL, err)) < 0)
		return rc;
	stream_frames(&f->in, f->input, (uint16_t)f->inputs);
	return 0;
}

/* ---- Input ------------------------------------------------------------- */

/* Returns true if the current tensor is a .npy array of several frames.  The
 * job must have a single input, and the array a whole number of frames. */
static bool
is_batch(const struct frames *f)
{
	return f->inputs == 1 && f->in.kind == STREAM_NPY &&
	    f->in.label.tensor.size % f->input[0].size == 0;
}

/* Fails unless the current tensor can be input i. */
static int
check_tensor(const struct frames *f, unsigned i, struct npu_err *err)
{
	const struct stream *s = &f->in;
	char is[200];

	if (s->kind == STREAM_LABELLED && s->label.count != f->inputs)
		return npu_fail(err, NPU_EFORMAT, "frame %" PRIu64 ": %u "
		    "tensor%s, and the kernel reads %u buffer%s", s->frame,
		    s->label.count, s->label.count == 1 ? "" : "s", f->inputs,
		    f->inputs == 1 ? "" : "s");
	if (s->label.tensor.size == f->input[i].size || is_batch(f))
		return 0;
	npu_tensor_format(&s->label.tensor, is, sizeof(is));
	return npu_fail(err, NPU_EFORMAT, "frame %" PRIu64 ", tensor %u: %s is "
	    "%" PRIu64 " bytes, and buffer %u has %" PRIu64, s->frame, i, is,
	    s->label.tensor.size, f->in_buffer[i], f->input[i].size);
}

/* Reads input i.  Returns the same as frames_read(). */
static int
read_input(struct frames *f, struct xdna *x, unsigned i, struct npu_err *err)
{
	struct stream *s = &f->in;
	int64_t n;
	int rc;

	if (s->left == 0 || s->tensors == 0) {
		if ((rc = stream_next(s, err)) <= 0 ||
		    (rc = check_tensor(f, i, err)) < 0)
			return rc;
	}
	n = stream_read(s, xdna_memory(x, f->in_buffer[i]), f->input[i].size,
	    err);
	return n < 0 ? (int)n : 1;
}

int
frames_read(struct frames *f, struct xdna *x, struct npu_err *err)
{
	int rc = 1;

	if (f->inputs == 0) {
		rc = f->once;
		f->once = false;
		return rc;
	}
	if (f->in.kind == STREAM_EMPTY)
		return 0;
	/* If the stream ends within a frame, stream_next() fails. */
	for (unsigned i = 0; i < f->inputs && rc > 0; i++)
		rc = read_input(f, x, i, err);
	return rc;
}

uint64_t
frames_count(const struct frames *f)
{
	struct stat st;
	off_t at;

	if (f->inputs == 0 || (f->in.kind != STREAM_RAW &&
	    f->in.kind != STREAM_LABELLED) ||
	    fstat(f->in.fd, &st) < 0 || !S_ISREG(st.st_mode) ||
	    (at = lseek(f->in.fd, 0, SEEK_CUR)) < (off_t)f->in.n_ahead)
		return 0;
	return (uint64_t)(st.st_size - at + (off_t)f->in.n_ahead) /
	    (f->in_size - (f->in.kind == STREAM_RAW ?
	    f->inputs * NPU_LABEL_SIZE : 0));
}

/* ---- Output ------------------------------------------------------------ */

/* Returns true if all bytes of the next frame can be read without waiting. */
static bool
next_is_ready(const struct frames *f)
{
	int n = 0;

	return f->inputs > 0 && ioctl(f->in.fd, FIONREAD, &n) == 0 && n > 0 &&
	    (uint64_t)n >= f->in_size;
}

/*
 * Flushes the frame, unless the next frame is already available (rule 20): then
 * many small frames need few writes.  A frame is delayed by at most FLUSH_NS
 * and the run of the next frame.
 */
static void
write_out(struct frames *f)
{
	uint64_t now = clock_ns();

	if (now - f->flushed < FLUSH_NS && next_is_ready(f)) {
		cmd_mark_record(&f->out);
		return;
	}
	cmd_end_record(&f->out);
	f->flushed = now;
}

void
frames_write(struct frames *f, struct xdna *x)
{
	for (unsigned i = 0; i < f->outputs; i++) {
		unsigned buffer = f->out_buffer[i];

		if (!f->raw)
			cmd_write(&f->out, f->label[i], NPU_LABEL_SIZE);
		cmd_write(&f->out, xdna_memory(x, buffer),
		    f->job->buffer[buffer].bytes);
	}
	write_out(f);
}
