// SPDX-License-Identifier: Apache-2.0
/* The Open Inference Protocol, version 2, as KServe, Triton and OVMS have it,
 * with binary tensors behind the JSON. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <microhttpd.h>

#include "base/err.h"
#include "answer.h"
#include "oip_tensor.h"
#include "route.h"
#include "server.h"

#define JSON_BYTES "Inference-Header-Content-Length"

/* A picture of 1024 x 1024 as numbers. */
enum { VALUES = 4 << 20 };

static void
error(struct request *r, unsigned status, const char *why)
{
	(void)status;
	answer_error(r, "error", why);
}

const struct api api_infer = { "infer", false, 0, error };

/* ---- Models ------------------------------------------------------------ */

/* The model that the path names, if it is a single one; NULL with *status. */
static struct role *
find_role(struct request *r, unsigned *status, struct npu_err *err)
{
	const struct model_name *m = catalogue_find(&r->server->catalogue,
	    r->word);
	struct role *role = NULL;
	size_t n = 0;

	for (int k = 0; m != NULL && k < ROLES; k++)
		if (m->role[k] != NULL) {
			role = m->role[k];
			n++;
		}
	r->model = m;
	*status = 0;
	if (n == 1)
		return role;
	if (n > 1)
		*status = refuse(HTTP_NOT_FOUND, err, "'%.100s' names "
		    "two models; ask for one by its name in GET /v1/models",
		    r->word);
	else
		*status = refuse(HTTP_NOT_FOUND, err, "no model is called "
		    "'%.100s'; GET /v1/models names some", r->word);
	return NULL;
}

static const char *
name_of(const struct npu_tensor *t, const char *otherwise)
{
	return t->name[0] != '\0' ? t->name : otherwise;
}

static void
write_shape(struct json *j, const struct npu_tensor *t)
{
	json_key(j, "shape");
	json_array(j);
	if (t->ndim == 0)
		json_uint(j, npu_tensor_count(t));
	for (uint32_t i = 0; i < t->ndim; i++)
		json_uint(j, t->dim[i]);
	json_end_array(j);
}

/* A list of one tensor. */
static void
write_tensor(struct json *j, const char *key, const struct npu_tensor *t,
    const char *name)
{
	json_key(j, key);
	json_array(j);
	json_object(j);
	json_key(j, "name");
	json_str(j, name_of(t, name));
	json_key(j, "datatype");
	json_str(j, oip_datatype(t->dtype));
	write_shape(j, t);
	json_end_object(j);
	json_end_array(j);
}

static unsigned
answer_model(struct request *r, struct npu_err *err)
{
	struct json j = { 0 };
	unsigned status;
	struct role *role = find_role(r, &status, err);

	if (role == NULL)
		return status;
	json_object(&j);
	json_key(&j, "name");
	json_str(&j, r->word);
	json_key(&j, "versions");
	json_array(&j);
	json_str(&j, r->model->fingerprint);
	json_end_array(&j);
	json_key(&j, "platform");
	json_str(&j, "cix");
	write_tensor(&j, "inputs", &role->in, "input");
	write_tensor(&j, "outputs", &role->out, "output");
	json_end_object(&j);
	return answer_json(r, &j, 0);
}

static unsigned
answer_model_ready(struct request *r, struct npu_err *err)
{
	struct scheduler_state now;
	struct json j = { 0 };
	unsigned status;
	struct role *role = find_role(r, &status, err);
	bool ready;

	if (role == NULL)
		return status;
	scheduler_state(r->server->scheduler, &now);
	ready = !now.down[role->kind];
	json_object(&j);
	json_key(&j, "name");
	json_str(&j, r->word);
	json_key(&j, "ready");
	json_bool(&j, ready);
	json_end_object(&j);
	r->out = j.out;
	r->status = ready ? 200 : HTTP_UNAVAILABLE;
	return 0;
}

/* ---- POST /v2/models/NAME/infer: the request ----------------------------- */

/* A boolean among the parameters of a value. */
static bool
parameter(const struct json_in *v, const char *name)
{
	return json_in_true(json_in_member(json_in_member(v, "parameters"),
	    name));
}

/* The JSON, and the bytes behind it. */
static unsigned
split(const struct request *r, struct bytes *json, struct bytes *rest,
    struct npu_err *err)
{
	const char *head = MHD_lookup_connection_value(r->http,
	    MHD_HEADER_KIND, JSON_BYTES);
	struct bytes all = body_bytes(&r->body);
	uint64_t n;
	char *end;

	*json = all;
	*rest = (struct bytes){ 0 };
	if (head != NULL && all.n > 0) {
		n = strtoull(head, &end, 10);
		if (*head < '0' || *head > '9' || *end != '\0' || n > all.n)
			return refuse(HTTP_BAD_REQUEST, err, JSON_BYTES ": "
			    "%.40s is not a number up to the %zu bytes of the "
			    "body", head, all.n);
		bytes_sub(all, 0, n, json);
		bytes_sub(all, n, all.n - n, rest);
	}
	return 0;
}

