// SPDX-License-Identifier: Apache-2.0
/*
 * The state of a drift in a file, little-endian:
 *
 *	0	magic "NPUDRFT1"
 *	8	u32 elements of a vector, 0 before the first
 *	12	u32 vectors of the window
 *	16	u32 similarities of the history
 *	20	u32 0
 *	24	SHA-256 of the model, 32 bytes; all 0: not known
 *	56	the vectors, f32, of length 1, the oldest first
 *		the similarities, f64, the oldest first
 *		SHA-256 of all that is before it, 32 bytes
 */
#include <inttypes.h>
#include <math.h>
#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "stats/drift_impl.h"

#define MAGIC "NPUDRFT1"

enum { HEAD = 56 };

struct head {
	uint32_t dim, vectors, similarities, zero;
	uint8_t model[DRIFT_MODEL];
};

/* ---- Model ------------------------------------------------------------ */

static const uint8_t unknown[DRIFT_MODEL];

/* The first digits, by which users recognise it. */
static void
short_digest(const uint8_t *sha256, char text[13])
{
	for (int i = 0; i < 6; i++)
		snprintf(text + 2 * i, 3, "%02x", sha256[i]);
}

int
drift_model(struct drift *d, const uint8_t *sha256, struct npu_err *err)
{
	char old[13], new[13];

	if (sha256 == NULL || memcmp(sha256, d->model, DRIFT_MODEL) == 0)
		return 0;
	if (memcmp(d->model, unknown, DRIFT_MODEL) != 0) {
		short_digest(d->model, old);
		short_digest(sha256, new);
		return npu_fail(err, NPU_EUSAGE, "belongs to model %s..., "
		    "those before it to %s...", new, old);
	}
	memcpy(d->model, sha256, DRIFT_MODEL);
	return 0;
}

/* ---- Writing ---------------------------------------------------------- */

void
drift_encode(const struct drift *d, struct buf *b)
{
	uint32_t head[4] = { (uint32_t)d->dim, (uint32_t)d->vectors.n,
	    (uint32_t)d->similarities.n, 0 };
	uint8_t digest[SHA256_DIGEST_LENGTH];
	size_t start = b->n;
	SHA2_CTX sha;

	buf_add(b, MAGIC, strlen(MAGIC));
	buf_add(b, head, sizeof(head));
	buf_add(b, d->model, sizeof(d->model));
	for (size_t i = 0; i < d->vectors.n; i++)
		buf_add(b, d->unit + ring_at(&d->vectors, i) * d->dim,
		    d->dim * sizeof(*d->unit));
	for (size_t i = 0; i < d->similarities.n; i++)
		buf_add(b, &d->similarity[ring_at(&d->similarities, i)],
		    sizeof(*d->similarity));
	if (b->failed)
		return;
	SHA256Init(&sha);
	SHA256Update(&sha, (const uint8_t *)b->p + start, b->n - start);
	SHA256Final(digest, &sha);
	buf_add(b, digest, sizeof(digest));
}

/* ---- Reading ---------------------------------------------------------- */

static int
check_digest(struct bytes b, struct npu_err *err)
{
	uint8_t digest[SHA256_DIGEST_LENGTH];
	SHA2_CTX sha;

	SHA256Init(&sha);
	SHA256Update(&sha, b.p, b.n - sizeof(digest));
	SHA256Final(digest, &sha);
	if (memcmp(digest, b.p + b.n - sizeof(digest), sizeof(digest)) != 0)
		return npu_fail(err, NPU_EFORMAT, "is damaged: its checksum "
		    "is not that of its %zu bytes", b.n);
	return 0;
}

