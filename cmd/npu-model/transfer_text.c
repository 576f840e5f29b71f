// SPDX-License-Identifier: Apache-2.0
/* Requests whose answer is kept in memory. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "transfer.h"

struct text {
	struct buf *out;
	size_t limit;
};

static int
text_begin(void *arg, const struct response *r, struct npu_err *err)
{
	struct text *t = arg;

	(void)r;
	(void)err;
	buf_clear(t->out);
	return 0;
}

static int
text_body(void *arg, const void *p, size_t n, struct npu_err *err)
{
	struct text *t = arg;

	if (n > t->limit - t->out->n)
		return npu_fail(err, NPU_EFORMAT, "more than %zu bytes",
		    t->limit);
	buf_add(t->out, p, n);
	return t->out->failed ? npu_fail(err, NPU_ESYSTEM, "out of memory") : 0;
}

int
transfer_text(const char *url, const struct transfer_options *o, size_t limit,
    struct buf *out, char *next, struct npu_err *err)
{
	struct text t = { out, limit };
	struct transfer_request q = { .url = url, .begin = text_begin,
	    .body = text_body, .arg = &t };
	struct transfer_tries tries = { .options = o };
	char *shown = transfer_public(url);
	struct response r;
	int rc;

	do
		rc = transfer_get(&q, o, &r, err);
	while (rc == TRANSFER_RETRY && transfer_again(&tries, &r, shown, err));
	free(shown);
	if (rc == 0)
		memcpy(next, r.next, sizeof(r.next));
	return rc == TRANSFER_RETRY ? NPU_ESYSTEM : rc;
}
