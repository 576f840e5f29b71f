// SPDX-License-Identifier: Apache-2.0
/* self_test.c - checks whether a model answers as it must. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "child_process.h"
#include "device.h"
#include "device/info.h"
#include "host/host.h"
#include "info.h"

enum {
	SELF_TEST_MS = 60000,	/* mostly for opening a large model */
	SENTENCES = 8,
	WIDEST = 4096,		/* most numbers in a vector */
	RIGHT = SENTENCES,	/* number of sentences that must find their
				   partner */
	NEARLY_RIGHT = 7,
};

/*
 * Two sentences of each meaning, one after the other.  The pairs share no
 * colour, shape or phrase, and any CLIP can separate them.  A model that
 * confuses words, or gives all the same answer, pairs some wrongly: by chance,
 * all eight are right once in six million.
 */
static const char *const sentences[SENTENCES] = {
	"a photo of a red circle", "a circle that is red",
	"a drawing of a blue star", "a star drawn in blue",
	"one green triangle among other things",
	"the picture shows a green triangle",
	"the colour of this cross is yellow", "a yellow cross",
};

/* The results, filled in by the child process. */
struct self_test {
	struct npu_err err;	/* code 0: the test ran */
	bool is_text;
	unsigned right;		/* sentences that found their partner */
	float by;		/* least margin in cosine */
	bool same, flat;	/* other models: the same answer twice; the
				   answer is one value throughout */
	double ms;		/* duration of one inference */
	char model[];		/* the model's path */
};

/* ---- Texts ------------------------------------------------------------- */

/* True for the vendor's and our encoders, which have this shape: 77 ids in, a
 * vector out. */
static bool
is_text_encoder(const struct npu *npu)
{
	const struct npu_tensor *in = npu_input(npu, 0);
	uint64_t n = npu_outputs(npu) == 1 ?
	    npu_tensor_count(npu_output(npu, 0)) : 0;

	return npu_inputs(npu) == 1 && in->dtype == NPU_S32 &&
	    in->size == NPU_CLIP_LENGTH * sizeof(int32_t) && n >= 64 &&
	    n <= WIDEST;
}

/* Computes the vector of a sentence, of length 1. */
static int
embed(struct npu *npu, struct npu_tokenizer *tokenizer, const char *text,
    void *out, float *x, struct npu_err *err)
{
	const struct npu_tensor *t = npu_output(npu, 0);
	int32_t row[NPU_CLIP_LENGTH];
	const int32_t *id;
	size_t ids;
	int rc;

	if ((rc = npu_encode(tokenizer, text, strlen(text), &id, &ids,
	    err)) < 0)
		return rc;
	npu_clip_row(id, ids, row, NPU_CLIP_LENGTH);
	if ((rc = npu_run(npu, row, out, err)) < 0 ||
	    (rc = npu_dequantise(t, out, npu_tensor_count(t), x, err)) < 0 ||
	    (rc = npu_l2_normalise(x, npu_tensor_count(t), err)) < 0)
		return npu_prefix(err, rc, "'%s'", text);
	return 0;
}

static double
cosine(const float *x, const float *y, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (double)x[i] * (double)y[i];
	return sum;
}

static void
compare(const float *x, size_t n, struct self_test *t)
{
	double least = 2, own, other;

	for (size_t i = 0; i < SENTENCES; i++) {
		other = -2;
		for (size_t k = 0; k < SENTENCES; k++)
			if (k != i && k != (i ^ 1))
				other = fmax(other, cosine(x + i * n,
				    x + k * n, n));
		own = cosine(x + i * n, x + (i ^ 1) * n, n);
		t->right += own > other;
		least = fmin(least, own - other);
	}
	t->by = (float)least;
}

static int
try_texts(struct npu *npu, struct self_test *t)
{
	size_t n = npu_tensor_count(npu_output(npu, 0));
	float *x = cmd_alloc(SENTENCES * n * sizeof(*x));
	void *out = cmd_alloc(npu_output_size(npu));
	struct npu_tokenizer *tokenizer = NULL;
	int rc = npu_tokenizer_open(&tokenizer, npu_bpe_clip(), &t->err);

	t->is_text = true;
	for (size_t i = 0; rc == 0 && i < SENTENCES; i++)
		rc = embed(npu, tokenizer, sentences[i], out, x + i * n,
		    &t->err);
	if (rc == 0)
		compare(x, n, t);
	npu_tokenizer_close(tokenizer);
	free(out);
	free(x);
	return rc;
}

/* ---- Other models ------------------------------------------------------ */

/*
 * Fills an input with small, different numbers, which are also valid token ids.
 */
static void
fill(const struct npu_tensor *t, uint8_t *p)
{
	size_t e = npu_dtype_size(t->dtype), n = npu_tensor_count(t);
	float x;

	memset(p, 0, t->size);
	for (size_t i = 0; e > 0 && i < n; i++) {
		x = (float)(i % 17) / 17;
		if (npu_dtype_is_float(t->dtype))
			npu_quantise(t, &x, 1, p + i * e, true, NULL, NULL);
		else
			p[i * e] = (uint8_t)(i % 100);
	}
}