static int
check_head(const struct head *h, struct npu_err *err)
{
	if (h->zero != 0)
		return npu_fail(err, NPU_EFORMAT, "offset 20 is %" PRIu32
		    ", but must be 0", h->zero);
	if (h->dim > DRIFT_DIM)
		return npu_fail(err, NPU_EFORMAT, "vectors of %" PRIu32
		    " elements, at most %d are known", h->dim, DRIFT_DIM);
	if (h->vectors > DRIFT_LENGTH || (h->dim == 0 && h->vectors != 0))
		return npu_fail(err, NPU_EFORMAT, "%" PRIu32 " vectors of %"
		    PRIu32 " elements cannot be", h->vectors, h->dim);
	if (h->similarities > DRIFT_LENGTH)
		return npu_fail(err, NPU_EFORMAT, "%" PRIu32 " similarities, "
		    "at most %d are kept", h->similarities, DRIFT_LENGTH);
	return 0;
}

static int
read_head(struct bytes b, struct head *h, struct npu_err *err)
{
	uint64_t size;
	int rc;

	if (!bytes_start(b, MAGIC))
		return npu_fail(err, NPU_EFORMAT, "not a state of vec-drift: "
		    "it does not begin with " MAGIC);
	memset(h, 0, sizeof(*h));
	if (!bytes_get(b, 8, h, 16) ||
	    !bytes_get(b, 24, h->model, DRIFT_MODEL))
		return npu_fail(err, NPU_EFORMAT, "ends within its header, "
		    "after %zu bytes", b.n);
	if ((rc = check_head(h, err)) < 0)
		return rc;
	size = HEAD + (uint64_t)h->vectors * h->dim * sizeof(float) +
	    h->similarities * sizeof(double) + SHA256_DIGEST_LENGTH;
	if (b.n != size)
		return npu_fail(err, NPU_EFORMAT, "truncated or too long: "
		    "%zu bytes, not %" PRIu64, b.n, size);
	return check_digest(b, err);
}

/* A checksum does not prove that the contents are valid: the writer may have
 * been wrong. */
static int
check_unit(const float *x, size_t dim, size_t i, struct npu_err *err)
{
	double sum = 0;

	for (size_t k = 0; k < dim; k++)
		sum += (double)x[k] * (double)x[k];
	if (!(fabs(sum - 1) < 1e-3))
		return npu_fail(err, NPU_EFORMAT, "vector %zu has a squared "
		    "length of %g, not of 1", i + 1, sum);
	return 0;
}

/* Vectors beyond the size of the window push the oldest out. */
static int
read_vectors(struct drift *d, struct bytes b, const struct head *h,
    struct npu_err *err)
{
	int rc;

	if (h->dim == 0)
		return 0;
	if ((rc = drift_set_dim(d, h->dim, err)) < 0)
		return rc;
	for (size_t i = 0; i < h->vectors; i++) {
		bytes_get(b, HEAD + (uint64_t)i * h->dim * sizeof(float),
		    d->x, h->dim * sizeof(float));
		if ((rc = check_unit(d->x, h->dim, i, err)) < 0)
			return rc;
		memcpy(d->unit + ring_push(&d->vectors) * h->dim, d->x,
		    h->dim * sizeof(float));
	}
	return 0;
}

static int
read_similarities(struct drift *d, struct bytes b, const struct head *h,
    struct npu_err *err)
{
	uint64_t from = HEAD + (uint64_t)h->vectors * h->dim * sizeof(float);
	double s = 0;

	for (size_t i = 0; i < h->similarities; i++) {
		bytes_get(b, from + i * sizeof(s), &s, sizeof(s));
		if (!(s >= -1 && s <= 1))
			return npu_fail(err, NPU_EFORMAT, "similarity %zu is "
			    "%g, not from -1 to 1", i + 1, s);
		d->similarity[ring_push(&d->similarities)] = s;
	}
	return 0;
}

int
drift_decode(struct drift *d, struct bytes b, struct npu_err *err)
{
	struct head h;
	int rc;

	if ((rc = read_head(b, &h, err)) < 0 ||
	    (rc = read_vectors(d, b, &h, err)) < 0 ||
	    (rc = read_similarities(d, b, &h, err)) < 0)
		return rc;
	memcpy(d->model, h.model, sizeof(d->model));
	return 0;
}
