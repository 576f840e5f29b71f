// SPDX-License-Identifier: Apache-2.0
/* The embeddings of Hugging Face's text-embeddings-inference (0d124dc9), for
 * LangChain, Haystack and Dify. */
#include <string.h>

#include "base/err.h"
#include "answer.h"
#include "embed.h"
#include "route.h"
#include "server.h"

static const char *
error_type(unsigned status)
{
	switch (status) {
	case 429: return "Overloaded";
	case 500: case 503: return "Backend";
	case 413: case 400: case 422: return "Validation";
	}
	return "Unhealthy";
}

static void
error(struct request *r, unsigned status, const char *why)
{
	struct json j = { 0 };

	json_object(&j);
	json_key(&j, "error");
	json_str(&j, why);
	json_key(&j, "error_type");
	json_str(&j, error_type(status));
	json_end_object(&j);
	r->out = j.out;
}

const struct api api_tei = { "tei", false, HTTP_TOO_LARGE, error };

/* ---- POST /embed -------------------------------------------------------- */

/* A boolean member; false: it is something else. */
static bool
read_flag(const struct request *r, const char *name, bool *flag)
{
	const struct json_in *v = json_in_member(r->document, name);

	if (v == NULL || json_in_kind(v) == IN_NULL)
		return true;
	*flag = json_in_true(v);
	return json_in_kind(v) == IN_BOOL;
}

static unsigned
read_embed(struct request *r, struct npu_err *err)
{
	bool normalise = true, truncate = false;
	unsigned status;

	if ((status = embed_open(r, err)) != 0 ||
	    (status = embed_model(r, true, err)) != 0)
		return status;
	if (!read_flag(r, "normalize", &normalise) ||
	    !read_flag(r, "truncate", &truncate))
		return refuse(HTTP_NOT_UNDERSTOOD, err, "normalize and "
		    "truncate are true or false");
	status = embed_input(r, json_in_member(r->document, "inputs"),
	    BY_INPUT, err);
	r->as_they_are = !normalise;
	for (size_t i = 0; i < r->items; i++)
		r->item[i].truncate = truncate;
	return status;
}

static unsigned
answer_embed(struct request *r, struct npu_err *err)
{
	struct json j = { 0 };
	int rc = embed_write_all(r, &j, embed_write_plain, err);

	return answer_json(r, &j, rc);
}

/* ---- GET /info ----------------------------------------------------------- */

static unsigned
answer_info(struct request *r, struct npu_err *err)
{
	unsigned status = embed_model_called(r, NULL, err);
	const struct role *text;
	struct json j = { 0 };

	if (status != 0)
		return status;
	text = r->model->role[ROLE_TEXT];
	json_object(&j);
	json_key(&j, "model_id");
	json_str(&j, r->model->name);
	json_key(&j, "model_sha");
	json_str(&j, r->model->fingerprint);
	json_key(&j, "model_type");
	json_object(&j);
	json_key(&j, "embedding");
	json_object(&j);
	json_end_object(&j);
	json_end_object(&j);
	json_member_count(&j, "max_input_length", text != NULL ?
	    text->clip.limit.length : 0);
	json_member_uint(&j, "max_client_batch_size",
	    r->server->options.max_items);
	json_key(&j, "version");
	json_str(&j, npu_version());
	json_end_object(&j);
	return answer_json(r, &j, 0);
}

const struct route routes_tei[] = {
	{ &api_tei, "POST", "/embed", BODY_BYTES, false, read_embed,
	    answer_embed },
	{ &api_tei, "GET", "/info", BODY_NONE, false, NULL, answer_info },
	{ 0 },
};
