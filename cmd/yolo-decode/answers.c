// SPDX-License-Identifier: Apache-2.0
/* Reads the output tensors of a detector from several files, in order. */
#include <inttypes.h>

#include "answers.h"
#include "base/err.h"

/* Maximum bytes of a tensor.  A tensor of 8400 boxes and 80 classes (f16) has
 * 1.4 million. */
#define MAX_TENSOR ((uint64_t)1 << 30)

void
answers_open(struct answers *a, char **file, struct tensor_spec *spec,
    struct detection_decoder *decoder)
{
	*a = (struct answers){ .file = file, .from_stdin = *file == NULL,
	    .spec = spec, .decoder = decoder };
}

/* Opens the next file unless a file is open.  False after the last file. */
static bool
open_next(struct answers *a)
{
	if (a->open)
		stream_close(&a->s);
	a->open = false;
	/* answers_open() sets file, so it is not NULL here. */
	/* NOLINTBEGIN(clang-analyzer-core.NullDereference) */
	if (!a->from_stdin && *a->file == NULL)
		return false;
	stream_open(&a->s, a->from_stdin ? NULL : *a->file++);
	/* NOLINTEND(clang-analyzer-core.NullDereference) */
	a->from_stdin = false;
	a->open = true;
	if (a->spec->n > 0)
		stream_frames(&a->s, a->spec->tensors, a->spec->n);
	return true;
}

/* Sets a->tensor to the description of the current tensor, and checks that it
 * can be read. */
static int
describe(struct answers *a, struct npu_err *err)
{
	int rc;

	a->tensor = a->s.label.tensor;
	if (a->s.label.count != 1)
		return npu_fail(err, NPU_EFORMAT, "%u tensors a frame; choose "
		    "one with npu-tensor --tensor", a->s.label.count);
	if ((rc = tensor_spec_complete(a->spec, &a->s, &a->tensor, err)) < 0)
		return rc;
	if (a->tensor.size > MAX_TENSOR)
		return npu_fail(err, NPU_EFORMAT, "%" PRIu64 " bytes, more "
		    "than the limit of %" PRIu64, a->tensor.size, MAX_TENSOR);
	return 0;
}

const char *
answers_name(const struct answers *a)
{
	static char text[400];

	snprintf(text, sizeof(text), "%.300s: frame %" PRIu64, a->s.name,
	    a->s.frame);
	return text;
}

/* Reads the next tensor to a->data.  Returns 1, 0 at the end of the last file,
 * or a negative code. */
static int
read_tensor(struct answers *a, struct npu_err *err)
{
	int rc = 0;

	while (!a->open || (rc = stream_next(&a->s, err)) == 0)
		if (!open_next(a))
			return 0;
	if (rc < 0)
		return rc;
	/* Check the shape, and with it the size, before memory is allocated. */
	if ((rc = describe(a, err)) < 0 ||
	    (rc = decode_prepare(a->decoder, &a->tensor, answers_name(a),
	    err)) < 0)
		return npu_prefix(err, rc, "frame %" PRIu64, a->s.frame);
	buf_clear(&a->data);
	return (rc = stream_read_all(&a->s, &a->data, err)) < 0 ? rc : 1;
}

bool
answers_next(struct answers *a)
{
	int rc;

	if (a->err.code != 0)
		return false;
	rc = read_tensor(a, &a->err);
	if (rc < 0)
		cmd_warn("%s: %s", a->s.name, a->err.msg);
	else
		a->err.code = 0;
	a->frames += rc > 0;
	return rc > 0;
}

void
answers_close(struct answers *a)
{
	if (a->open)
		stream_close(&a->s);
	a->open = false;
	buf_free(&a->data);
}
