// SPDX-License-Identifier: Apache-2.0
/* The embeddings of OpenAI's API (its reference, "Create embeddings", "List
 * models"; the npm client 7.57.0 reads both forms of a vector). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/err.h"
#include "answer.h"
#include "embed.h"
#include "route.h"
#include "server.h"

/* ---- Errors ------------------------------------------------------------ */

/* The code, or NULL; a path that is unknown has none. */
static const char *
error_code(const struct request *r, unsigned status)
{
	if (r->route == NULL)
		return NULL;
	switch (status) {
	case 401: return "invalid_api_key";
	case 404: return "model_not_found";
	case 429: return "rate_limit_exceeded";
	}
	return NULL;
}

static void
error(struct request *r, unsigned status, const char *why)
{
	struct json j = { 0 };

	json_object(&j);
	json_key(&j, "error");
	json_object(&j);
	json_key(&j, "message");
	json_str(&j, why);
	json_key(&j, "type");
	json_str(&j, status == 429 ? "requests" : status < 500 ?
	    "invalid_request_error" : "server_error");
	json_key(&j, "param");
	json_null(&j);
	json_key(&j, "code");
	json_str(&j, error_code(r, status));
	json_end_object(&j);
	json_end_object(&j);
	r->out = j.out;
}

const struct api api_openai = { "openai", false, 0, error };

/* ---- POST /v1/embeddings ----------------------------------------------- */

static unsigned
read_format(struct request *r, struct npu_err *err)
{
	static const char *const formats[] = { "float", "base64" };
	const struct json_in *v = json_in_member(r->document,
	    "encoding_format");
	const char *word = (const char *)json_in_string(v).p;

	if (v == NULL || json_in_kind(v) == IN_NULL)
		return 0;
	for (size_t i = 0; word != NULL && i < 2; i++)
		if (strcmp(word, formats[i]) == 0) {
			r->base64 = i == 1;
			return 0;
		}
	return refuse(HTTP_BAD_REQUEST, err, "encoding_format: it is \"float\" "
	    "or \"base64\"");
}

/* Vectors of CLIP cannot be cut. */
static unsigned
read_dimensions(struct request *r, struct npu_err *err)
{
	const struct json_in *v = json_in_member(r->document,
	    "dimensions");
	size_t dim = role_dim(r->model->role[ROLE_TEXT] != NULL ?
	    r->model->role[ROLE_TEXT] : r->model->role[ROLE_IMAGE]);
	int64_t n;

	if (v == NULL || json_in_kind(v) == IN_NULL ||
	    (json_in_integer(v, &n) && n == (int64_t)dim))
		return 0;
	return refuse(HTTP_BAD_REQUEST, err, "dimensions: vectors of '%s' have "
	    "%zu numbers, and cannot be shortened", r->model->name,
	    dim);
}

static unsigned
read_modality(struct request *r, enum modality *modality, struct npu_err *err)
{
	const struct json_in *v = json_in_member(r->document,
	    "modality");
	const char *word = (const char *)json_in_string(v).p;

	*modality = BY_INPUT;
	if (v == NULL || json_in_kind(v) == IN_NULL)
		return 0;
	if (word != NULL && strcmp(word, "text") == 0)
		*modality = TEXT_ONLY;
	else if (word != NULL && strcmp(word, "image") == 0)
		*modality = IMAGE_ONLY;
	else
		return refuse(HTTP_BAD_REQUEST, err, "modality: it is \"text\" "
		    "or \"image\"");
	return 0;
}

static unsigned
read_embeddings(struct request *r, struct npu_err *err)
{
	enum modality modality = BY_INPUT;
	unsigned status;

	if ((status = embed_open(r, err)) != 0 ||
	    (status = embed_model(r, false, err)) != 0 ||
	    (status = read_format(r, err)) != 0 ||
	    (status = read_dimensions(r, err)) != 0 ||
	    (status = read_modality(r, &modality, err)) != 0)
		return status;
	return embed_input(r, json_in_member(r->document, "input"),
	    modality, err);
}

/* Little-endian numbers of 32 bits. */
static void
write_base64(struct json *j, const float *x, size_t n)
{
	struct buf text = { 0 };

	base64_encode((struct bytes){ (const uint8_t *)x, n * sizeof(*x) },
	    &text);
	json_strn(j, text.p, text.n);
	j->out.failed = j->out.failed || text.failed;
	buf_free(&text);
}

static void
write_embedding(struct request *r, struct json *j, size_t i, const float *x)
{
	size_t dim = role_dim(r->item[i].role);

	json_object(j);
	json_key(j, "object");
	json_str(j, "embedding");
	json_member_uint(j, "index", i);
	json_key(j, "embedding");
	if (r->base64)
		write_base64(j, x, dim);
	else
		embed_write(j, x, dim);
	json_end_object(j);
}

static void
write_usage(const struct request *r, struct json *j)
{
	size_t tokens = embed_tokens(r);

	json_key(j, "usage");
	json_object(j);
	json_member_uint(j, "prompt_tokens", tokens);
	json_member_uint(j, "total_tokens", tokens);
	json_end_object(j);
}

static unsigned
answer_embeddings(struct request *r, struct npu_err *err)
{
	struct json j = { 0 };
	int rc;

	json_object(&j);
	json_key(&j, "object");
	json_str(&j, "list");
	json_key(&j, "data");
	rc = embed_write_all(r, &j, write_embedding, err);
	json_key(&j, "model");
	json_str(&j, r->model->name);
	json_key(&j, "fingerprint");
	json_str(&j, r->model->fingerprint);
	write_usage(r, &j);
	json_end_object(&j);
	return answer_json(r, &j, rc);
}

/* ---- GET /v1/models ---------------------------------------------------- */

static void
write_model(struct json *j, const struct model_name *m)
{
	json_object(j);
	json_key(j, "id");
	json_str(j, m->name);
	json_key(j, "object");
	json_str(j, "model");
	json_member_uint(j, "created", 0);
	json_key(j, "owned_by");
	json_str(j, "npu-utils");
	json_key(j, "fingerprint");
	json_str(j, m->fingerprint);
	/* Frigate asks this of llama.cpp. */
	json_key(j, "architecture");
	json_object(j);
	json_key(j, "input_modalities");
	json_array(j);
	for (int k = ROLE_TEXT; k <= ROLE_IMAGE; k++)
		if (m->role[k] != NULL)
			json_str(j, role_words[k]);
	json_end_array(j);
	json_end_object(j);
	json_end_object(j);
}

static unsigned
answer_models(struct request *r, struct npu_err *err)
{
	struct json j = { 0 };

	(void)err;
	json_object(&j);
	json_key(&j, "object");
	json_str(&j, "list");
	json_key(&j, "data");
	embed_write_models(r, &j, write_model);
	json_end_object(&j);
	return answer_json(r, &j, 0);
}

const struct route routes_openai[] = {
	{ &api_openai, "POST", "/v1/embeddings", BODY_BYTES, false,
	    read_embeddings, answer_embeddings },
	{ &api_openai, "GET", "/v1/models", BODY_NONE, false, NULL,
	    answer_models },
	{ 0 },
};
