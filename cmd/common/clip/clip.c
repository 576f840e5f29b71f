// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <sha2.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "clip.h"
#include "device.h"
#include "vocabulary.h"
#include "widen.h"

enum {
	MOST_LENGTH = 1 << 20,
	/* Many times CLIP's width, and less than a detector's output or a
	 * picture. */
	MOST_WIDTH = 1 << 16,
};

/* ---- Plans ------------------------------------------------------------- */

/* Checks the only input, or the only output, of the model. */
static void
ask(const struct clip *c, bool output, struct npu_tensor *t)
{
	int chosen;
	uint16_t n;
	struct npu_tensor *all = tensors_of_model(c->path, output, &n, &chosen);

	*t = *all;
	free(all);
	if (n != 1)
		cmd_die("%s: %u %s; an encoder of CLIP's kind has one", c->path,
		    n, output ? "outputs" : "inputs");
}

static void
plan(struct clip *c, const char *kind, const char *model)
{
	const char *slash;
	char what[120];

	*c = (struct clip){ .kind = kind, .path = cmd_model_to_open(model) };
	slash = strrchr(c->path, '/');
	c->name = slash != NULL ? slash + 1 : c->path;
	ask(c, false, &c->in);
	ask(c, true, &c->out);
	npu_tensor_format(&c->out, what, sizeof(what));
	/* The count is 0 where elements do not fill whole bytes. */
	if (npu_tensor_count(&c->out) < 1 ||
	    npu_tensor_count(&c->out) > MOST_WIDTH)
		cmd_die("%s: gives %s, and not a vector of 1 to %d numbers",
		    c->path, what, MOST_WIDTH);
	c->dim = (size_t)npu_tensor_count(&c->out);
}

/* Refuses another vocabulary: its vectors cannot be compared with CLIP's. */
static void
describe_texts(struct clip *c)
{
	buf_printf(&c->preprocessing, "clip-tokenize %zu", c->limit.length);
	if (c->bpe != npu_bpe_clip() && strcmp(npu_bpe_sha256(c->bpe),
	    npu_bpe_sha256(npu_bpe_clip())) != 0)
		buf_printf(&c->preprocessing, " vocabulary %s",
		    npu_bpe_sha256(c->bpe));
	buf_add(&c->preprocessing, "", 1);
}

void
clip_text_plan(struct clip *c, const char *model,
    enum overlong overlong)
{
	struct npu_tensor *t = &c->in;
	struct npu_err err;
	char what[120];
	uint64_t row;

	plan(c, "text", model);
	row = t->ndim > 0 ? t->dim[t->ndim - 1] : npu_tensor_count(t);
	npu_tensor_format(t, what, sizeof(what));
	if ((t->dtype != NPU_S32 && t->dtype != NPU_S64) || row < 2 ||
	    row > MOST_LENGTH || npu_tensor_count(t) != row)
		cmd_die("%s: takes %s, and not a row of 2 to %d ids, s32 or "
		    "s64", c->path, what, MOST_LENGTH);
	c->limit = (struct token_limit){ .length = (size_t)row,
	    .overlong = overlong, .quiet = cmd_quiet };
	c->bpe = vocabulary_open(NULL);
	if (npu_tokenizer_open(&c->tokenizer, c->bpe, &err) < 0)
		cmd_die_err(NULL, &err);
	describe_texts(c);
}

static void
add_three(struct buf *b, const char *name, const float v[3])
{
	char s[40];

	buf_printf(b, " %s", name);
	for (int i = 0; i < 3; i++) {
		num_format_float(v[i], s, sizeof(s));
		buf_printf(b, " %s", s);
	}
}

const char *const clip_recipes[] = { "clip", "hub-clip", "openai-clip",
    NULL };

/* All options that affect the numbers; type and layout come from the model. */
static void
describe_pictures(struct clip *c, bool fast)
{
	const struct prep_recipe *r = prep_recipe(c->prep);
	char s[40];

	num_format_float(r->divisor, s, sizeof(s));
	buf_printf(&c->preprocessing, "%s %" PRIu32 "x%" PRIu32 " %s %s / %s",
	    preprocess_fits[r->fit], r->width, r->height,
	    preprocess_filters[r->filter], preprocess_orders[r->bgr], s);
	add_three(&c->preprocessing, "mean", r->mean);
	add_three(&c->preprocessing, "std", r->deviation);
	buf_puts(&c->preprocessing, r->as_stored ? " as stored" : "");
	buf_puts(&c->preprocessing, fast ? " fast" : "");
	buf_add(&c->preprocessing, "", 1);
}

