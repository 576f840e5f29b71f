// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>

#include "base/json.h"
#include "cmd.h"
#include "device.h"
#include "failure.h"
#include "plan.h"

struct plan_side {
	const char *one, *key;	/* "input", "inputs" */
	uint32_t n;
	const struct npu_tensor *(*tensor)(const struct npu *, uint32_t);
};

static void
add_text(struct buf *b, const struct npu *npu, const struct plan_side *side)
{
	char line[200];

	for (uint32_t i = 0; i < side->n; i++) {
		const struct npu_tensor *t = side->tensor(npu, i);

		npu_tensor_format(t, line, sizeof(line));
		buf_printf(b, "%s %" PRIu32 "%s%s: %s, %" PRIu64 " bytes\n",
		    side->one, i, t->name[0] != '\0' ? " " : "", t->name, line,
		    t->size);
	}
}

/* Writes the members of npu-info --json, which cix-pack -J reads. */
static void
add_tensor(struct json *j, uint32_t i, const struct npu_tensor *t)
{
	json_object(j);
	json_member_uint(j, "index", i);
	json_member_str(j, "name", t->name);
	json_key(j, "type"), json_str(j, npu_dtype_name(t->dtype));
	json_key(j, "shape");
	json_array(j);
	for (uint32_t d = 0; d < t->ndim; d++)
		json_uint(j, t->dim[d]);
	json_end_array(j);
	json_member_uint(j, "bytes", t->size);
	json_key(j, "scale"), json_float(j, t->scale);
	json_key(j, "zero_point"), json_int(j, t->zero_point);
	json_end_object(j);
}

static void
add_json(struct json *j, const struct npu *npu, const struct plan_side *side)
{
	json_key(j, side->key);
	json_array(j);
	for (uint32_t i = 0; i < side->n; i++)
		add_tensor(j, i, side->tensor(npu, i));
	json_end_array(j);
}

static struct buf
make_json(const struct npu *npu, const struct plan_side side[2])
{
	struct json j = { .pretty = true };

	json_object(&j);
	json_key(&j, "schema"), json_str(&j, "npu-run-plan/1");
	json_key(&j, "model"), json_str(&j, cmd_model_in_use());
	add_json(&j, npu, &side[0]);
	add_json(&j, npu, &side[1]);
	json_key(&j, "emulator"), json_bool(&j, npu_is_emulator(npu));
	json_key(&j, "library"), json_str(&j, npu_library(npu));
	json_end_object(&j);
	buf_puts(&j.out, "\n");
	return j.out;
}

static struct buf
make_text(const struct npu *npu, const struct plan_side side[2])
{
	struct buf b = { 0 };

	add_text(&b, npu, &side[0]);
	add_text(&b, npu, &side[1]);
	buf_printf(&b, "runs on %s%s\n", npu_is_emulator(npu) ?
	    "the emulator, " : "", npu_library(npu));
	return b;
}

void
plan_write(struct npu *npu, bool is_json, const char *output)
{
	const struct plan_side side[2] = {
		{ "input", "inputs", npu_inputs(npu), npu_input },
		{ "output", "outputs", npu_outputs(npu), npu_output },
	};
	struct npu_err err;
	struct buf b;

	if (npu_probe(npu, &err) < 0)
		cmd_die_err(cmd_model_in_use(), &err);
	cmd_end_if_stopped();
	b = is_json ? make_json(npu, side) : make_text(npu, side);
	failure_end();
	cmd_write_document(output, &b);
}
