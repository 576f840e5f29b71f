// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdlib.h>

#include "agreement.h"
#include "base/json.h"
#include "device.h"
#include "failure.h"
#include "same_objects.h"

/* How the answers of an output are compared. */
enum answer { ANSWER_NONE, ANSWER_LARGEST, ANSWER_OBJECTS };

struct output_agreement {
	struct npu_tensor tensor;	/* of the compiled model */
	char original[NPU_MAX_NAME];	/* name in the ONNX model */
	struct diff_sums sums;	/* over all frames */
	uint64_t worst;		/* frame with the largest difference */
	enum answer answer;
	uint64_t same;		/* frames with the same answer */
	struct same_objects *objects;	/* ANSWER_OBJECTS */
};

struct agreement {
	struct original *original;
	struct tolerance tolerance;
	struct output_agreement *outputs;
	uint32_t n;
	float *x;		/* one output */
	uint64_t frames, beyond;
};

/* ---- Answers ------------------------------------------------------------ */

/* True for the output of a classifier: one row of numbers. */
static bool
is_row(const struct npu_tensor *t)
{
	uint32_t axes = 0;

	for (uint32_t i = 0; i < t->ndim; i++)
		axes += t->dim[i] > 1;
	return axes == 1 && t->ndim <= 2;
}

static size_t
largest(const float *x, size_t n)
{
	size_t at = 0;

	for (size_t i = 1; i < n; i++)
		if (x[i] > x[at])
			at = i;
	return at;
}

static bool
same_answer(const struct output_agreement *o, const float *x, const float *r)
{
	size_t n = npu_tensor_count(&o->tensor);

	switch (o->answer) {
	case ANSWER_LARGEST: return largest(x, n) == largest(r, n);
	case ANSWER_OBJECTS: return same_objects(o->objects, x, r);
	default: return false;
	}
}

/* ---- Comparing ---------------------------------------------------------- */

static void
plan_output(struct output_agreement *o, const struct npu *npu,
    const struct original *original, uint32_t i)
{
	const struct npu_tensor *t = original_tensor(original, i);

	o->tensor = *npu_output(npu, i);
	snprintf(o->original, sizeof(o->original), "%s", t->name);
	o->objects = same_objects_open(npu, t);
	if (o->objects != NULL)
		o->answer = ANSWER_OBJECTS;
	else if (is_row(t))
		o->answer = ANSWER_LARGEST;
}

struct agreement *
agreement_open(const struct npu *npu, struct original *o,
    const struct tolerance *t)
{
	struct agreement *a = cmd_alloc(sizeof(*a));
	size_t most = 0;

	*a = (struct agreement){ .original = o, .tolerance = *t,
	    .n = npu_outputs(npu) };
	a->outputs = cmd_alloc(a->n * sizeof(*a->outputs));
	for (uint32_t i = 0; i < a->n; i++) {
		plan_output(&a->outputs[i], npu, o, i);
		if (npu_tensor_count(&a->outputs[i].tensor) > most)
			most = npu_tensor_count(&a->outputs[i].tensor);
	}
	a->x = cmd_alloc(most * sizeof(*a->x));
	return a;
}

/* Returns whether output i of the frame is within the tolerance. */
static bool
add_output(struct agreement *a, uint32_t i, uint64_t frame)
{
	struct output_agreement *o = &a->outputs[i];
	const float *r = original_output(a->original, i);
	size_t n = npu_tensor_count(&o->tensor);
	struct diff_sums sums = { 0 };
	double before = o->sums.max;
	char text[DIFF_TEXT];

	diff_add(&sums, a->x, r, n);
	diff_add(&o->sums, a->x, r, n);
	if (o->sums.max > before || o->worst == 0)
		o->worst = frame;
	o->same += same_answer(o, a->x, r);
	if (tolerance_met(&a->tolerance, &sums))
		return true;
	diff_text(&sums, text);
	cmd_warn("%s: frame %" PRIu64 ", output %" PRIu32 ": %s, beyond "
	    "tolerance", cmd_model_in_use(), frame, i, text);
	return false;
}