static unsigned
check_shape(const struct json_in *input, const struct npu_tensor *t,
    struct npu_err *err)
{
	const struct json_in *shape = json_in_member(input, "shape");
	uint64_t n = 1;
	int64_t d;

	if (json_in_kind(shape) != IN_LIST || json_in_length(shape) > 16)
		return refuse(HTTP_BAD_REQUEST, err, "shape: %s; it is a list "
		    "of at most 16 numbers", json_in_kind_name(shape));
	for (size_t i = 0; i < json_in_length(shape); i++) {
		if (!json_in_integer(json_in_at(shape, i), &d) || d < 1 ||
		    d > UINT32_MAX || n > UINT64_MAX / UINT32_MAX)
			return refuse(HTTP_BAD_REQUEST, err, "shape: number "
			    "%zu is not from 1 to %u", i, UINT32_MAX);
		n *= (uint64_t)d;
	}
	if (n != npu_tensor_count(t))
		return refuse(HTTP_BAD_REQUEST, err, "shape: %" PRIu64
		    " elements, and the model's input has %" PRIu64, n,
		    npu_tensor_count(t));
	return 0;
}

static unsigned
check_input(const struct request *r, const struct json_in *input,
    const struct npu_tensor *t, struct npu_err *err)
{
	const char *want = r->as_they_are ? oip_datatype(t->dtype) : "FP32";
	struct bytes name = json_in_string(json_in_member(input, "name"));
	struct bytes type = json_in_string(json_in_member(input, "datatype"));

	if (name.p == NULL || (t->name[0] != '\0' &&
	    strcmp((const char *)name.p, t->name) != 0))
		return refuse(HTTP_BAD_REQUEST, err, "the model's input is "
		    "called '%s'", name_of(t, "input"));
	if (want == NULL)
		return refuse(HTTP_NOT_IMPLEMENTED, err, "the protocol has no "
		    "name for the type %s; send FP32 with parameters "
		    "{\"float\":true}", npu_dtype_name(t->dtype));
	if (type.p == NULL || strcmp((const char *)type.p, want) != 0)
		return refuse(HTTP_BAD_REQUEST, err, "datatype: it is %s%s",
		    want, r->as_they_are ? ", or FP32 with parameters "
		    "{\"float\":true}" : "");
	return check_shape(input, t, err);
}

/* Reads which outputs are wanted, all if none is named, and whether as
 * bytes. */
static unsigned
read_outputs(struct request *r, const struct npu_tensor *t,
    struct npu_err *err)
{
	const struct json_in *list = json_in_member(r->document, "outputs");
	const struct json_in *output = json_in_at(list, 0), *binary;
	struct bytes name = json_in_string(json_in_member(output, "name"));

	r->base64 = parameter(r->document, "binary_data_output");
	if (list == NULL || json_in_kind(list) == IN_NULL ||
	    (json_in_kind(list) == IN_LIST && json_in_length(list) == 0))
		return 0;
	if (json_in_length(list) != 1 || name.p == NULL ||
	    (t->name[0] != '\0' &&
	    strcmp((const char *)name.p, t->name) != 0))
		return refuse(HTTP_BAD_REQUEST, err, "outputs: the model's "
		    "only output is called '%s'", name_of(t, "output"));
	binary = json_in_member(json_in_member(output, "parameters"),
	    "binary_data");
	if (binary != NULL)
		r->base64 = json_in_true(binary);
	return 0;
}

/* The bytes that an input takes of those behind the JSON: all. */
static unsigned
read_data(struct request *r, const struct json_in *input,
    const struct npu_tensor *t, struct bytes rest, struct npu_err *err)
{
	const struct json_in *size = json_in_member(json_in_member(input,
	    "parameters"), "binary_data_size");
	int64_t n;

	if (size == NULL && rest.n > 0)
		return refuse(HTTP_BAD_REQUEST, err, "%zu bytes are behind "
		    "the JSON, and no input has binary_data_size", rest.n);
	if (size == NULL)
		return oip_read_list(json_in_member(input, "data"), t,
		    !r->as_they_are, &r->tensor, err);
	if (!json_in_integer(size, &n) || n < 0 || (uint64_t)n != rest.n)
		return refuse(HTTP_BAD_REQUEST, err, "binary_data_size is not "
		    "the %zu bytes behind the JSON", rest.n);
	return oip_read_bytes(rest, t, !r->as_they_are, &r->tensor, err);
}

static unsigned
read_input(struct request *r, struct role *role, struct bytes rest,
    struct npu_err *err)
{
	const struct json_in *inputs = json_in_member(r->document, "inputs");
	unsigned status;

