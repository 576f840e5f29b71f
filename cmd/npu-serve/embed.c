// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "embed.h"
#include "refuse.h"
#include "server.h"

unsigned
embed_open(struct request *r, struct npu_err *err)
{
	r->document = json_in_parse(body_bytes(&r->body), JSON_IN_VALUES, err);
	if (r->document == NULL)
		return HTTP_BAD_REQUEST;
	if (json_in_kind(r->document) != IN_OBJECT)
		return refuse(HTTP_BAD_REQUEST, err, "the body is %s, not an "
		    "object", json_in_kind_name(r->document));
	return 0;
}

/* ---- The model --------------------------------------------------------- */

static const char *
first_name(const struct catalogue *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (model_embeds(&c->name[i]))
			return c->name[i].name;
	return NULL;
}

/* Ollama adds ":latest" to a name without a tag. */
static const struct model_name *
find(const struct catalogue *c, const char *name)
{
	static const char tag[] = ":latest";
	size_t n = strlen(name), tail = sizeof(tag) - 1;
	const struct model_name *m = catalogue_find(c, name);

	if (m != NULL || n <= tail || strcmp(name + n - tail, tag) != 0)
		return m;
	return catalogue_find_part(c, name, n - tail);
}

unsigned
embed_model_called(struct request *r, const char *name, struct npu_err *err)
{
	const struct catalogue *c = &r->server->catalogue;
	const char *first = first_name(c);

	if (name == NULL && first == NULL)
		return refuse(HTTP_NOT_IMPLEMENTED, err, "no model of vectors "
		    "is loaded; start the server with -m text=clip_txt.cix");
	r->model = find(c, name != NULL ? name : first);
	if (r->model != NULL && model_embeds(r->model))
		return 0;
	return refuse(HTTP_NOT_FOUND, err, "model: '%.100s' is not a model of "
	    "vectors here; %s%s%s", name, first != NULL ? "the first is '" :
	    "none is loaded", first != NULL ? first : "",
	    first != NULL ? "'; --alias gives a model another name" : "");
}

unsigned
embed_model(struct request *r, bool optional, struct npu_err *err)
{
	const struct json_in *v = json_in_member(r->document, "model");

	if (optional && (v == NULL || json_in_kind(v) == IN_NULL))
		return embed_model_called(r, NULL, err);
	if (json_in_kind(v) != IN_STRING)
		return refuse(HTTP_BAD_REQUEST, err, "model: %s; it is the "
		    "name of a model", json_in_kind_name(v));
	return embed_model_called(r, (const char *)json_in_string(v).p, err);
}

/* ---- Inputs ------------------------------------------------------------ */

__attribute__((format(printf, 3, 4)))
static unsigned
bad_input(size_t i, struct npu_err *err, const char *fmt, ...)
{
	char why[300];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	return refuse(HTTP_BAD_REQUEST, err, "input %zu: %s", i, why);
}

static struct role *
role_for(const struct request *r, enum role_kind kind)
{
	return r->model->role[kind];
}

/* What comes after "data:image/...;base64,"; false: it is not such a URL. */
static bool
data_url(struct bytes text, struct bytes *base64)
{
	static const char head[] = "data:image/", mark[] = ";base64,";
	const uint8_t *at;

	if (text.n < sizeof(head) - 1 ||
	    memcmp(text.p, head, sizeof(head) - 1) != 0)
		return false;
	at = memmem(text.p, text.n < 100 ? text.n : 100, mark,
	    sizeof(mark) - 1);
	if (at == NULL)
		return false;
	at += sizeof(mark) - 1;
	*base64 = (struct bytes){ at, text.n - (size_t)(at - text.p) };
	return true;
}

unsigned
embed_string(struct request *r, size_t i, struct bytes text,
    enum modality modality, struct npu_err *err)
{
	struct item *item = &r->item[i];
	bool picture = data_url(text, &item->source) ||
	    modality == IMAGE_ONLY;

	if (text.n == 0)
		return bad_input(i, err, "it is empty");
	if (picture && modality == TEXT_ONLY)
		picture = false;
	if (!picture && role_for(r, ROLE_TEXT) == NULL)
		return bad_input(i, err, "the model '%s' takes pictures, as "
		    "data:image/jpeg;base64,... strings", r->model->name);
	if (picture && role_for(r, ROLE_IMAGE) == NULL)
		return bad_input(i, err, "the model '%s' takes texts, and "
		    "this is a picture", r->model->name);
	item->role = role_for(r, picture ? ROLE_IMAGE : ROLE_TEXT);
	item->kind = picture ? ITEM_PICTURE_BASE64 : ITEM_TEXT;
	if (!picture || item->source.p == NULL)
		item->source = text;
	return 0;
}

/*
 * The ids must be CLIP's.  A client that has a tokenizer of its own sends those
 * of another vocabulary, which would be taken for other words; what
 * clip-tokenize prints begins and ends in a way that no other vocabulary does.
 */
