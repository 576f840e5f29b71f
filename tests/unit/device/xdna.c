// SPDX-License-Identifier: Apache-2.0
/*
 * Runs jobs on the emulated device, which is loaded as a program loads it.  The
 * kernels of npu-ref give the bytes of the test data, and the copy gives the
 * bytes of the definition, on both kernels of Linux.
 */
#include <string.h>

#include "tap.h"
#include "tools/txngen/stream.h"
#include "xdna_job.h"

static const char *const kernels[] = { "6.14", "7.2" };
static const struct xdna_calls *calls;

/* Runs the job on each frame of *input and adds the outputs to *output.  The
 * job has one input and one output. */
static int
run_frames(const struct xdna_job *job, unsigned in, unsigned out,
    const struct buf *input, struct buf *output, struct npu_err *err)
{
	const size_t size = job->buffer[in].bytes;
	struct xdna *x = NULL;
	int rc;

	if ((rc = xdna_open(&x, calls, "emulated", NULL, err)) < 0)
		return rc;
	rc = xdna_load(x, job, err);
	for (size_t at = 0; rc == 0 && at + size <= input->n; at += size) {
		memcpy(xdna_memory(x, in), input->p + at, size);
		if ((rc = xdna_run(x, 10000, err)) == 0)
			buf_add(output, xdna_memory(x, out),
			    job->buffer[out].bytes);
	}
	xdna_close(x);
	return rc;
}

/* ---- The kernels of the test data -------------------------------------- */

static const struct {
	const char *twin, *stream, *in, *out;
} rows[] = {
	{ "layernorm", "ln", "ln_a_in.bf16", "ln_a_out.bf16" },
	{ "layernorm", "ln-text", "ln_a_in.bf16", "ln_a_out.bf16" },
	{ "copy", "ln", "ln_a_in.bf16", "ln_a_in.bf16" },
	{ "attention", "attn-v1", "at42_qkv.i8", "at42_attention.i8" },
	{ "attention", "attn-v1", "at_g4_qkv.i8", "at_g4_attention.i8" },
	{ "attention-guide", "attn-v1", "at_g4_qkv.i8",
	    "at_g4_attention-guide.i8" },
	{ "attention-lut8", "attn-v1", "at42_qkv.i8",
	    "at42_attention-lut8.i8" },
	{ "attention-shift4", "attn-v1", "at_zero_qkv.i8",
	    "at_zero_attention-shift4.i8" },
	{ "attention-int8", "attn-v1", "at42_qkv.i8",
	    "at42_attention-int8.i8" },
};

static bool
load_row(size_t i, struct buf *stream, struct buf *in, struct buf *out)
{
	char name[3][200];

	snprintf(name[0], sizeof(*name), "insts/%s.insts", rows[i].stream);
	snprintf(name[1], sizeof(*name), "numerics/%s", rows[i].in);
	snprintf(name[2], sizeof(*name), "numerics/%s", rows[i].out);
	return load_data(name[0], stream) && load_data(name[1], in) &&
	    load_data(name[2], out);
}

static void
row(size_t i, const char *kernel)
{
	struct buf stream = { 0 }, in = { 0 }, out = { 0 }, found = { 0 };
	struct txn t = { .copy = NULL };
	struct npu_err err = { .msg = "" };
	struct xdna_job job;

	setenv("NPU_TWIN", rows[i].twin, 1);
	if (!load_row(i, &stream, &in, &out)) {
		ok(true, "%s # SKIP no test data", rows[i].in);
	} else {
		/* A file of text is converted to words before it is loaded. */
		txn_read(&t, bytes_of(&stream), NULL);
		make_job(&stream, &job);
		job.instructions = t.words;
		run_frames(&job, 0, 1, &in, &found, &err);
		ok(found.n == out.n && memcmp(found.p, out.p, out.n) == 0,
		    "Linux %s: %s with the instructions %s makes %s from %s",
		    kernel, rows[i].twin,
		    rows[i].stream, rows[i].out, rows[i].in);
		if (err.msg[0] != '\0')
			diag("%s", err.msg);
		txn_free(&t);
	}
	buf_free(&stream);
	buf_free(&in);
	buf_free(&out);
	buf_free(&found);
}

/* ---- The words that a transfer moves ----------------------------------- */

static uint64_t state = 1;

static uint32_t
draw(uint32_t below)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(state >> 33) % below;
}

static struct shape
random_shape(void)
{
	return (struct shape){ .length = 1 + draw(60), .wrap0 = draw(7),
	    .step0 = 1 + draw(9), .wrap1 = draw(5), .step1 = 1 + draw(70),
	    .step2 = 1 + draw(90), .step = 1 + draw(99),
	    .places = 1 + draw(3) };
}

