// SPDX-License-Identifier: Apache-2.0
/*
 * Reads and writes the state of a drift as a file, little-endian:
 *
 *	0	magic "NPUDRFT1"
 *	8	u32 elements of a vector, 0 before the first
 *	12	u32 vectors of the window
 *	16	u32 similarities of the history
 *	20	u32 0; or 2: the usual vectors are not the last ones
 *	24	SHA-256 of the model, 32 bytes; all 0: unknown
 *	56	the vectors, f32, of length 1, the oldest first
 *		the similarities, f64, the oldest first
 *		if 2: u32 usual vectors; u32 vectors of the state before; u32
 *		vectors since the last usual one; u32 vectors of the normal
 *		state before; for these three states, u32 vectors until it is
 *		normal; u32 0; f64 limit for each; the vectors of each
 *		SHA-256 of all bytes before it, 32 bytes
 *
 * Earlier versions wrote 1 at 20.  After the similarities they wrote only four
 * u32, the last of which is 0, and the vectors of two states.
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

enum { HEAD = 56, MORE_1 = 16, MORE = 56, STATES = 1 + DRIFT_BEFORE };

struct head {
	uint32_t dim, vectors, similarities, more;
	uint8_t model[DRIFT_MODEL];
};

struct more {
	uint32_t usual, before, away, normal, left[STATES], zero;
	double limit[STATES];
};

/* Returns the i-th state in a file. */
static struct drift_window *
state_of(struct drift *d, size_t i)
{
	return i == 0 ? &d->usual : &d->before[i - 1];
}

/* ---- Model ------------------------------------------------------------ */

static const uint8_t unknown[DRIFT_MODEL];

/* Writes the first digits, which users recognise. */
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

/* Returns whether the usual vectors are the last vectors, without other
 * states. */
static bool
is_plain(const struct drift *d)
{
	if (d->before[0].ring.n != 0 || d->before[1].ring.n != 0 ||
	    d->away != 0 || d->usual.left != 0 ||
	    d->usual.ring.n != d->last.ring.n)
		return false;
	for (size_t i = 0; i < d->last.ring.n; i++)
		if (memcmp(window_at(d, &d->usual, i),
		    window_at(d, &d->last, i), d->dim * sizeof(float)) != 0)
			return false;
	return true;
}

static void
write_window(const struct drift *d, const struct drift_window *w,
    struct buf *b)
{
	for (size_t i = 0; i < w->ring.n; i++)
		buf_add(b, window_at(d, w, i), d->dim * sizeof(float));
}

static void
write_more(const struct drift *d, struct buf *b)
{
	const struct drift_window *states[STATES] = { &d->usual,
	    &d->before[0], &d->before[1] };
	struct more m = { .usual = (uint32_t)d->usual.ring.n,
	    .before = (uint32_t)d->before[0].ring.n,
	    .away = (uint32_t)d->away,
	    .normal = (uint32_t)d->before[1].ring.n };

	for (size_t i = 0; i < STATES; i++) {
		m.left[i] = (uint32_t)states[i]->left;
		m.limit[i] = states[i]->limit;
	}
	buf_add(b, &m, sizeof(m));
	for (size_t i = 0; i < STATES; i++)
		write_window(d, states[i], b);
}

void
drift_encode(const struct drift *d, struct buf *b)
{
	uint32_t head[4] = { (uint32_t)d->dim, (uint32_t)d->last.ring.n,
	    (uint32_t)d->similarities.n, is_plain(d) ? 0 : 2 };
	uint8_t digest[SHA256_DIGEST_LENGTH];
	size_t start = b->n;
	SHA2_CTX sha;

	buf_add(b, MAGIC, strlen(MAGIC));
	buf_add(b, head, sizeof(head));
	buf_add(b, d->model, sizeof(d->model));
	write_window(d, &d->last, b);
	for (size_t i = 0; i < d->similarities.n; i++)
		buf_add(b, &d->similarity[ring_at(&d->similarities, i)],
		    sizeof(*d->similarity));
	if (head[3] != 0)
		write_more(d, b);
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
		    "does not match its %zu bytes", b.n);
	return 0;
}

static int
check_head(const struct head *h, struct npu_err *err)
{
	if (h->more > 2)
		return npu_fail(err, NPU_EFORMAT, "offset 20 is %" PRIu32
		    ", but must be 0, 1 or 2", h->more);
	if (h->dim > DRIFT_DIM)
		return npu_fail(err, NPU_EFORMAT, "vectors of %" PRIu32
		    " elements, at most %d are known", h->dim, DRIFT_DIM);
	if (h->vectors > DRIFT_LENGTH ||
	    (h->dim == 0 && (h->vectors != 0 || h->more != 0)))
		return npu_fail(err, NPU_EFORMAT, "%" PRIu32 " vectors of %"
		    PRIu32 " elements cannot be", h->vectors, h->dim);
	if (h->similarities > DRIFT_LENGTH)
		return npu_fail(err, NPU_EFORMAT, "%" PRIu32 " similarities, "
		    "at most %d are kept", h->similarities, DRIFT_LENGTH);
	return 0;
}

static int
check_counts(const struct head *h, const struct more *m, struct npu_err *err)
{
	if (m->zero != 0)
		return npu_fail(err, NPU_EFORMAT, "the number after its "
		    "similarities and %s others is %" PRIu32 ", but must "
		    "be 0", h->more == 1 ? "three" : "seven", m->zero);
	if (m->usual > DRIFT_LENGTH || m->before > DRIFT_LENGTH ||
	    m->normal > DRIFT_LENGTH || m->away > DRIFT_LENGTH)
		return npu_fail(err, NPU_EFORMAT, "%" PRIu32 ", %" PRIu32
		    " and %" PRIu32 " usual vectors, and %" PRIu32 " since "
		    "then: at most %d are kept", m->usual, m->before,
		    m->normal, m->away, DRIFT_LENGTH);
	return 0;
}

