// SPDX-License-Identifier: Apache-2.0
#include "answer.h"
#include "refuse.h"

unsigned
answer_json(struct request *r, const struct json *j, int rc)
{
	r->out = j->out;
	r->status = 200;
	return rc < 0 ? HTTP_FAILED : 0;
}

unsigned
answer_text(struct request *r, const char *type, const char *text)
{
	buf_puts(&r->out, text);
	r->type = type;
	r->status = 200;
	return 0;
}

void
answer_error(struct request *r, const char *key, const char *why)
{
	struct json j = { 0 };

	json_object(&j);
	json_key(&j, key);
	json_str(&j, why);
	json_end_object(&j);
	r->out = j.out;
}
