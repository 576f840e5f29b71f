// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/err.h"
#include "device.h"
#include "pictures/preprocess_options.h"
#include "role.h"

const char *const role_words[] = { "text", "image", "detect", NULL };

/* ---- Plans ------------------------------------------------------------- */

/* The name of a file without its folder and .cix. */
static char *
stem(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash != NULL ? slash + 1 : path;
	size_t n = strlen(name);

	if (n > 4 && strcmp(name + n - 4, ".cix") == 0)
		n -= 4;
	else if (n > 5 && strcmp(name + n - 5, ".onnx") == 0)
		n -= 5;
	return cmd_text("%.*s", (int)n, name);
}

/* As yolo-detect makes its input. */
static void
plan_detector(struct role *r, const char *model)
{
	struct preprocess_options o = { .preset = "yolo",
	    .model_alone = true };
	struct prep_recipe recipe;
	struct npu_err err;

	r->path = cmd_model_to_open(model);
	o.model = r->path;
	preprocess_resolve(&o, &recipe);
	if (prep_open(&r->prep, &recipe, &err) < 0)
		cmd_die_err(r->path, &err);
	preprocess_note_losses(&o, r->prep);
	decode_begin(&r->decoder, r->path);
}

void
role_plan(struct role *r, const char *model)
{
	pthread_mutex_init(&r->lock, NULL);
	switch (r->kind) {
	case ROLE_TEXT:
		clip_text_plan(&r->clip, model, REFUSE);
		r->clip.limit.no_choice = true;
		r->clip.limit.quiet = true;
		break;
	case ROLE_IMAGE:
		clip_image_plan(&r->clip, model, clip_recipes[0],
		    r->limits.fast);
		break;
	default:
		plan_detector(r, model);
	}
	if (r->path == NULL)
		r->path = cmd_copy(r->clip.path);
	r->name = stem(r->path);
}

void
role_free(struct role *r)
{
	if (r->path == NULL)
		return;
	if (r->kind == ROLE_DETECT)
		decode_free(&r->decoder);
	else
		clip_free(&r->clip);
	prep_close(r->prep);
	pthread_mutex_destroy(&r->lock);
	free(r->path);
	free(r->name);
}

/* ---- The model --------------------------------------------------------- */

static const struct npu_tensor *
input_of_file(const struct role *r)
{
	return r->kind == ROLE_DETECT ? &prep_recipe(r->prep)->tensor :
	    &r->clip.in;
}

/* The library describes what the file does. */
static int
check_opened(struct role *r, struct npu_err *err)
{
	uint64_t want = input_of_file(r)->size;

	if (npu_inputs(r->npu) != 1 || npu_outputs(r->npu) != 1)
		return npu_fail(err, NPU_EFORMAT, "%s: %u inputs and %u "
		    "outputs; a model for %s has one of each", r->path,
		    npu_inputs(r->npu), npu_outputs(r->npu),
		    role_words[r->kind]);
	if (npu_input_size(r->npu) != want)
		return npu_fail(err, NPU_EFORMAT, "%s: the library says that "
		    "its input has %llu bytes, the file %llu", r->path,
		    (unsigned long long)npu_input_size(r->npu),
		    (unsigned long long)want);
	r->in = *npu_input(r->npu, 0);
	r->out = *npu_output(r->npu, 0);
	r->in_size = npu_input_size(r->npu);
	r->out_size = npu_output_size(r->npu);
	if (r->kind == ROLE_DETECT)
		return decode_prepare(&r->decoder, &r->out, r->path, err);
	if (npu_tensor_count(&r->out) != r->clip.dim)
		return npu_fail(err, NPU_EFORMAT, "%s: the library says that "
		    "a vector has %llu numbers, the file %zu", r->path,
		    (unsigned long long)npu_tensor_count(&r->out),
		    r->clip.dim);
	return 0;
}

int
role_open(struct role *r, unsigned in_flight, struct npu_err *err)
{
	int rc;

	if ((rc = npu_open(&r->npu, r->path, &cmd_device, err)) < 0)
		return rc;
	pthread_mutex_lock(&r->lock);
	rc = check_opened(r, err);
	pthread_mutex_unlock(&r->lock);
	if (rc == 0)
		rc = npu_queue_open(&r->queue, r->npu, in_flight, err);
	if (rc < 0)
		role_close(r);
	return rc;
}

void
role_close(struct role *r)
{
	npu_queue_close(r->queue);
	npu_close(r->npu);
	r->queue = NULL;
	r->npu = NULL;
}

/* ---- Inputs ------------------------------------------------------------ */

