// SPDX-License-Identifier: Apache-2.0
/* Reads a vocabulary from a file, plain or gzip. */
#include <stdlib.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/gunzip.h"
#include "text/vocab.h"

enum { MOST_FILE = 64 << 20 };		/* OpenAI's has 3.2 MB */

static int
read_text(struct npu_bpe **bpe, struct bytes text, struct npu_err *err)
{
	struct npu_bpe *v = calloc(1, sizeof(*v));
	int rc;

	if (v == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	if ((rc = vocab_read(v, text, err)) < 0)
		free(v);
	else
		*bpe = v;
	return rc;
}

int
npu_bpe_open(struct npu_bpe **bpe, const void *file, size_t n,
    struct npu_err *err)
{
	struct bytes in = { file, n };
	struct buf text = { 0 };
	int rc;

	if ((rc = npu_need(bpe, "npu_bpe_open(): bpe", err)) < 0 ||
	    (n > 0 && (rc = npu_need(file, "npu_bpe_open(): file", err)) < 0))
		return rc;
	if (n > MOST_FILE)
		return npu_fail(err, NPU_EFORMAT, "%zu bytes, more than %d: "
		    "not a vocabulary of CLIP", n, MOST_FILE);
	if (!is_gzip(in))
		return read_text(bpe, in, err);
	rc = gunzip(in, MOST_FILE, &text, err);
	if (rc == 0)
		rc = read_text(bpe, (struct bytes){ (uint8_t *)text.p,
		    text.n }, err);
	buf_free(&text);
	return rc;
}

void
npu_bpe_close(struct npu_bpe *bpe)
{
	free(bpe);
}

const char *
npu_bpe_sha256(const struct npu_bpe *bpe)
{
	return bpe->sha256;
}