void
clip_image_plan(struct clip *c, const char *model, const char *preset,
    bool fast)
{
	struct preprocess_options options = { .preset = preset,
	    .model_alone = true };
	struct prep_recipe r;
	struct npu_err err;

	plan(c, "image", model);
	options.model = c->path;
	preprocess_resolve(&options, &r);
	if (prep_open(&c->prep, &r, &err) < 0)
		cmd_die_err(c->path, &err);
	preprocess_note_losses(&options, c->prep);
	describe_pictures(c, fast);
}

void
clip_same_width(const struct clip *a, const struct clip *b)
{
	if (a->dim != b->dim)
		cmd_die("%s gives vectors of %zu numbers and %s of %zu: they "
		    "belong to different spaces and cannot be compared",
		    a->path, a->dim, b->path, b->dim);
}

void
clip_hash(struct clip *c)
{
	if (SHA256File(c->path, c->sha256) == NULL)
		cmd_die("%s: %s", c->path, strerror(errno));
}

/* ---- Running ----------------------------------------------------------- */

void
clip_load(struct clip *c)
{
	struct npu *npu;

	cmd_check_buf(&c->preprocessing);
	npu = cmd_open_model(c->path);
	if (npu_inputs(npu) != 1 || npu_outputs(npu) != 1 ||
	    npu_input_size(npu) != c->in.size ||
	    npu_tensor_count(npu_output(npu, 0)) != c->dim)
		cmd_die("%s: the library says that it has %" PRIu32 " inputs "
		    "of %" PRIu64 " bytes and %" PRIu32 " outputs of %" PRIu64
		    " bytes, the file says otherwise", c->path,
		    npu_inputs(npu), npu_input_size(npu), npu_outputs(npu),
		    npu_output_size(npu));
	c->answer = cmd_alloc(npu_output_size(npu));
	c->x = cmd_alloc(c->dim * sizeof(*c->x));
	inference_open(&c->inference, npu, INFERENCE_DEPTH);
}

void
clip_unload(struct clip *c)
{
	free(c->answer);
	free(c->x);
	c->answer = NULL;
	c->x = NULL;
	cmd_close_model();
}

void
clip_free(struct clip *c)
{
	npu_tokenizer_close(c->tokenizer);
	if (c->bpe != NULL)
		vocabulary_close(c->bpe);
	prep_close(c->prep);
	buf_free(&c->row);
	buf_free(&c->notes);
	buf_free(&c->preprocessing);
	free(c->path);
	*c = (struct clip){ 0 };
}

static void
print_notes(const struct buf *notes)
{
	for (size_t at = 0; at < notes->n; at += strlen(notes->p + at) + 1)
		cmd_note("%s", notes->p + at);
}

/* Widens the row of s32 for a model that takes s64. */
static void
widen_row(struct clip *c)
{
	size_t n = c->row.n;

	if (c->in.dtype != NPU_S64 || n == 0 ||
	    buf_reserve(&c->row, n) == NULL)
		return;
	memmove(c->row.p + n, c->row.p, n);
	widen(c->row.p, n / sizeof(int32_t));
	c->row.n = 2 * n;
}

const void *
clip_row(struct clip *c, const struct text_record *text, bool *skipped,
    struct npu_err *err)
{
	struct token_ids ids;
	bool good;

	buf_clear(&c->row);
	buf_clear(&c->notes);
	*skipped = false;
	good = token_ids_read(c->tokenizer, &c->limit, text, &ids, err);
	if (good && ids.kept > 0)
		token_ids_add_row(&ids, &c->limit, &c->row);
	widen_row(c);
	good = good && token_ids_note(&ids, c->tokenizer, &c->limit, text,
	    &c->notes, err);
	cmd_check_buf(&c->row);
	cmd_check_buf(&c->notes);
	print_notes(&c->notes);
	*skipped = good && c->row.n == 0;
	return good && c->row.n > 0 ? c->row.p : NULL;
}

int
clip_vector(struct clip *c, const void *answer, struct npu_err *err)
{
	return npu_dequantise(npu_output(c->inference.npu, 0), answer, c->dim,
	    c->x, err);
}

double
clip_length(const float *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (double)x[i] * (double)x[i];
	return sqrt(sum);
}
