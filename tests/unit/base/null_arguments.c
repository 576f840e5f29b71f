// SPDX-License-Identifier: Apache-2.0
/*
 * Tests that functions of npu.h that can fail refuse NULL where they need an
 * object, and name the argument.
 */
#include "npu.h"
#include "tap.h"

static struct npu_err err;

/* Returns true if a call failed with this message, and clears it. */
static bool
refused(int rc, const char *message)
{
	bool good = rc == NPU_EUSAGE && err.code == rc &&
	    strcmp(err.msg, message) == 0;

	if (!good)
		diag("%d: %s", rc, err.msg);
	memset(&err, 0, sizeof(err));
	return good;
}

static void
devices(void)
{
	char byte = 0;

	ok(refused(npu_open(NULL, "m.cix", NULL, &err),
	    "npu_open(): npu is NULL") &&
	    refused(npu_model_open(NULL, "m.cix", &err),
	    "npu_model_open(): model is NULL"), "to open a model");
	ok(refused(npu_run(NULL, &byte, &byte, &err),
	    "npu_run(): npu is NULL") &&
	    refused(npu_probe(NULL, &err), "npu_probe(): npu is NULL"),
	    "to run a model");
	ok(refused(npu_queue_open(NULL, NULL, 1, &err),
	    "npu_queue_open(): queue is NULL") &&
	    refused(npu_queue_put(NULL, &byte, &err),
	    "npu_queue_put(): queue is NULL") &&
	    refused(npu_queue_get(NULL, &byte, &err),
	    "npu_queue_get(): queue is NULL"), "to use a queue");
}

static void
no_model(void)
{
	struct npu_queue *q = NULL;

	ok(refused(npu_queue_open(&q, NULL, 1, &err),
	    "npu_queue_open(): npu is NULL") && q == NULL,
	    "to open a queue without a model");
}

static void
tensors(void)
{
	const struct npu_tensor t = { .dtype = NPU_S8, .scale = 1 };
	uint8_t *null = NULL, label[NPU_LABEL_SIZE];
	struct npu_label l;
	float x = 0;
	char q = 0;

	ok(refused(npu_quantise(NULL, &x, 1, &q, false, NULL, &err),
	    "the tensor is NULL") &&
	    refused(npu_quantise(&t, NULL, 1, &q, false, NULL, &err),
	    "npu_quantise(): x is NULL") &&
	    refused(npu_quantise(&t, &x, 1, NULL, false, NULL, &err),
	    "npu_quantise(): q is NULL") &&
	    npu_quantise(&t, NULL, 0, NULL, false, NULL, &err) == 0,
	    "to quantise, except for 0 elements");
	ok(refused(npu_dequantise(NULL, &q, 1, &x, &err),
	    "the tensor is NULL") &&
	    refused(npu_dequantise(&t, NULL, 1, &x, &err),
	    "npu_dequantise(): q is NULL") &&
	    refused(npu_dequantise(&t, &q, 1, NULL, &err),
	    "npu_dequantise(): x is NULL") &&
	    npu_dequantise(&t, NULL, 0, NULL, &err) == 0,
	    "to dequantise, except for 0 elements");
	ok(refused(npu_l2_normalise(NULL, 1, &err),
	    "npu_l2_normalise(): x is NULL"), "to normalise");
	ok(refused(npu_label_encode(NULL, label, &err),
	    "npu_label_encode(): l is NULL") &&
	    refused(npu_label_encode(&l, null, &err),
	    "npu_label_encode(): out is NULL") &&
	    refused(npu_label_decode(null, &l, &err),
	    "npu_label_decode(): in is NULL") &&
	    refused(npu_label_decode(label, NULL, &err),
	    "npu_label_decode(): l is NULL"), "for a label");
	ok(npu_dtype_by_name(NULL) == -1, "NULL is not a name of a type");
}

static void
vocabularies(void)
{
	const struct npu_bpe *clip = npu_bpe_clip();
	struct npu_bpe *bpe = NULL;
	char *null = NULL, token[NPU_TOKEN_SIZE];
	struct npu_tokenizer *t = NULL;

	ok(refused(npu_bpe_open(NULL, "", 0, &err),
	    "npu_bpe_open(): bpe is NULL") &&
	    refused(npu_bpe_open(&bpe, NULL, 1, &err),
	    "npu_bpe_open(): file is NULL") && bpe == NULL,
	    "to read a vocabulary");
	ok(refused(npu_token(NULL, 1, token, &err),
	    "npu_token(): bpe is NULL") &&
	    refused(npu_token(clip, 1, null, &err),
	    "npu_token(): token is NULL"), "to spell a token");
	ok(refused(npu_tokenizer_open(NULL, clip, &err),
	    "npu_tokenizer_open(): tokenizer is NULL") &&
	    refused(npu_tokenizer_open(&t, NULL, &err),
	    "npu_tokenizer_open(): bpe is NULL") && t == NULL,
	    "to open a tokenizer");
}

static void
texts(void)
{
	struct npu_tokenizer *t;
	const int32_t *id;
	const char *text;
	size_t n;

	if (npu_tokenizer_open(&t, npu_bpe_clip(), &err) < 0)
		return;
	ok(refused(npu_encode(NULL, "", 0, &id, &n, &err),
	    "npu_encode(): tokenizer is NULL") &&
	    refused(npu_encode(t, NULL, 1, &id, &n, &err),
	    "npu_encode(): text is NULL") &&
	    refused(npu_encode(t, "", 0, NULL, &n, &err),
	    "npu_encode(): id is NULL") &&
	    refused(npu_encode(t, "", 0, &id, NULL, &err),
	    "npu_encode(): ids is NULL") &&
	    npu_encode(t, NULL, 0, &id, &n, &err) == 0 && n == 2,
	    "to encode, unless the text is empty");
	ok(refused(npu_clean(NULL, "", 0, &text, &n, &err),
	    "npu_clean(): tokenizer is NULL") &&
	    refused(npu_clean(t, NULL, 1, &text, &n, &err),
	    "npu_clean(): text is NULL") &&
	    refused(npu_clean(t, "", 0, NULL, &n, &err),
	    "npu_clean(): clean is NULL") &&
	    refused(npu_clean(t, "", 0, &text, NULL, &err),
	    "npu_clean(): bytes is NULL") &&
	    npu_clean(t, NULL, 0, &text, &n, &err) == 0 && n == 0,
	    "to clean, unless the text is empty");
	ok(refused(npu_decode(NULL, NULL, 0, &text, &n, &err),
	    "npu_decode(): tokenizer is NULL") &&
	    refused(npu_decode(t, NULL, 1, &text, &n, &err),
	    "npu_decode(): id is NULL") &&
	    refused(npu_decode(t, NULL, 0, NULL, &n, &err),
	    "npu_decode(): text is NULL") &&
	    refused(npu_decode(t, NULL, 0, &text, NULL, &err),
	    "npu_decode(): bytes is NULL") &&
	    npu_decode(t, NULL, 0, &text, &n, &err) == 0 && n == 0,
	    "to decode, except for 0 ids");
	npu_tokenizer_close(t);
}

int
main(void)
{
	devices();
	no_model();
	tensors();
	vocabularies();
	texts();
	return done();
}
