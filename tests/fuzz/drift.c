// SPDX-License-Identifier: Apache-2.0
/*
 * A state of vec-drift.  The fuzzer makes all but the checksum.  A state that
 * is accepted is written back as the same bytes, and can be used.  There are
 * two exceptions: a state that uses more windows than it needs may be written
 * in fewer bytes, and a state of an earlier version is written with 40 more
 * bytes.
 */
#include <math.h>
#include <sha2.h>
#include <stdlib.h>
#include <string.h>

#include "stats/drift.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static void
use(struct drift *d, const struct buf *b)
{
	struct drift_verdict v;
	struct buf again = { 0 };
	uint32_t dim, more;
	size_t most = b->n;
	float *x;

	drift_encode(d, &again);
	memcpy(&more, b->p + 20, sizeof(more));
	most += more == 1 ? 40 : 0;
	if (again.n > most || ((more == 0 || (more == 2 && again.n == most)) &&
	    memcmp(again.p, b->p, b->n) != 0))
		abort();
	buf_free(&again);
	memcpy(&dim, b->p + 8, sizeof(dim));
	if (dim == 0 || (x = calloc(dim, sizeof(*x))) == NULL)
		return;
	x[0] = 1;
	if (drift_add(d, x, dim, &v, NULL) < 0 ||
	    (v.window > 0 && !(v.similarity >= -1 && v.similarity <= 1)) ||
	    (v.history > 0 && !(v.mad >= 0)))
		abort();
	free(x);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	/* The options are large enough to keep everything that was read. */
	struct drift_options o = { .window = 10, .history = 10,
	    .warmup = 1, .below = NAN, .mads = 1, .floor = 0 };
	struct buf b = { 0 };
	uint8_t digest[SHA256_DIGEST_LENGTH];
	uint32_t kept[2] = { 0, 0 };
	struct drift *d;
	SHA2_CTX sha;

	buf_add(&b, "NPUDRFT1", 8);
	buf_add(&b, p, n);
	SHA256Init(&sha);
	SHA256Update(&sha, (uint8_t *)b.p, b.n);
	SHA256Final(digest, &sha);
	buf_add(&b, digest, sizeof(digest));
	if (n >= 12)
		memcpy(kept, p + 4, sizeof(kept));
	if (drift_open(&d, &o, NULL) < 0)
		abort();
	if (drift_decode(d, (struct bytes){ (uint8_t *)b.p, b.n }, NULL) == 0
	    && kept[0] <= 10 && kept[1] <= 10)
		use(d, &b);
	drift_close(d);
	buf_free(&b);
	return 0;
}
