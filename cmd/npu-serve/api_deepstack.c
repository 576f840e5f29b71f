// SPDX-License-Identifier: Apache-2.0
/* Objects in pictures as DeepStack and CodeProject.AI answer them, which
 * Frigate, Home Assistant and Blue Iris ask. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/json.h"
#include "base/num.h"
#include "answer.h"
#include "route.h"
#include "server.h"

static void
error(struct request *r, unsigned status, const char *why)
{
	struct json j = { 0 };

	json_object(&j);
	json_key(&j, "success");
	json_bool(&j, false);
	json_key(&j, "error");
	json_str(&j, why);
	json_member_uint(&j, "code", status);
	json_member_uint(&j, "duration", 0);
	json_end_object(&j);
	r->out = j.out;
}

const struct api api_deepstack = { "deepstack", true, 0, error };

/* ---- POST /v1/vision/detection ------------------------------------------ */

static unsigned
read_confidence(const struct request *r, double *conf, struct npu_err *err)
{
	struct npu_err why;
	struct bytes part = { 0 };
	char text[32];

	*conf = r->server->options.conf;
	if (body_part(&r->body, "min_confidence", &part) == 0 || part.n == 0)
		return 0;
	snprintf(text, sizeof(text), "%.*s", (int)(part.n < 31 ? part.n : 31),
	    (const char *)part.p);
	if (num_double(text, 0, 1, conf, &why) < 0)
		return refuse(HTTP_BAD_REQUEST, err, "Invalid value for "
		    "min_confidence: %s", why.msg);
	return 0;
}

/* The model of /v1/vision/custom/NAME, or the only detector. */
static unsigned
find_detector(struct request *r, struct role **role, struct npu_err *err)
{
	const struct catalogue *c = &r->server->catalogue;

	*role = NULL;
	if (r->word == NULL) {
		if (c->role[ROLE_DETECT].path == NULL)
			return refuse(HTTP_NOT_IMPLEMENTED, err, "no detector "
			    "is loaded; start the server with "
			    "-m detect=yolov8n.cix");
		*role = &r->server->catalogue.role[ROLE_DETECT];
		return 0;
	}
	r->model = catalogue_find(c, r->word);
	if (r->model != NULL)
		*role = r->model->role[ROLE_DETECT];
	if (*role == NULL)
		return refuse(HTTP_NOT_FOUND, err, "no detector is called "
		    "'%.100s'; POST /v1/vision/custom/list names them",
		    r->word);
	return 0;
}

static unsigned
read_detection(struct request *r, struct npu_err *err)
{
	struct bytes picture = { 0 };
	struct role *role = NULL;
	size_t n = body_part(&r->body, "image", &picture);
	double conf;
	unsigned status;

	if ((status = find_detector(r, &role, err)) != 0 ||
	    (status = read_confidence(r, &conf, err)) != 0)
		return status;
	if (n != 1 || picture.n == 0)
		return refuse(HTTP_BAD_REQUEST, err, "No valid image file "
		    "found: the form has %zu parts 'image'%s", n,
		    n == 1 ? ", and it is empty" : ", not one");
	if (!request_items(r, 1))
		return refuse(HTTP_UNAVAILABLE, err, "out of memory");
	r->item[0].role = role;
	r->item[0].kind = ITEM_PICTURE;
	r->item[0].source = picture;
	return 0;
}

/* ---- Its answer --------------------------------------------------------- */

/* The nearest whole pixel to the coordinate that yolo-detect writes. */
static void
member_pixel(struct json *j, const char *key, float v)
{
	json_key(j, key);
	json_int(j, llround(detection_pixels((double)v)));
}

static void
write_prediction(struct json *j, const struct detection *d, const char *label)
{
	json_object(j);
	json_key(j, "confidence");
	json_double(j, detection_confidence((double)d->confidence));
	json_key(j, "label");
	json_str(j, label);
	member_pixel(j, "x_min", d->box[0]);
	member_pixel(j, "y_min", d->box[1]);
	member_pixel(j, "x_max", d->box[2]);
	member_pixel(j, "y_max", d->box[3]);
	json_end_object(j);
}

/* What CodeProject.AI adds. */
static void
write_rest(const struct request *r, struct json *j, size_t found)
{
	const uint64_t work = r->decode_ns + r->infer_ns;

	json_key(j, "message");
	json_str(j, found > 0 ? "Objects were found" : "No objects found");
	json_member_uint(j, "count", found);
	json_member_uint(j, "inferenceMs", r->infer_ns / 1000000);
	json_member_uint(j, "processMs", work / 1000000);
	json_member_uint(j, "code", 200);
	json_key(j, "moduleName");
	json_str(j, r->item[0].role->name);
	json_key(j, "inferenceDevice");
	json_str(j, "NPU");
	json_key(j, "command");
	json_str(j, "detect");
	json_member_uint(j, "duration", 0);
}

static unsigned
answer_detection(struct request *r, struct npu_err *err)
{
	struct item *i = &r->item[0];
	struct json j = { 0 };
	struct detection *found;
	double conf;
	size_t n;

	if (read_confidence(r, &conf, err) != 0)
		return HTTP_BAD_REQUEST;
	if (role_detect(i->role, i, conf, &found, &n, err) < 0)
		return HTTP_FAILED;
	json_object(&j);
	json_key(&j, "success");
	json_bool(&j, true);
	json_key(&j, "predictions");
	json_array(&j);
	for (size_t k = 0; k < n; k++)
		write_prediction(&j, &found[k],
		    i->role->decoder.names.name[found[k].class]);
	json_end_array(&j);
	write_rest(r, &j, n);
	json_end_object(&j);
	free(found);
	return answer_json(r, &j, 0);
}

/* ---- The other routes --------------------------------------------------- */

static unsigned
answer_list(struct request *r, struct npu_err *err)
{
	const struct catalogue *c = &r->server->catalogue;
	struct json j = { 0 };

	(void)err;
	json_object(&j);
	json_key(&j, "success");
	json_bool(&j, true);
	json_key(&j, "models");
	json_array(&j);
	for (size_t i = 0; i < c->n; i++)
		if (c->name[i].role[ROLE_DETECT] != NULL)
			json_str(&j, c->name[i].name);
	json_end_array(&j);
	json_member_uint(&j, "duration", 0);
	json_end_object(&j);
	return answer_json(r, &j, 0);
}

static unsigned
answer_ping(struct request *r, struct npu_err *err)
{
	(void)err;
	return answer_text(r, NULL, "{\"success\":true}");
}

const struct route routes_deepstack[] = {
	{ &api_deepstack, "POST", "/v1/vision/detection", BODY_FORM, false,
	    read_detection, answer_detection },
	{ &api_deepstack, "POST", "/v1/vision/custom/list", BODY_NONE, false,
	    NULL, answer_list },
	{ &api_deepstack, "POST", "/v1/vision/custom/*", BODY_FORM, false,
	    read_detection, answer_detection },
	{ &api_deepstack, "GET", "/v1/server/status/ping", BODY_NONE, true,
	    NULL, answer_ping },
	{ 0 },
};
