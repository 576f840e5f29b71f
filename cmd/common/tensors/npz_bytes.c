// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>

#include "base/err.h"
#include "npz_bytes.h"
#include "stream_bytes.h"

int
npz_need(struct stream *s, void *p, size_t n, struct npu_err *err)
{
	int rc = stream_all_or_none(s, p, n, "npz archive", err);

	return rc != 0 ? rc : npu_fail(err, NPU_EFORMAT, "the npz archive ends "
	    "after %" PRIu64 " bytes, before its directory does; is it cut?",
	    s->total);
}

/* ---- A compressed member ---------------------------------------------- */

static int
spoilt(const struct inflater *f, struct npu_err *err)
{
	return npu_fail(err, NPU_EFORMAT, "npz: '%s' is damaged: its "
	    "compressed bytes hold no .npy of %" PRIu64 " bytes", f->m->name,
	    f->m->size);
}

int
inflater_begin(struct inflater *f, const struct npz_member *m,
    struct npu_err *err)
{
	int rc = f->open ? inflateReset(&f->z) :
	    inflateInit2(&f->z, -MAX_WBITS);	/* raw deflate, without a
						   header */

	if (rc != Z_OK)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	f->open = true;
	f->m = m;
	f->left = m->packed;
	f->z.avail_in = 0;
	return 1;
}

/* Reads more bytes if zlib has used up its input. */
static int
refill(struct inflater *f, struct stream *s, struct npu_err *err)
{
	size_t n = f->left < sizeof(f->in) ? (size_t)f->left : sizeof(f->in);
	int rc;

	if (f->z.avail_in > 0 || n == 0)
		return 1;
	if ((rc = npz_need(s, f->in, n, err)) < 0)
		return rc;
	f->left -= n;
	f->z.next_in = f->in;
	f->z.avail_in = (uInt)n;
	return 1;
}

int64_t
inflater_read(struct inflater *f, struct stream *s, void *p, size_t n,
    struct npu_err *err)
{
	enum { MOST = 1 << 30 };	/* zlib counts bytes in 32 bits */
	uint8_t *to = p;
	size_t done = 0;
	int rc;

	while (done < n) {
		uInt want = n - done < MOST ? (uInt)(n - done) : MOST;

		if ((rc = refill(f, s, err)) < 0)
			return rc;
		f->z.next_out = to + done;
		f->z.avail_out = want;
		rc = inflate(&f->z, Z_NO_FLUSH);
		done += want - f->z.avail_out;
		if (rc == Z_MEM_ERROR)
			return npu_fail(err, NPU_ESYSTEM, "out of memory");
		if (rc != Z_OK && (rc != Z_STREAM_END || done < n))
			return spoilt(f, err);
	}
	return (int64_t)n;
}

int
inflater_end(struct inflater *f, struct stream *s, struct npu_err *err)
{
	uint8_t more;
	int rc;

	do {
		if ((rc = refill(f, s, err)) < 0)
			return rc;
		f->z.next_out = &more;
		f->z.avail_out = 1;
		rc = inflate(&f->z, Z_NO_FLUSH);
	} while (rc == Z_OK && f->z.avail_out == 1);
	if (rc == Z_OK || (rc == Z_STREAM_END && (f->z.avail_out == 0 ||
	    f->z.avail_in > 0 || f->left > 0)))
		return npu_fail(err, NPU_EFORMAT, "npz: '%s' is damaged: more "
		    "follows its %" PRIu64 " bytes", f->m->name, f->m->size);
	return rc == Z_STREAM_END ? 1 : spoilt(f, err);
}

void
inflater_close(struct inflater *f)
{
	if (f->open)
		inflateEnd(&f->z);
	f->open = false;
}
