// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "shapes.h"
#include "tensors/tensor_options.h"

void
shapes_add(struct shapes *s, const char *arg)
{
	static const int fields[] = { 't', TENSOR_OPTION_SHAPE, 's', 'z' };
	struct tensor_options o = { .from = "--shape" };
	char *copy = cmd_copy(arg), *rest = copy, *field[4];
	size_t n = 0;

	if (s->n == XDNA_BUFFERS)
		cmd_usage("--shape: more than %d", XDNA_BUFFERS);
	while (rest != NULL && n < 4)
		field[n++] = strsep(&rest, ":");
	if (n < 2 || rest != NULL)
		cmd_usage("--shape: '%s' is not TYPE:SHAPE[:SCALE[:ZERO]], "
		    "such as bf16:1,512", arg);
	for (size_t i = 0; i < n; i++)
		tensor_option(&o, fields[i], field[i]);
	tensor_from_options(&o, &s->tensor[s->n++]);
	free(copy);
}

struct npu_tensor
shapes_bytes(uint64_t n)
{
	return (struct npu_tensor){ .dtype = NPU_U8, .scale = 1, .size = n };
}

unsigned
shapes_outputs(const struct shapes *s, const struct xdna_job *job,
    struct npu_tensor out[XDNA_BUFFERS])
{
	char is[200];
	unsigned n = 0;

	for (unsigned i = 0; i < job->buffers; i++) {
		if (!job->buffer[i].out)
			continue;
		out[n] = n < s->n ? s->tensor[n] :
		    shapes_bytes(job->buffer[i].bytes);
		npu_tensor_format(&out[n], is, sizeof(is));
		if (out[n].size != job->buffer[i].bytes)
			cmd_usage("--shape: %s has %" PRIu64 " bytes, and "
			    "buffer %u has %" PRIu64, is, out[n].size, i,
			    job->buffer[i].bytes);
		n++;
	}
	if (s->n > n)
		cmd_usage("--shape is given %u times, and the instructions "
		    "write %u buffer%s", s->n, n, n == 1 ? "" : "s");
	return n;
}
