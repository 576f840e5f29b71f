// SPDX-License-Identifier: Apache-2.0
#include <limits.h>
#include <zlib.h>

#include "base/err.h"
#include "base/gunzip.h"

enum { CHUNK = 1 << 16 };

bool
is_gzip(struct bytes in)
{
	return in.n >= 2 && in.p[0] == 0x1f && in.p[1] == 0x8b;
}

/* Returns true if another member follows (RFC 1952, 2.2).  Otherwise only
 * zeros, which pad tapes, may follow: gzip(1) and Python's gzip do the same. */
static bool
is_next_member(const z_stream *z)
{
	return is_gzip((struct bytes){ z->next_in, z->avail_in });
}

static bool
is_end(const z_stream *z)
{
	for (uInt i = 0; i < z->avail_in; i++)
		if (z->next_in[i] != 0)
			return false;
	return true;
}

/* Inflates up to the end of the file.  Sets *end to whether the file ended
 * properly. */
static int
inflate_all(z_stream *z, size_t limit, struct buf *out, bool *end,
    struct npu_err *err)
{
	int rc = Z_OK;

	while (rc == Z_OK) {
		if ((z->next_out = buf_reserve(out, CHUNK)) == NULL)
			return npu_fail(err, NPU_ESYSTEM, "out of memory");
		z->avail_out = CHUNK;
		rc = inflate(z, Z_NO_FLUSH);
		out->n += CHUNK - z->avail_out;
		if (out->n > limit)
			return npu_fail(err, NPU_EFORMAT,
			    "gzip: more than %zu bytes inside", limit);
		if (rc == Z_STREAM_END && is_next_member(z))
			rc = inflateReset(z);
	}
	*end = rc == Z_STREAM_END && is_end(z);
	return 0;
}

int
gunzip(struct bytes in, size_t limit, struct buf *out, struct npu_err *err)
{
	z_stream z = { 0 };
	bool end = false;
	int rc;

	if (in.n > UINT_MAX)
		return npu_fail(err, NPU_EFORMAT, "gzip: %zu bytes, more than "
		    "%u", in.n, UINT_MAX);
	if (inflateInit2(&z, MAX_WBITS + 16) != Z_OK)	/* + 16: gzip only */
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	z.next_in = (Bytef *)in.p;
	z.avail_in = (uInt)in.n;
	rc = inflate_all(&z, limit, out, &end, err);
	inflateEnd(&z);
	if (rc == 0 && !end)
		rc = npu_fail(err, NPU_EFORMAT,
		    "gzip: damaged or cut after %zu bytes of contents", out->n);
	return rc;
}