static bool
is_flat(const struct npu *npu, const uint8_t *out)
{
	const struct npu_tensor *t;
	bool flat = npu_output_size(npu) > 1;

	for (uint32_t i = 0; i < npu_outputs(npu); i++, out += t->size) {
		t = npu_output(npu, i);
		flat = flat && memcmp(out, out + 1, t->size - 1) == 0;
	}
	return flat;
}

static int
try_twice(struct npu *npu, struct self_test *t)
{
	size_t n = npu_output_size(npu), at = 0;
	uint8_t *in = cmd_alloc(npu_input_size(npu));
	uint8_t *out = cmd_alloc(n), *again = cmd_alloc(n);
	int rc;

	for (uint32_t i = 0; i < npu_inputs(npu); i++) {
		fill(npu_input(npu, i), in + at);
		at += npu_input(npu, i)->size;
	}
	if ((rc = npu_run(npu, in, out, &t->err)) == 0 &&
	    (rc = npu_run(npu, in, again, &t->err)) == 0) {
		t->same = memcmp(out, again, n) == 0;
		t->flat = is_flat(npu, out);
	}
	free(again);
	free(out);
	free(in);
	return rc;
}

/* ---- Public functions -------------------------------------------------- */

/* In the form of npu_open()'s messages. */
static void
name_model(struct self_test *t)
{
	npu_prefix(&t->err, t->err.code, "%.200s", t->model);
}

static void
try_model(void *arg)
{
	struct self_test *t = arg;
	struct npu *npu;

	if (npu_open(&npu, t->model, &cmd_device, &t->err) < 0)
		return;
	if ((is_text_encoder(npu) ? try_texts(npu, t) : try_twice(npu,
	    t)) == 0)
		t->err.code = 0;
	else
		name_model(t);
	t->ms = (double)npu_last_times(npu)->infer / 1e6;
	npu_close(npu);
}

/* The next step after a failure or a wrong answer. */
#define AGAIN "man npu-info  # The answer: model, library and driver of one " \
	"release"

static void
judge_texts(const struct self_test *t, struct health_check *c)
{
	enum health_verdict v = t->right == RIGHT ? HEALTH_OK :
	    t->right >= NEARLY_RIGHT ? HEALTH_WARN : HEALTH_FAIL;

	health_judge(c, v, v == HEALTH_OK ? "" : v == HEALTH_WARN ?
	    "npu-bench --ref=FILE MODEL  # FILE: the answer of the model it "
	    "was made from" : AGAIN, "%.400s: %u of %u sentences are nearest "
	    "to the other with their meaning, by %.2f in cosine at least; "
	    "%.1f ms",
	    t->model, t->right, (unsigned)SENTENCES, (double)t->by, t->ms);
}

/* Puts the library's output into the message, in place of a reference to it. */
static void
add_printed(struct npu_err *err, const char *printed)
{
	static const char above[] = DEVICE_EMULATOR_SAYS;
	size_t n = strlen(err->msg), k = sizeof(above) - 1;
	bool ends = n >= k && strcmp(err->msg + n - k, above) == 0;
	struct npu_err own = *err;

	if (err->code == 0 || *printed == '\0')
		return;
	npu_fail_detail(err, (enum npu_code)own.code, own.detail, "%.*s%s%s",
	    (int)(ends ? n - k : n > 400 ? 400 : n), own.msg, ends ? "" :
	    "; the library says: ", printed);
}

/* The kernel's log does not mention the emulator. */
static const char *
next_of(const struct npu_err *err)
{
	if (err->code == NPU_ESYSTEM)
		return INFO_ENOUGH;
	if (cmd_device.device == NPU_DEVICE_EMU)
		return "man libnoe-emu";
	if (err->code == NPU_ETIMEOUT || child_process_hung(err))
		return HEALTH_NEXT_RESET;
	return err->code == NPU_EDEVICE ?
	    "sudo dmesg | grep -i -e aipu -e npu" : AGAIN;
}

static void
judge(const struct self_test *t, struct health_check *c)
{
	if (t->err.code != 0)
		health_judge(c, HEALTH_FAIL, next_of(&t->err), "%.700s",
		    t->err.msg);
	else if (t->is_text)
		judge_texts(t, c);
	else if (!t->same)
		health_judge(c, HEALTH_FAIL, AGAIN, "%.400s: one input, two "
		    "answers", t->model);
	else if (t->flat)
		health_judge(c, HEALTH_FAIL, AGAIN, "%.400s: all of the answer "
		    "is one value", t->model);
	else
		health_judge(c, HEALTH_OK, "", "%.400s: the same answer twice, "
		    "in %.1f ms; whether it is right is not known", t->model,
		    t->ms);
}

void
info_self_test(const char *path, struct npu_err *unread,
    struct health_check *c)
{
	size_t n = sizeof(struct self_test) + strlen(path) + 1;
	struct self_test *t = cmd_alloc(n);
	struct last_line printed;

	strcpy(t->model, path);
	*c = (struct health_check){ .name = "answer" };
	if (child_process_run(try_model, t, n, SELF_TEST_MS, &printed,
	    &t->err) < 0)
		name_model(t);
	add_printed(&t->err, printed.text);
	judge(t, c);
	host_note(unread, &t->err);
	free(t);
}