/* Returns the word of element e in run r, by the definition. */
static uint32_t
word_of(const struct shape *d, uint32_t e, unsigned r)
{
	uint32_t a[3] = { e, 0, 0 };

	if (d->wrap0 > 0) {
		a[0] = e % d->wrap0;
		a[1] = e / d->wrap0;
	}
	if (d->wrap0 > 0 && d->wrap1 > 0) {
		a[2] = a[1] / d->wrap1;
		a[1] = a[1] % d->wrap1;
	}
	return a[0] * d->step0 + a[1] * d->step1 + a[2] * d->step2 +
	    (d->places > 1 ? r % d->places * d->step : 0);
}

/* Writes a stream that reads buffer 0 by one random transfer and writes buffer
 * 3 by another.  runs[] has the number of runs of each. */
static void
make_stream(struct buf *b, const struct shape d[2], const unsigned runs[2])
{
	struct stream s;

	stream_begin(&s, draw(2) != 0, b);
	for (unsigned i = 0; i < 2; i++) {
		stream_set(&s, 1, i, d[i]);
		stream_adopt(&s, 1, i, i == 0 ? 0 : 3);
		stream_write(&s, stream_queue(1, i == 0 ? MM2S : S2MM),
		    i | (runs[i] - 1) << 16);
	}
	stream_wait(&s, 1, 1);
	stream_end(&s);
}

/* Computes the contents of buffer 3 afterwards: the words that were read,
 * repeated. */
static void
expect_copy(const struct shape d[2], const unsigned runs[2],
    const uint32_t *in, uint32_t *out)
{
	uint32_t row[256], n = 0;

	for (unsigned r = 0; r < runs[0]; r++)
		for (uint32_t e = 0; e < d[0].length; e++)
			row[n++] = in[word_of(&d[0], e, r)];
	for (unsigned r = 0; r < runs[1]; r++)
		for (uint32_t e = 0; e < d[1].length; e++)
			out[word_of(&d[1], e, r)] =
			    row[(r * d[1].length + e) % n];
}

static bool
moves(struct npu_err *err)
{
	struct buf stream = { 0 }, in = { 0 }, found = { 0 };
	const unsigned runs[2] = { 1 + draw(4), 1 + draw(4) };
	const struct shape d[2] = { random_shape(), random_shape() };
	struct xdna_job job;
	uint32_t *out, w;
	bool good;

	make_stream(&stream, d, runs);
	if (!make_job(&stream, &job))
		return false;
	for (uint64_t i = 0; i < job.buffer[0].bytes; i += 4) {
		w = draw(UINT32_MAX);
		buf_add(&in, &w, sizeof(w));
	}
	out = calloc(1, job.buffer[3].bytes);
	expect_copy(d, runs, (const uint32_t *)(void *)in.p, out);
	good = run_frames(&job, 0, 3, &in, &found, err) == 0 &&
	    found.n == job.buffer[3].bytes &&
	    memcmp(found.p, out, found.n) == 0;
	free(out);
	buf_free(&stream);
	buf_free(&in);
	buf_free(&found);
	return good;
}

enum { MOVES = 200 };

static void
all_moves(const char *kernel)
{
	struct npu_err err = { .msg = "" };
	unsigned wrong = 0;

	setenv("NPU_TWIN", "copy", 1);
	for (unsigned i = 0; i < MOVES; i++)
		if (!moves(&err) && wrong++ == 0)
			diag("%u: %s", i, err.msg);
	ok(wrong == 0, "Linux %s: %d random transfers move the words of the "
	    "definition, and no others", kernel, MOVES);
}

/* ---- Finding the emulated device --------------------------------------- */

static void
find(const char *program)
{
	struct npu_err err = { .msg = "" };
	char path[4096];
	int rc;

	setenv("NPU_XDNA_LIBRARY", "/nowhere.so", 1);
	rc = xdna_emulator(&calls, NULL, &err);
	ok(rc == NPU_ENODEV && strstr(err.msg, "/nowhere.so") != NULL,
	    "if the file named by NPU_XDNA_LIBRARY is missing, its name is "
	    "reported");
	snprintf(path, sizeof(path), "%.*s/../../../lib/npu-utils/"
	    "libnoe-emu.so", (int)(strrchr(program, '/') - program), program);
	setenv("NPU_XDNA_LIBRARY", path, 1);
	rc = xdna_emulator(&calls, NULL, &err);
	ok(rc == NPU_ENODEV && strstr(err.msg, "does not export") != NULL,
	    "if NPU_XDNA_LIBRARY names another library, this is reported");
	unsetenv("NPU_XDNA_LIBRARY");
	memcpy(strrchr(path, '/'), "/libxdna-emu.so", 16);
	rc = xdna_emulator(&calls, path, &err);
	ok(rc == 0, "a program's own emulated device is loaded");
	if (rc < 0)
		diag("%s", err.msg);
}

int
main(int argc, char *argv[])
{
	(void)argc;
	find(argv[0]);
	if (calls == NULL)
		return done();
	for (size_t k = 0; k < 2; k++) {
		setenv("NPU_XDNA_KERNEL", kernels[k], 1);
		for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
			row(i, kernels[k]);
		all_moves(kernels[k]);
	}
	return done();
}
