// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "device.h"
#include "inference.h"

void
inference_open(struct inference *f, struct npu *npu, unsigned depth)
{
	*f = (struct inference){ .npu = npu, .queue = cmd_open_queue(depth) };
}

/* ---- Submitting -------------------------------------------------------- */

bool
inference_full(const struct inference *f)
{
	return f->submitted - f->taken == INFERENCE_WAITING ||
	    npu_queue_full(f->queue);
}

unsigned
inference_waiting(const struct inference *f)
{
	return (unsigned)(f->submitted - f->taken);
}

bool
inference_ready(const struct inference *f)
{
	return inference_waiting(f) > 0 &&
	    (!f->waiting[f->taken % INFERENCE_WAITING].ran ||
	    npu_queue_ready(f->queue));
}

void
inference_submit(struct inference *f, const void *input, void *tag)
{
	size_t i = f->submitted++ % INFERENCE_WAITING;
	struct npu_err err;

	f->waiting[i].tag = tag;
	f->waiting[i].ran = input != NULL;
	if (input == NULL)
		return;
	if (npu_queue_put(f->queue, input, &err) < 0) {
		cmd_end_if_stopped();
		cmd_die_err(cmd_model_in_use(), &err);
	}
	f->waiting[i].printed = cmd_keep_library_output();
}

/* ---- Taking ------------------------------------------------------------ */

struct inference_result *
inference_take_only(struct inference *f, void *answer)
{
	size_t i = f->taken++ % INFERENCE_WAITING;
	struct inference_result *r = &f->result;

	*r = (struct inference_result){ .tag = f->waiting[i].tag,
	    .ran = f->waiting[i].ran };
	f->printed = f->waiting[i].printed;
	f->waiting[i].printed = NULL;
	if (!r->ran)
		return r;
	r->rc = npu_queue_get(f->queue, answer, &r->err);
	r->times = npu_last_times(f->npu);
	cmd_end_if_stopped();
	return r;
}

/* Prints what the library printed while the input was submitted and later. */
void
inference_show_printed(struct inference *f)
{
	bool failed = f->result.rc < 0;

	if (failed)
		cmd_show_captured(f->printed);
	else
		free(f->printed);
	f->printed = NULL;
	cmd_show_library_output(!failed);
}

struct inference_result *
inference_take(struct inference *f, void *answer)
{
	struct inference_result *r = inference_take_only(f, answer);

	if (!r->ran)
		return r;
	inference_show_printed(f);
	if (r->rc == NPU_ENODEV)
		cmd_die_err(cmd_model_in_use(), &r->err);
	return r;
}