void
agreement_add(struct agreement *a, const uint8_t *out, uint64_t frame)
{
	bool near = true;

	for (uint32_t i = 0; i < a->n; out += a->outputs[i++].tensor.size) {
		const struct npu_tensor *t = &a->outputs[i].tensor;
		struct npu_err err;

		if (npu_dequantise(t, out, npu_tensor_count(t), a->x, &err) < 0)
			cmd_die("%s: frame %" PRIu64 ", output %" PRIu32 ": %s",
			    cmd_model_in_use(), frame, i, err.msg);
		near = add_output(a, i, frame) && near;
	}
	a->frames++;
	a->beyond += !near;
}

/* ---- Reporting ---------------------------------------------------------- */

static const struct { const char *text, *key; } answers[] = {
	[ANSWER_LARGEST] = { "largest number", "largest_same" },
	[ANSWER_OBJECTS] = { "objects", "objects_same" },
};

static uint64_t
position(const struct output_agreement *o)
{
	return o->sums.max_at % npu_tensor_count(&o->tensor);
}

static void
add_text(struct buf *b, const struct agreement *a, uint32_t i)
{
	const struct output_agreement *o = &a->outputs[i];
	struct diff_sums sums = o->sums;
	char text[DIFF_TEXT];

	sums.max_at = position(o);
	diff_text(&sums, text);
	buf_printf(b, "output %" PRIu32 "%s%s: %s", i, o->tensor.name[0] !=
	    '\0' ? " " : "", o->tensor.name, text);
	if (a->frames > 1)
		buf_printf(b, "; worst in frame %" PRIu64, o->worst);
	if (o->answer != ANSWER_NONE)
		buf_printf(b, "; same %s in %" PRIu64 " of %" PRIu64
		    " frame%s", answers[o->answer].text, o->same, a->frames,
		    a->frames == 1 ? "" : "s");
	buf_puts(b, "\n");
}

static void
add_json(struct json *j, const struct agreement *a, uint32_t i)
{
	const struct output_agreement *o = &a->outputs[i];

	json_object(j);
	json_member_uint(j, "index", i);
	json_member_str(j, "name", o->tensor.name);
	json_member_str(j, "ref_name", o->original);
	diff_json(j, &o->sums, position(o));
	json_member_uint(j, "worst_frame", o->worst);
	for (enum answer k = ANSWER_LARGEST; k <= ANSWER_OBJECTS; k++) {
		json_key(j, answers[k].key);
		if (o->answer == k)
			json_uint(j, o->same);
		else
			json_null(j);
	}
	json_end_object(j);
}

static struct buf
make_json(const struct agreement *a, const char *name)
{
	struct json j = { .pretty = true };

	json_object(&j);
	json_member_str(&j, "schema", "npu-run-ref/1");
	json_member_str(&j, "model", cmd_model_in_use());
	json_member_str(&j, "ref", name);
	json_member_uint(&j, "frames", a->frames);
	json_member_uint(&j, "beyond", a->beyond);
	json_key(&j, "outputs");
	json_array(&j);
	for (uint32_t i = 0; i < a->n; i++)
		add_json(&j, a, i);
	json_end_array(&j);
	json_end_object(&j);
	buf_puts(&j.out, "\n");
	return j.out;
}

static struct buf
make_text(const struct agreement *a)
{
	struct buf b = { 0 };

	for (uint32_t i = 0; i < a->n && a->frames > 0; i++)
		add_text(&b, a, i);
	return b;
}

uint64_t
agreement_report(struct agreement *a, const char *name, bool json,
    uint64_t failed)
{
	uint64_t beyond = a->beyond;
	struct buf b;

	if (a->frames + failed == 0)
		cmd_die("nothing to compare: no frame was read");
	b = json ? make_json(a, name) : make_text(a);
	failure_end();
	cmd_write_document(NULL, &b);
	if (beyond > 0)
		cmd_warn("%" PRIu64 " of %" PRIu64 " frame%s beyond the "
		    "tolerance", beyond, a->frames, a->frames == 1 ?
		    " is" : "s are");
	for (uint32_t i = 0; i < a->n; i++)
		same_objects_close(a->outputs[i].objects);
	free(a->outputs);
	free(a->x);
	free(a);
	return beyond;
}
