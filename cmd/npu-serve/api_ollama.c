// SPDX-License-Identifier: Apache-2.0
/* The embeddings of Ollama (01e52d24), for Open WebUI, Home Assistant and
 * LangChain. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "answer.h"
#include "embed.h"
#include "route.h"
#include "server.h"

static void
error(struct request *r, unsigned status, const char *why)
{
	(void)status;
	answer_error(r, "error", why);
}

const struct api api_ollama = { "ollama", false, 0, error };

/* ---- POST /api/embed, /api/embeddings ----------------------------------- */

/* A text of too many ids is cut, unless truncate is false. */
static unsigned
read_input(struct request *r, const char *member, struct npu_err *err)
{
	const struct json_in *truncate;
	unsigned status;

	if ((status = embed_open(r, err)) != 0 ||
	    (status = embed_model(r, false, err)) != 0 ||
	    (status = embed_input(r, json_in_member(r->document, member),
	    BY_INPUT, err)) != 0)
		return status;
	truncate = json_in_member(r->document, "truncate");
	for (size_t i = 0; i < r->items; i++)
		r->item[i].truncate = json_in_kind(truncate) != IN_BOOL ||
		    json_in_true(truncate);
	return 0;
}

static unsigned
read_embed(struct request *r, struct npu_err *err)
{
	return read_input(r, "input", err);
}

static unsigned
read_prompt(struct request *r, struct npu_err *err)
{
	unsigned status = read_input(r, "prompt", err);
	const struct json_in *v = json_in_member(r->document, "prompt");

	if (status == 0 && json_in_kind(v) != IN_STRING)
		return refuse(HTTP_BAD_REQUEST, err, "prompt: %s; it is one "
		    "text", json_in_kind_name(v));
	return status;
}

static unsigned
answer_embed(struct request *r, struct npu_err *err)
{
	struct json j = { 0 };
	int rc;

	json_object(&j);
	json_key(&j, "model");
	json_str(&j, r->model->name);
	json_key(&j, "embeddings");
	rc = embed_write_all(r, &j, embed_write_plain, err);
	json_member_uint(&j, "total_duration", r->decode_ns + r->infer_ns);
	json_key(&j, "load_duration");
	json_uint(&j, 0);
	json_member_uint(&j, "prompt_eval_count", embed_tokens(r));
	json_end_object(&j);
	return answer_json(r, &j, rc);
}

/* One text has one vector, which no list is around. */
static unsigned
answer_prompt(struct request *r, struct npu_err *err)
{
	float *x = embed_room(r, err);
	struct json j = { 0 };
	int rc = x == NULL ? NPU_ESYSTEM : role_vector(r->item[0].role,
	    &r->item[0], true, x, err);

	json_object(&j);
	json_key(&j, "embedding");
	if (rc == 0)
		embed_write_plain(r, &j, 0, x);
	else
		json_null(&j);
	json_end_object(&j);
	free(x);
	return answer_json(r, &j, rc);
}

/* ---- GET /api/tags, /api/version, / -------------------------------------- */

static void
write_model(struct json *j, const struct model_name *m)
{
	char text[40];
	struct tm tm;

	gmtime_r(&m->modified, &tm);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm);
	json_object(j);
	json_key(j, "name");
	json_str(j, m->name);
	json_key(j, "model");
	json_str(j, m->name);
	json_key(j, "modified_at");
	json_str(j, text);
	json_member_uint(j, "size", m->size);
	json_key(j, "digest");
	json_str(j, m->fingerprint + strlen("sha256:"));
	json_key(j, "details");
	json_object(j);
	json_key(j, "family");
	json_str(j, "clip");
	json_end_object(j);
	json_end_object(j);
}

static unsigned
answer_tags(struct request *r, struct npu_err *err)
{
	struct json j = { 0 };

	(void)err;
	json_object(&j);
	json_key(&j, "models");
	embed_write_models(r, &j, write_model);
	json_end_object(&j);
	return answer_json(r, &j, 0);
}

static unsigned
answer_version(struct request *r, struct npu_err *err)
{
	(void)err;
	buf_printf(&r->out, "{\"version\":\"%s\"}", npu_version());
	r->status = 200;
	return 0;
}

static unsigned
answer_root(struct request *r, struct npu_err *err)
{
	(void)err;
	return answer_text(r, "text/plain", "Ollama is running");
}

const struct route routes_ollama[] = {
	{ &api_ollama, "POST", "/api/embed", BODY_BYTES, false, read_embed,
	    answer_embed },
	{ &api_ollama, "POST", "/api/embeddings", BODY_BYTES, false,
	    read_prompt, answer_prompt },
	{ &api_ollama, "GET", "/api/tags", BODY_NONE, false, NULL,
	    answer_tags },
	{ &api_ollama, "GET", "/api/version", BODY_NONE, true, NULL,
	    answer_version },
	{ &api_ollama, "GET", "/", BODY_NONE, true, NULL, answer_root },
	{ 0 },
};
