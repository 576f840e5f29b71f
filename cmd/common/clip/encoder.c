// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "device.h"
#include "encoder.h"

void
encoder_open(struct encoder *e, struct npu *npu)
{
	*e = (struct encoder){ .queue = cmd_open_queue(0),
	    .out = *npu_output(npu, 0) };
	e->n = (size_t)npu_tensor_count(&e->out);
	e->x = cmd_alloc(e->n * sizeof(*e->x));
	e->answer = cmd_alloc(npu_output_size(npu));
}

bool
encoder_full(const struct encoder *e)
{
	return e->added - e->taken == ENCODER_ITEMS ||
	    npu_queue_full(e->queue);
}

bool
encoder_waiting(const struct encoder *e)
{
	return e->added > e->taken;
}

bool
encoder_ready(const struct encoder *e)
{
	return encoder_waiting(e) &&
	    (!e->waiting[e->taken % ENCODER_ITEMS].runs ||
	    npu_queue_ready(e->queue));
}

void
encoder_add(struct encoder *e, const void *input, void *item)
{
	size_t i = e->added++ % ENCODER_ITEMS;
	struct npu_err err;

	e->waiting[i].item = item;
	e->waiting[i].runs = input != NULL;
	if (input == NULL)
		return;
	if (npu_queue_put(e->queue, input, &err) < 0) {
		cmd_end_if_stopped();
		cmd_die_err(cmd_model_in_use(), &err);
	}
	e->waiting[i].words = cmd_keep_library_output();
}

/* What the library said when it was put, and now. */
static void
end_words(struct encoder *e, size_t i, bool failed)
{
	char *words = e->waiting[i].words;

	e->waiting[i].words = NULL;
	if (failed)
		cmd_show_captured(words);
	else
		free(words);
	cmd_show_library_output(!failed);
}

struct encoded *
encoder_take(struct encoder *e)
{
	size_t i = e->taken++ % ENCODER_ITEMS;
	struct encoded *r = &e->result;
	int rc;

	*r = (struct encoded){ .item = e->waiting[i].item, .x = e->x };
	if (!e->waiting[i].runs)
		return r;
	rc = npu_queue_get(e->queue, e->answer, &e->err);
	cmd_end_if_stopped();
	if (rc == 0)
		rc = npu_dequantise(&e->out, e->answer, e->n, e->x, &e->err);
	end_words(e, i, rc < 0);
	if (rc == NPU_ENODEV)		/* and no later one will do better */
		cmd_die_err(cmd_model_in_use(), &e->err);
	if (rc < 0)
		r->error = e->err.msg;
	return r;
}

void
encoder_close(struct encoder *e)
{
	free(e->answer);
	free(e->x);
	*e = (struct encoder){ 0 };
}
