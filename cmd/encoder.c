// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "base/clock.h"
#include "device.h"
#include "encoder.h"

void
encoder_open(struct encoder *e, struct npu *npu)
{
	*e = (struct encoder){ .npu = npu, .out = *npu_output(npu, 0) };
	e->n = (size_t)npu_tensor_count(&e->out);
	e->x = cmd_alloc(e->n * sizeof(*e->x));
	for (size_t i = 0; i < ENCODER_FLIGHTS; i++)
		e->flight[i].answer = cmd_alloc(npu_output_size(npu));
}

bool
encoder_full(const struct encoder *e)
{
	/* npu_run() does one at a time. */
	return e->added - e->taken >= 1;
}

bool
encoder_waiting(const struct encoder *e)
{
	return e->added > e->taken;
}

bool
encoder_ready(const struct encoder *e)
{
	return encoder_waiting(e);
}

void
encoder_add(struct encoder *e, const void *input, void *item)
{
	struct flight *f = &e->flight[e->added++ % ENCODER_FLIGHTS];
	uint64_t begin = clock_ns();

	f->item = item;
	f->runs = input != NULL;
	f->err.code = 0;
	if (f->runs && npu_run(e->npu, input, f->answer, &f->err) == 0)
		f->err.code = 0;
	e->wait_ns += clock_ns() - begin;
}

struct encoded *
encoder_take(struct encoder *e)
{
	struct flight *f = &e->flight[e->taken++ % ENCODER_FLIGHTS];
	struct encoded *r = &e->result;

	cmd_end_if_stopped();
	*r = (struct encoded){ .item = f->item, .x = e->x };
	if (!f->runs)
		return r;
	if (f->err.code == 0)
		npu_dequantise(&e->out, f->answer, e->n, e->x, &f->err);
	cmd_show_library_words(f->err.code == 0);
	if (f->err.code != 0)
		r->error = f->err.msg;
	return r;
}

void
encoder_close(struct encoder *e)
{
	for (size_t i = 0; i < ENCODER_FLIGHTS; i++)
		free(e->flight[i].answer);
	free(e->x);
	*e = (struct encoder){ 0 };
}
