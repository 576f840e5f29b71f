// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "serving/json_in.h"
#include "request.h"

bool
request_items(struct request *r, size_t n)
{
	r->item = calloc(n > 0 ? n : 1, sizeof(*r->item));
	r->items = r->item != NULL ? n : 0;
	for (size_t i = 0; i < r->items; i++)
		r->item[i].request = r;
	return r->item != NULL;
}

void
request_free(struct request *r)
{
	for (size_t i = 0; i < r->items; i++) {
		free(r->item[i].in);
		free(r->item[i].out);
	}
	free(r->item);
	free(r->ids);
	buf_free(&r->tensor);
	json_in_free(r->document);
	free(r->word);
	body_free(&r->body);
	buf_free(&r->out);
	free(r);
}