static int
check_more(const struct head *h, const struct more *m, struct npu_err *err)
{
	int rc;

	if ((rc = check_counts(h, m, err)) < 0)
		return rc;
	for (size_t i = 0; i < STATES; i++) {
		if (m->left[i] > DRIFT_LENGTH)
			return npu_fail(err, NPU_EFORMAT, "state %zu needs %"
			    PRIu32 " vectors, more than %d", i + 1,
			    m->left[i], DRIFT_LENGTH);
		if (m->limit[i] > 1 || isinf(m->limit[i]))
			return npu_fail(err, NPU_EFORMAT, "the limit of state "
			    "%zu is %g, but a cosine has at most 1", i + 1,
			    m->limit[i]);
	}
	return 0;
}

/* Returns the number of bytes of so many vectors. */
static uint64_t
size_of(const struct head *h, uint64_t vectors)
{
	return vectors * h->dim * sizeof(float);
}

/* Returns the number of bytes between the similarities and the vectors after
 * them. */
static size_t
size_of_more(const struct head *h)
{
	return h->more == 0 ? 0 : h->more == 1 ? MORE_1 : MORE;
}

/* Reads the counts; an earlier version has fewer. */
static void
get_more(struct bytes b, uint64_t at, const struct head *h, struct more *m)
{
	bytes_get(b, at, m, size_of_more(h));
	if (h->more == 1) {
		m->zero = m->normal;
		m->normal = 0;
	}
}

/* Returns the offset of the end of the similarities. */
static uint64_t
end_of(const struct head *h)
{
	return HEAD + size_of(h, h->vectors) + h->similarities * sizeof(double);
}

static int
read_head(struct bytes b, struct head *h, struct more *m,
    struct npu_err *err)
{
	uint64_t size;
	int rc;

	if (!bytes_start(b, MAGIC))
		return npu_fail(err, NPU_EFORMAT, "not a state of vec-drift: "
		    "it does not begin with " MAGIC);
	memset(h, 0, sizeof(*h));
	memset(m, 0, sizeof(*m));
	if (!bytes_get(b, 8, h, 16) ||
	    !bytes_get(b, 24, h->model, DRIFT_MODEL))
		return npu_fail(err, NPU_EFORMAT, "ends within its header, "
		    "after %zu bytes", b.n);
	if ((rc = check_head(h, err)) < 0)
		return rc;
	size = end_of(h);
	if (h->more != 0) {
		get_more(b, size, h, m);
		size += size_of_more(h) + size_of(h, (uint64_t)m->usual +
		    m->before + m->normal);
	}
	size += SHA256_DIGEST_LENGTH;
	if (b.n != size)
		return npu_fail(err, NPU_EFORMAT, "truncated or too long: "
		    "%zu bytes, not %" PRIu64, b.n, size);
	if ((rc = check_digest(b, err)) < 0)
		return rc;
	return check_more(h, m, err);
}

/* A correct checksum does not prove that the contents are valid: the writer may
 * have had a bug. */
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

/* Reads n vectors; vectors that exceed the size of the window replace the
 * oldest.  first is the number of vectors before them in the file. */
static int
read_window(struct drift *d, struct drift_window *w, struct bytes b,
    uint64_t from, size_t n, size_t first, struct npu_err *err)
{
	int rc;

	for (size_t i = 0; i < n; i++) {
		bytes_get(b, from + (uint64_t)i * d->dim * sizeof(float),
		    d->x, d->dim * sizeof(float));
		if ((rc = check_unit(d->x, d->dim, first + i, err)) < 0)
			return rc;
		drift_push(d, w, d->x);
	}
	return 0;
}

static int
read_states(struct drift *d, struct bytes b, const struct head *h,
    const struct more *m, struct npu_err *err)
{
	const size_t n[STATES] = { m->usual, m->before, m->normal };
	uint64_t from = end_of(h) + size_of_more(h);
	size_t first = h->vectors;
	int rc;

	for (size_t i = 0; i < STATES; i++) {
		struct drift_window *w = state_of(d, i);

		if ((rc = read_window(d, w, b, from, n[i], first, err)) < 0)
			return rc;
		w->left = m->left[i];
		/* An earlier version did not keep the limit. */
		w->limit = h->more == 1 ? drift_limit(d) : m->limit[i];
		from += size_of(h, n[i]);
		first += n[i];
	}
	return 0;
}

static int
read_vectors(struct drift *d, struct bytes b, const struct head *h,
    const struct more *m, struct npu_err *err)
{
	size_t n = h->vectors;
	int rc;

	if (h->dim == 0)
		return 0;
	if ((rc = drift_set_dim(d, h->dim, err)) < 0 ||
	    (rc = read_window(d, &d->last, b, HEAD, n, 0, err)) < 0)
		return rc;
	d->away = m->away;
	if (h->more != 0)
		return read_states(d, b, h, m, err);
	drift_copy(d, &d->usual, &d->last);
	return 0;
}

static int
read_similarities(struct drift *d, struct bytes b, const struct head *h,
    struct npu_err *err)
{
	uint64_t from = HEAD + size_of(h, h->vectors);
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
	struct more m;
	int rc;

	if ((rc = read_head(b, &h, &m, err)) < 0 ||
	    (rc = read_similarities(d, b, &h, err)) < 0 ||
	    (rc = read_vectors(d, b, &h, &m, err)) < 0)
		return rc;
	memcpy(d->model, h.model, sizeof(d->model));
	return 0;
}
