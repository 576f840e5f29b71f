// SPDX-License-Identifier: Apache-2.0
/*
 * A body that a JSON route accepts has items, each with a role and a source.  A
 * body that it refuses gives a status for an error of the client, and a reason.
 * Base64 data is decoded or refused.  The first byte chooses the route.
 */
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "servefake.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static void
check_item(const struct item *i)
{
	struct npu_err err = { 0 };
	struct buf b = { 0 };
	size_t sum = 0;

	if (i->role == NULL || i->request == NULL)
		abort();
	for (size_t k = 0; k < i->source.n; k++)
		sum += i->source.p[k];
	__asm__ volatile("" : : "m"(sum));
	if (i->kind == ITEM_PICTURE_BASE64 &&
	    base64_decode(i->source, &b, &err) < 0 && err.msg[0] == '\0')
		abort();
	buf_free(&b);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	const struct route *routes[] = { routes_openai, routes_llama,
	    routes_ollama, routes_ollama + 1, routes_tei, routes_infer + 5 };
	struct request *r;
	struct npu_err err = { 0 };
	unsigned status;

	if (n == 0)
		return 0;
	r = fake_request(routes[p[0] % 6]);
	if (r->route == routes_infer + 5)
		r->word = strdup("clip_txt");
	r->body.kind = BODY_BYTES;
	buf_add(&r->body.bytes, p + 1, n - 1);
	status = r->route->read(r, &err);
	fake_check(r, status, &err);
	for (size_t i = 0; status == 0 && i < r->items; i++)
		check_item(&r->item[i]);
	request_free(r);
	return 0;
}