/* A row of ids from a text; the tokenizer is one for all threads. */
static bool
make_row(struct role *r, struct item *i, struct npu_err *err)
{
	struct text_record text = { .name = "input", .unit = "text",
	    .p = (const char *)i->source.p, .n = i->source.n };
	struct token_limit limit = r->clip.limit;
	struct token_ids ids;

	limit.overlong = i->truncate ? TRUNCATE : REFUSE;
	if (!token_ids_read(r->clip.tokenizer, &limit, &text, &ids, err))
		return false;
	i->tokens = ids.kept;
	npu_clip_row(ids.id, ids.n, (int32_t *)(void *)i->in,
	    r->clip.limit.length);
	return true;
}

static enum fault
prepare_text(struct role *r, struct item *i, struct npu_err *err)
{
	bool good;

	pthread_mutex_lock(&r->lock);
	good = make_row(r, i, err);
	pthread_mutex_unlock(&r->lock);
	return good ? FAULT_NONE : FAULT_INPUT;
}

static enum fault
prepare_ids(struct role *r, struct item *i, struct npu_err *err)
{
	const size_t n = i->source.n / sizeof(int32_t);
	const size_t length = r->clip.limit.length;

	if (n > length) {
		npu_fail(err, NPU_EUSAGE, "%zu ids, and the limit is %zu", n,
		    length);
		return FAULT_INPUT;
	}
	i->tokens = n;
	npu_clip_row((const int32_t *)(const void *)i->source.p, n,
	    (int32_t *)(void *)i->in, length);
	return FAULT_NONE;
}

static enum fault
prepare_picture(struct role *r, struct item *i, struct bytes file,
    struct npu_err *err)
{
	const struct prep *prep = r->kind == ROLE_DETECT ? r->prep :
	    r->clip.prep;

	if (file.n == 0) {
		npu_fail(err, NPU_EFORMAT, "the picture has no bytes");
		return FAULT_INPUT;
	}
	if (prep_picture(prep, source_bytes(&file), &r->limits, i->in,
	    &i->geometry, err) < 0)
		return FAULT_INPUT;
	return FAULT_NONE;
}

static enum fault
prepare_base64(struct role *r, struct item *i, struct npu_err *err)
{
	struct buf file = { 0 };
	enum fault f = FAULT_INPUT;

	if (base64_decode(i->source, &file, err) == 0)
		f = prepare_picture(r, i, (struct bytes){ (uint8_t *)file.p,
		    file.n }, err);
	buf_free(&file);
	return f;
}

static enum fault
prepare(struct role *r, struct item *i, struct npu_err *err)
{
	switch (i->kind) {
	case ITEM_TEXT: return prepare_text(r, i, err);
	case ITEM_IDS: return prepare_ids(r, i, err);
	case ITEM_PICTURE: return prepare_picture(r, i, i->source, err);
	case ITEM_PICTURE_BASE64: return prepare_base64(r, i, err);
	default:
		memcpy(i->in, i->source.p, r->in_size);
		return FAULT_NONE;
	}
}

enum fault
role_prepare(struct role *r, struct item *i, struct npu_err *err)
{
	enum fault f;

	if ((i->in = malloc(r->in_size)) == NULL) {
		npu_fail(err, NPU_ESYSTEM, "out of memory");
		return FAULT_SERVER;
	}
	f = prepare(r, i, err);
	return f == FAULT_INPUT && err->code == NPU_ESYSTEM ? FAULT_SERVER : f;
}

/* ---- Outputs ----------------------------------------------------------- */

size_t
role_dim(const struct role *r)
{
	return r->clip.dim;
}

int
role_vector(const struct role *r, const struct item *i, bool normalise,
    float *x, struct npu_err *err)
{
	int rc = npu_dequantise(&r->out, i->out, r->clip.dim, x, err);

	if (rc < 0 || !normalise)
		return rc;
	return npu_l2_normalise(x, r->clip.dim, err);
}

/* *copy: the decoder's own are valid until its next call. */
static int
copy_detections(const struct detection *d, size_t n, struct detection **copy,
    struct npu_err *err)
{
	if ((*copy = malloc((n + 1) * sizeof(**copy))) == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	if (n > 0)
		memcpy(*copy, d, n * sizeof(**copy));
	return 0;
}

int
role_detect(struct role *r, const struct item *i, double conf,
    struct detection **found, size_t *n, struct npu_err *err)
{
	struct yolo_options options = r->decoder.options;
	const struct detection *d;
	int rc;

	options.conf = conf;
	pthread_mutex_lock(&r->lock);
	rc = yolo_decode(r->decoder.yolo, i->out, &i->geometry, &options, &d,
	    n, NULL, err);
	if (rc == 0)
		rc = yolo_check(r->decoder.yolo, i->out, &i->geometry,
		    &options, err);
	if (rc == 0)
		rc = copy_detections(d, *n, found, err);
	pthread_mutex_unlock(&r->lock);
	return rc;
}
