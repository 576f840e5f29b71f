// SPDX-License-Identifier: Apache-2.0
/* What Immich's server asks of its machine-learning service (2.x to 3.3): CLIP
 * of texts and pictures.  Errors have the form of FastAPI, in which that
 * service is written. */
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
	answer_error(r, "detail", why);
}

const struct api api_immich = { "immich", false, 0, error };

/* ---- POST /predict: what is asked --------------------------------------- */

/* The member that entries has, which is "clip"; what else Immich may ask is
 * named. */
static unsigned
find_clip(const struct json_in *entries, const struct json_in **clip,
    struct npu_err *err)
{
	const char *key = NULL, *other = NULL;

	for (size_t i = 0; json_in_member_at(entries, i, &key) != NULL; i++)
		if (strcmp(key, "clip") != 0)
			other = key;
	if (other != NULL)
		return refuse(HTTP_NOT_IMPLEMENTED, err, "entries: '%.40s' is "
		    "not served here, only 'clip' is; switch it off in "
		    "Immich's settings of machine learning", other);
	*clip = json_in_member(entries, "clip");
	if (json_in_kind(*clip) != IN_OBJECT)
		return refuse(HTTP_NOT_UNDERSTOOD, err, "entries: clip is %s, "
		    "not an object", json_in_kind_name(*clip));
	return 0;
}

/* "textual" or "visual", and the model that it names. */
static unsigned
find_model(struct request *r, const struct json_in *clip,
    enum role_kind *kind, struct npu_err *err)
{
	const struct json_in *textual = json_in_member(clip, "textual");
	const struct json_in *visual = json_in_member(clip, "visual");
	const char *name;

	if ((textual != NULL) == (visual != NULL))
		return refuse(HTTP_NOT_UNDERSTOOD, err, "entries: clip has %s "
		    "of textual and visual", textual != NULL ? "both" : "none");
	*kind = textual != NULL ? ROLE_TEXT : ROLE_IMAGE;
	name = (const char *)json_in_string(json_in_member(
	    textual != NULL ? textual : visual, "modelName")).p;
	if (name == NULL)
		return refuse(HTTP_NOT_UNDERSTOOD, err, "entries: modelName is "
		    "missing, or not a string");
	r->model = catalogue_find(&r->server->catalogue, name);
	if (r->model == NULL)
		return refuse(HTTP_NOT_FOUND, err, "modelName '%.100s' is not "
		    "served here; start the server with --alias=%.100s=clip "
		    "if the loaded model is that one", name, name);
	if (r->model->role[*kind] == NULL)
		return refuse(HTTP_NOT_FOUND, err, "model '%.100s' has no part "
		    "for %ss", name, role_words[*kind]);
	return 0;
}

static unsigned
parse_entries(struct request *r, enum role_kind *kind, struct npu_err *err)
{
	const struct json_in *clip = NULL;
	struct json_in *doc;
	struct bytes text = { 0 };
	size_t n = body_part(&r->body, "entries", &text);
	unsigned status;

	if (n != 1)
		return refuse(HTTP_NOT_UNDERSTOOD, err, "the form has %zu "
		    "parts 'entries', not one", n);
	if ((doc = json_in_parse(text, JSON_IN_VALUES, err)) == NULL)
		return HTTP_NOT_UNDERSTOOD;
	if (json_in_kind(doc) != IN_OBJECT)
		status = refuse(HTTP_NOT_UNDERSTOOD, err, "entries is %s, not "
		    "an object", json_in_kind_name(doc));
	else if ((status = find_clip(doc, &clip, err)) == 0)
		status = find_model(r, clip, kind, err);
	json_in_free(doc);
	return status;
}

/* ---- POST /predict: the form -------------------------------------------- */

static unsigned
read_predict(struct request *r, struct npu_err *err)
{
	enum role_kind kind = ROLE_TEXT;
	struct bytes input = { 0 };
	unsigned status = parse_entries(r, &kind, err);
	const char *part;
	size_t n;

	if (status != 0)
		return status;
	part = role_words[kind];
	n = body_part(&r->body, part, &input);
	if (n != 1)
		return refuse(HTTP_BAD_REQUEST, err, "the form has %zu parts "
		    "'%s', not one", n, part);
	if (input.n == 0)
		return refuse(HTTP_BAD_REQUEST, err, "the part '%s' is empty",
		    part);
	if (!request_items(r, 1))
		return refuse(HTTP_UNAVAILABLE, err, "out of memory");
	r->item[0].role = r->model->role[kind];
	r->item[0].kind = kind == ROLE_TEXT ? ITEM_TEXT : ITEM_PICTURE;
	r->item[0].source = input;
	/* As Immich's own tokenizer does. */
	r->item[0].truncate = true;
	return 0;
}

/* The vector is a string that holds JSON. */
static void
write_vector(struct json *j, const float *x, size_t n)
{
	struct json inner = { 0 };

	embed_write(&inner, x, n);
	json_key(j, "clip");
	json_strn(j, inner.out.p, inner.out.n);
	j->out.failed = j->out.failed || inner.out.failed;
	json_free(&inner);
}

static unsigned
answer_predict(struct request *r, struct npu_err *err)
{
	const struct item *i = &r->item[0];
	float *x = embed_room(r, err);
	struct json j = { 0 };
	int rc = x == NULL ? NPU_ESYSTEM : role_vector(i->role, i, true,
	    x, err);

	if (rc == 0) {
		json_object(&j);
		write_vector(&j, x, role_dim(i->role));
		if (i->kind == ITEM_PICTURE) {
			json_member_uint(&j, "imageHeight",
			    i->geometry.height);
			json_member_uint(&j, "imageWidth", i->geometry.width);
		}
		json_end_object(&j);
	}
	free(x);
	return answer_json(r, &j, rc);
}

/* ---- GET / and /ping ---------------------------------------------------- */

static unsigned
answer_ping(struct request *r, struct npu_err *err)
{
	(void)err;
	return answer_text(r, "text/plain", "pong");
}

static unsigned
answer_root(struct request *r, struct npu_err *err)
{
	(void)err;
	return answer_text(r, NULL, "{\"message\":\"Immich ML\"}");
}

const struct route routes_immich[] = {
	{ &api_immich, "POST", "/predict", BODY_FORM, false, read_predict,
	    answer_predict },
	{ &api_immich, "GET", "/ping", BODY_NONE, true, NULL, answer_ping },
	{ &api_immich, "GET", "/", BODY_NONE, true, NULL, answer_root },
	{ 0 },
};