static unsigned
ids_input(struct request *r, size_t i, const struct json_in *list,
    struct npu_err *err)
{
	const struct role *text = role_for(r, ROLE_TEXT);
	const size_t n = json_in_length(list);
	size_t length;
	int32_t *row;
	int64_t id = 0;

	if (text == NULL)
		return bad_input(i, err, "the model '%s' takes no ids",
		    r->model->name);
	length = text->clip.limit.length;
	if (n > length)
		return bad_input(i, err, "%zu ids, and the limit is %zu", n,
		    length);
	row = r->ids + i * length;
	for (size_t k = 0; k < n; k++) {
		if (!json_in_integer(json_in_at(list, k), &id) || id < 0 ||
		    id > NPU_CLIP_END)
			return bad_input(i, err, "id %zu is not a whole number "
			    "from 0 to %d", k, NPU_CLIP_END);
		row[k] = (int32_t)id;
	}
	if (n < 2 || row[0] != NPU_CLIP_START || row[n - 1] != NPU_CLIP_END)
		return bad_input(i, err, "ids of CLIP begin with %d and end "
		    "with %d, as clip-tokenize prints them; these are of "
		    "another vocabulary: let the client send texts",
		    NPU_CLIP_START, NPU_CLIP_END);
	r->item[i].role = role_for(r, ROLE_TEXT);
	r->item[i].kind = ITEM_IDS;
	r->item[i].source = (struct bytes){ (const uint8_t *)row,
	    n * sizeof(*row) };
	return 0;
}

static unsigned
one_input(struct request *r, size_t i, const struct json_in *v,
    enum modality modality, struct npu_err *err)
{
	switch (json_in_kind(v)) {
	case IN_STRING:
		return embed_string(r, i, json_in_string(v), modality, err);
	case IN_LIST:
		return ids_input(r, i, v, err);
	default:
		return bad_input(i, err, "%s; it is a text, or a list of ids",
		    json_in_kind_name(v));
	}
}

/* A list of numbers is one text. */
static bool
is_ids(const struct json_in *v)
{
	return json_in_kind(json_in_at(v, 0)) == IN_NUMBER;
}

unsigned
embed_items(struct request *r, size_t n, struct npu_err *err)
{
	const struct role *text = role_for(r, ROLE_TEXT);
	const size_t most = r->server->options.max_items;
	const size_t length = text != NULL ? text->clip.limit.length : 1;

	if (n == 0)
		return refuse(HTTP_BAD_REQUEST, err, "input: the list is "
		    "empty");
	if (n > most)
		return refuse(HTTP_TOO_LARGE, err, "input: %zu items, and a "
		    "request has at most %zu", n, most);
	r->ids = calloc(n, length * sizeof(*r->ids));
	if (r->ids == NULL || !request_items(r, n))
		return refuse(HTTP_UNAVAILABLE, err, "out of memory");
	return 0;
}

unsigned
embed_input(struct request *r, const struct json_in *input,
    enum modality modality, struct npu_err *err)
{
	bool list = json_in_kind(input) == IN_LIST && !is_ids(input);
	unsigned status = embed_items(r, list ? json_in_length(input) : 1, err);

	if (status != 0)
		return status;
	if (!list)
		return one_input(r, 0, input, modality, err);
	for (size_t i = 0; i < r->items && status == 0; i++)
		status = one_input(r, i, json_in_at(input, i), modality, err);
	return status;
}

/* ---- Vectors ----------------------------------------------------------- */

float *
embed_room(const struct request *r, struct npu_err *err)
{
	float *x = malloc(role_dim(r->item[0].role) * sizeof(*x));

	if (x == NULL)
		npu_fail(err, NPU_ESYSTEM, "out of memory");
	return x;
}

void
embed_write(struct json *j, const float *x, size_t n)
{
	json_array(j);
	for (size_t i = 0; i < n; i++)
		json_float(j, x[i]);
	json_end_array(j);
}

void
embed_write_plain(struct request *r, struct json *j, size_t i, const float *x)
{
	embed_write(j, x, role_dim(r->item[i].role));
}

int
embed_write_all(struct request *r, struct json *j,
    void (*write)(struct request *r, struct json *j, size_t i,
    const float *x), struct npu_err *err)
{
	float *x = embed_room(r, err);
	int rc = x != NULL ? 0 : NPU_ESYSTEM;

	json_array(j);
	for (size_t i = 0; i < r->items && rc == 0; i++) {
		rc = role_vector(r->item[i].role, &r->item[i],
		    !r->as_they_are, x, err);
		if (rc == 0)
			write(r, j, i, x);
	}
	json_end_array(j);
	free(x);
	return rc;
}

size_t
embed_tokens(const struct request *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->items; i++)
		n += r->item[i].tokens;
	return n;
}

void
embed_write_models(const struct request *r, struct json *j,
    void (*write)(struct json *j, const struct model_name *m))
{
	const struct catalogue *c = &r->server->catalogue;

	json_array(j);
	for (size_t i = 0; i < c->n; i++)
		if (model_embeds(&c->name[i]))
			write(j, &c->name[i]);
	json_end_array(j);
}
