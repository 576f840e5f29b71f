// SPDX-License-Identifier: Apache-2.0
/*
 * Steps are at least 1, so the highest word belongs to the last element of all,
 * or to the last element of the last whole block.  A block is wrap0 elements of
 * a plane, or wrap0 x wrap1 elements of a cube.  A length is below 2^32 and a
 * step at most 2^20, so 64 bits are enough.
 */
#include "model/txn_sizes.h"

struct txn_shape {
	uint64_t step[3];
	uint32_t wrap[2];	/* 0: unused; otherwise below 2^10 */
};

static uint64_t
greater(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Returns the highest word of elements 0 to e in the first two dimensions. */
static uint64_t
plane(const struct txn_shape *s, uint32_t e)
{
	uint32_t wrap = s->wrap[0], block;
	uint64_t last;

	if (wrap == 0)
		return e * s->step[0];
	block = e / wrap;
	last = block * s->step[1] + e % wrap * s->step[0];
	if (block == 0)
		return last;
	return greater(last, (block - 1) * s->step[1] +
	    (wrap - 1) * s->step[0]);
}

/* Does the same in three dimensions. */
static uint64_t
cube(const struct txn_shape *s, uint32_t e)
{
	uint32_t size = s->wrap[0] * s->wrap[1], block;
	uint64_t last;

	if (size == 0)
		return plane(s, e);
	block = e / size;
	last = block * s->step[2] + plane(s, e % size);
	if (block == 0)
		return last;
	return greater(last, (block - 1) * s->step[2] + plane(s, size - 1));
}

/* Returns a step, which is stored less one. */
static uint64_t
step(uint32_t word)
{
	return (word & 0xfffff) + 1ull;
}

static struct txn_shape
shape(const uint32_t d[8])
{
	return (struct txn_shape){
		.step = { step(d[3]), step(d[4]), step(d[5]) },
		.wrap = { d[3] >> 20 & 0x3ff, d[4] >> 20 & 0x3ff },
	};
}

/* Returns the number of runs before the positions repeat.  The iteration's wrap
 * is stored less one. */
static unsigned
places(const uint32_t d[8])
{
	return (d[6] >> 20 & 0x3f) + 1;
}

uint64_t
txn_greatest_word(const uint32_t d[8], unsigned runs)
{
	const struct txn_shape s = shape(d);
	unsigned n = places(d) < runs ? places(d) : runs;

	return cube(&s, d[0] - 1) + (n - 1) * step(d[6]);
}

uint64_t
txn_word(const uint32_t d[8], uint32_t e, unsigned r)
{
	const struct txn_shape s = shape(d);
	uint64_t word = r % places(d) * step(d[6]);

	for (int i = 0; i < 2; i++) {
		if (s.wrap[i] == 0)
			return word + e * s.step[i];
		word += e % s.wrap[i] * s.step[i];
		e /= s.wrap[i];
	}
	return word + e * s.step[2];
}
