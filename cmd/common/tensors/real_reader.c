// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "real_reader.h"

void
real_reader_die(struct real_reader *r, const char *fmt, ...)
{
	char reason[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(reason, sizeof(reason), fmt, ap);
	va_end(ap);
	cmd_abandon_output(r->o);
	cmd_die("%s: frame %" PRIu64 ", tensor %u: %s", r->s.name, r->s.frame,
	    r->s.label.index, reason);
}

static _Noreturn void
fail(struct real_reader *r, const struct npu_err *err)
{
	cmd_abandon_output(r->o);
	cmd_die_err(r->s.name, err);
}

void
real_reader_open(struct real_reader *r, const char *path,
    const struct tensor_spec *spec, struct output *o)
{
	memset(r, 0, sizeof(*r));
	r->spec = spec;
	r->o = o;
	stream_open(&r->s, path);
	if (spec == NULL)
		return;
	if (r->s.kind == STREAM_RAW && spec->n == 0) {
		cmd_abandon_output(o);
		stream_refuse_index(&r->s);
		cmd_die("%s: neither a labelled stream nor .npy; --model or "
		    "--type says what the bytes are", r->s.name);
	}
	if (spec->n > 0)
		stream_frames(&r->s, spec->tensors, spec->n);
}

void
real_reader_close(struct real_reader *r)
{
	stream_detail(&r->s);
	stream_close(&r->s);
}

/* ---- Tensors ----------------------------------------------------------- */

bool
real_reader_next(struct real_reader *r)
{
	const char *name;
	struct npu_err err;
	int rc;

	if ((rc = stream_next(&r->s, &err)) < 0)
		fail(r, &err);
	if (rc == 0)
		return false;
	r->t = r->s.label.tensor;
	r->at = 0;
	name = npu_dtype_name(r->t.dtype);
	if (npu_dtype_size(r->t.dtype) == 0)
		real_reader_die(r, "%s has no whole number of bytes and cannot "
		    "be converted", name != NULL ? name : "its unknown type");
	if (r->spec != NULL && tensor_spec_complete(r->spec, &r->s, &r->t,
	    &err) < 0)
		real_reader_die(r, "%s", err.msg);
	return true;
}

/* ---- Numbers ---------------------------------------------------------- */

size_t
real_reader_read(struct real_reader *r, float x[REAL_READER_PIECE])
{
	size_t each = npu_dtype_size(r->t.dtype), n;
	struct npu_err err;
	int64_t bytes;

	if ((bytes = stream_read(&r->s, r->q, REAL_READER_PIECE * each,
	    &err)) < 0)
		fail(r, &err);
	if ((size_t)bytes % each != 0) {
		cmd_abandon_output(r->o);
		cmd_die("%s: %" PRIu64 " bytes, not a whole number of %s",
		    r->s.name, r->s.total, npu_dtype_name(r->t.dtype));
	}
	n = (size_t)bytes / each;
	if (npu_dequantise(&r->t, r->q, n, x, &err) < 0)
		real_reader_die(r, "from element %" PRIu64 " on: %s", r->at,
		    err.msg);
	if (r->stats != NULL)
		value_stats_add_stored(r->stats, r->t.dtype, r->q, n);
	r->at += n;
	return n;
}

void
real_reader_read_all(struct real_reader *r, struct buf *b)
{
	struct npu_err err;
	size_t n;
	float *x;

	do {
		x = buf_reserve(b, REAL_READER_PIECE * sizeof(*x));
		if (x == NULL)
			real_reader_die(r, "out of memory after %zu bytes",
			    b->n);
		n = real_reader_read(r, x);
		b->n += n * sizeof(*x);
		if (stream_check_flat(&r->s, &err) < 0)
			fail(r, &err);
	} while (n > 0);
}