	if (json_in_length(inputs) != 1)
		return refuse(HTTP_BAD_REQUEST, err, "inputs: it is a list of "
		    "one tensor");
	r->as_they_are = !parameter(r->document, "float");
	if ((status = read_outputs(r, &role->out, err)) != 0 ||
	    (status = check_input(r, json_in_at(inputs, 0), &role->in,
	    err)) != 0 || (status = read_data(r, json_in_at(inputs, 0),
	    &role->in, rest, err)) != 0)
		return status;
	if (r->tensor.failed || !request_items(r, 1))
		return refuse(HTTP_UNAVAILABLE, err, "out of memory");
	r->item[0].role = role;
	r->item[0].kind = ITEM_TENSOR;
	r->item[0].source = (struct bytes){ (const uint8_t *)r->tensor.p,
	    r->tensor.n };
	return 0;
}

static unsigned
read_infer(struct request *r, struct npu_err *err)
{
	struct bytes json = { 0 }, rest = { 0 };
	unsigned status;
	struct role *role = find_role(r, &status, err);

	if (role == NULL || (status = split(r, &json, &rest, err)) != 0)
		return status;
	if ((r->document = json_in_parse(json, VALUES, err)) == NULL)
		return HTTP_BAD_REQUEST;
	return read_input(r, role, rest, err);
}

/* ---- Its answer --------------------------------------------------------- */

static unsigned
write_output(struct request *r, struct json *j, struct buf *binary,
    struct npu_err *err)
{
	const struct item *i = &r->item[0];
	const struct npu_tensor *t = &i->role->out;
	const bool real = !r->as_they_are;
	unsigned status;

	json_object(j);
	json_key(j, "name");
	json_str(j, name_of(t, "output"));
	json_key(j, "datatype");
	json_str(j, real ? "FP32" : oip_datatype(t->dtype));
	write_shape(j, t);
	if (r->base64) {
		status = oip_write_bytes(binary, t, i->out, real, err);
		json_key(j, "parameters");
		json_object(j);
		json_member_uint(j, "binary_data_size", binary->n);
		json_end_object(j);
	} else {
		json_key(j, "data");
		status = oip_write_list(j, t, i->out, real, err);
	}
	json_end_object(j);
	return status;
}

/* What the client called its request. */
static void
write_id(const struct request *r, struct json *j)
{
	struct bytes id = json_in_string(json_in_member(r->document, "id"));

	if (id.p == NULL)
		return;
	json_key(j, "id");
	json_strn(j, (const char *)id.p, id.n);
}

static unsigned
answer_infer(struct request *r, struct npu_err *err)
{
	struct buf binary = { 0 };
	struct json j = { 0 };
	unsigned status;

	json_object(&j);
	json_key(&j, "model_name");
	json_str(&j, r->word);
	write_id(r, &j);
	json_key(&j, "outputs");
	json_array(&j);
	status = write_output(r, &j, &binary, err);
	json_end_array(&j);
	json_end_object(&j);
	r->out = j.out;
	if (r->base64) {
		r->json_bytes = r->out.n;
		r->type = "application/octet-stream";
		buf_add(&r->out, binary.p, binary.n);
		r->out.failed = r->out.failed || binary.failed;
	}
	buf_free(&binary);
	r->status = 200;
	return status;
}

/* ---- The server --------------------------------------------------------- */

static unsigned
answer_server(struct request *r, struct npu_err *err)
{
	(void)err;
	buf_printf(&r->out, "{\"name\":\"npu-serve\",\"version\":\"%s\","
	    "\"extensions\":[\"binary_tensor_data\"]}", npu_version());
	r->status = 200;
	return 0;
}

static unsigned
answer_live(struct request *r, struct npu_err *err)
{
	(void)err;
	return answer_text(r, NULL, "{\"live\":true}");
}

static unsigned
answer_ready(struct request *r, struct npu_err *err)
{
	bool ready = server_hindrance(r->server, NULL, 0) == NULL;

	(void)err;
	buf_printf(&r->out, "{\"ready\":%s}", ready ? "true" : "false");
	r->status = ready ? 200 : HTTP_UNAVAILABLE;
	return 0;
}

const struct route routes_infer[] = {
	{ &api_infer, "GET", "/v2", BODY_NONE, true, NULL, answer_server },
	{ &api_infer, "GET", "/v2/health/live", BODY_NONE, true, NULL,
	    answer_live },
	{ &api_infer, "GET", "/v2/health/ready", BODY_NONE, true, NULL,
	    answer_ready },
	{ &api_infer, "GET", "/v2/models/*", BODY_NONE, false, NULL,
	    answer_model },
	{ &api_infer, "GET", "/v2/models/*/ready", BODY_NONE, false, NULL,
	    answer_model_ready },
	{ &api_infer, "POST", "/v2/models/*/infer", BODY_BYTES, false,
	    read_infer, answer_infer },
	{ 0 },
};
