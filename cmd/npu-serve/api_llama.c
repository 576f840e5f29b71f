// SPDX-License-Identifier: Apache-2.0
/* The embeddings of llama.cpp's server (00dc8057), as Frigate's semantic search
 * asks for them: texts, and pictures as base64 behind a marker. */
#include <string.h>

#include <microhttpd.h>

#include "base/err.h"
#include "answer.h"
#include "embed.h"
#include "route.h"
#include "server.h"

#define MARKER "<__media__>"

static void
error(struct request *r, unsigned status, const char *why)
{
	struct json j = { 0 };

	json_object(&j);
	json_key(&j, "error");
	json_object(&j);
	json_member_uint(&j, "code", status);
	json_key(&j, "message");
	json_str(&j, why);
	json_key(&j, "type");
	json_str(&j, status == 404 ? "not_found_error" : status < 500 ?
	    "invalid_request_error" : "unavailable_error");
	json_end_object(&j);
	json_end_object(&j);
	r->out = j.out;
}

const struct api api_llama = { "llama", false, 0, error };

/* ---- POST /embeddings --------------------------------------------------- */

/* Whether the text is the marker, and blanks, alone. */
static bool
is_marker(struct bytes text)
{
	const char *p = (const char *)text.p;
	const char *at = p != NULL ? strstr(p, MARKER) : NULL;

	return at != NULL && strspn(p, " \n") == (size_t)(at - p) &&
	    strspn(at + strlen(MARKER), " \n") == strlen(at + strlen(MARKER));
}

/* {"prompt_string": "<__media__>", "multimodal_data": ["..."]} */
static unsigned
object_input(struct request *r, size_t i, const struct json_in *v,
    struct npu_err *err)
{
	const struct json_in *text = json_in_member(v, "prompt_string");
	const struct json_in *data = json_in_member(v, "multimodal_data");

	if (json_in_kind(text) != IN_STRING)
		return refuse(HTTP_BAD_REQUEST, err, "content %zu: "
		    "prompt_string is %s", i, json_in_kind_name(text));
	if (json_in_length(data) == 0)
		return embed_string(r, i, json_in_string(text), TEXT_ONLY,
		    err);
	if (!is_marker(json_in_string(text)) || json_in_length(data) != 1)
		return refuse(HTTP_BAD_REQUEST, err, "content %zu: it is "
		    "a text or one picture, and the prompt_string of a "
		    "picture is " MARKER " alone", i);
	return embed_string(r, i, json_in_string(json_in_at(data, 0)),
	    IMAGE_ONLY, err);
}

static unsigned
one_content(struct request *r, size_t i, const struct json_in *v,
    struct npu_err *err)
{
	if (json_in_kind(v) == IN_OBJECT)
		return object_input(r, i, v, err);
	if (json_in_kind(v) == IN_STRING)
		return embed_string(r, i, json_in_string(v), TEXT_ONLY, err);
	return refuse(HTTP_BAD_REQUEST, err, "content %zu: %s; it is a text, "
	    "or an object with prompt_string", i, json_in_kind_name(v));
}

static unsigned
read_embeddings(struct request *r, struct npu_err *err)
{
	const struct json_in *content;
	unsigned status;
	bool list;

	if ((status = embed_open(r, err)) != 0 ||
	    (status = embed_model(r, true, err)) != 0)
		return status;
	content = json_in_member(r->document, "content");
	if (content == NULL)
		content = json_in_member(r->document, "input");
	list = json_in_kind(content) == IN_LIST;
	status = embed_items(r, list ? json_in_length(content) : 1, err);
	if (status == 0 && !list)
		return one_content(r, 0, content, err);
	for (size_t i = 0; status == 0 && i < r->items; i++)
		status = one_content(r, i, json_in_at(content, i), err);
	return status;
}

static void
write_one(struct request *r, struct json *j, size_t i, const float *x)
{
	json_object(j);
	json_member_uint(j, "index", i);
	json_key(j, "embedding");
	json_array(j);
	embed_write(j, x, role_dim(r->item[i].role));
	json_end_array(j);
	json_end_object(j);
}

static unsigned
answer_embeddings(struct request *r, struct npu_err *err)
{
	struct json j = { 0 };
	int rc = embed_write_all(r, &j, write_one, err);

	return answer_json(r, &j, rc);
}

/* ---- GET /props --------------------------------------------------------- */

static void
write_props(struct json *j, const struct model_name *m)
{
	const struct role *text = m->role[ROLE_TEXT];

	json_object(j);
	json_key(j, "default_generation_settings");
	json_object(j);
	json_member_uint(j, "n_ctx", text != NULL ? text->clip.limit.length :
	    0);
	json_end_object(j);
	json_key(j, "modalities");
	json_object(j);
	json_key(j, "vision");
	json_bool(j, m->role[ROLE_IMAGE] != NULL);
	json_key(j, "audio");
	json_bool(j, false);
	json_end_object(j);
	json_key(j, "media_marker");
	json_str(j, MARKER);
	json_key(j, "chat_template");
	json_str(j, "");
	json_end_object(j);
}

static unsigned
answer_props(struct request *r, struct npu_err *err)
{
	struct json j = { 0 };
	unsigned status = embed_model_called(r, MHD_lookup_connection_value(
	    r->http, MHD_GET_ARGUMENT_KIND, "model"), err);

	if (status != 0)
		return status;
	write_props(&j, r->model);
	return answer_json(r, &j, 0);
}

const struct route routes_llama[] = {
	{ &api_llama, "POST", "/embeddings", BODY_BYTES, false,
	    read_embeddings, answer_embeddings },
	{ &api_llama, "GET", "/props", BODY_NONE, false, NULL, answer_props },
	{ 0 },
};
