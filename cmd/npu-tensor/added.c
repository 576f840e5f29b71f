// SPDX-License-Identifier: Apache-2.0
/* Applies --add to an input. */
#include "added.h"
#include "cmd.h"

void
added_open(const struct tensor_options *p, bool add, struct stream *s,
    const char *path)
{
	static struct npu_tensor raw;	/* not changed once set */

	stream_open(s, path);
	cmd_may_replace_input(path);
	if (s->kind == STREAM_RAW && add) {
		tensor_from_options(p, &raw);
		stream_frames(s, &raw, 1);
	} else if (s->kind == STREAM_RAW) {
		stream_refuse_index(s);
		cmd_die("%s: neither a labelled stream nor .npy; --add with "
		    "--type says what the bytes are", s->name);
	}
	if (s->kind == STREAM_LABELLED && add)
		cmd_die("%s: is labelled already; --raw takes labels off",
		    s->name);
	if (s->kind == STREAM_NPY && (p->has_type || p->has_shape))
		cmd_die("%s: says its type and shape itself; leave "
		    "--type and --shape out", s->name);
}

void
added_scale(const struct tensor_options *p, struct output *out,
    const struct stream *s, struct npu_tensor *t)
{
	if (npu_dtype_is_float(t->dtype) && (p->has_scale || p->has_zero)) {
		cmd_abandon_output(out);
		cmd_die("%s: %s is never scaled; leave --scale and --zero out",
		    s->name, npu_dtype_name(t->dtype));
	}
	if (p->has_scale)
		t->scale = p->scale;
	if (p->has_zero)
		t->zero_point = p->zero_point;
}
