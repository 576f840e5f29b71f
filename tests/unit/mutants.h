/* SPDX-License-Identifier: Apache-2.0 */
/* Makes mutants of a valid file: a few words or bytes are changed, or the end
 * is cut off. */
#ifndef TESTS_UNIT_MUTANTS_H
#define TESTS_UNIT_MUTANTS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/bytes.h"
#include "tap.h"

static uint64_t mutants_state = 12345;

static inline uint32_t
mutants_draw(uint32_t below)
{
	mutants_state = mutants_state * 6364136223846793005u +
	    1442695040888963407u;
	return below == 0 ? 0 : (uint32_t)(mutants_state >> 33) % below;
}

/* Returns a random number, often one of the first or last numbers that fit. */
static inline uint32_t
mutants_word(size_t n)
{
	static const uint32_t odd[] = { 0, 1, 2, 7, 96, 184, 0x7fffffff,
	    0x80000000, 0xfffffff8, 0xffffffff };

	switch (mutants_draw(3)) {
	case 0: return odd[mutants_draw(sizeof(odd) / sizeof(*odd))];
	case 1: return mutants_draw((uint32_t)n + 16);
	default: return mutants_draw(UINT32_MAX);
	}
}

/* Changes one to four words or bytes, half of which are in the header and the
 * table, or cuts the file.  Returns the new size. */
static inline size_t
mutants_mutate(uint8_t *p, size_t n)
{
	for (uint32_t i = 1 + mutants_draw(4); i > 0; i--) {
		size_t at = mutants_draw(mutants_draw(2) == 0 || n < 1000 ?
		    (uint32_t)n : 1000);
		uint32_t v = mutants_word(n);

		switch (mutants_draw(8)) {
		case 0:
			n = at;
			break;
		case 1: case 2:
			if (at < n)
				p[at] = (uint8_t)v;
			break;
		default:
			at &= ~(size_t)3;
			if (at + 4 <= n)
				memcpy(p + at, &v, 4);
		}
	}
	return n;
}

static inline double
mutants_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/*
 * Makes 'number' mutants of a valid file and passes each to accept(), as a copy
 * that ends at the end of its allocation.  accept() returns true if it finds no
 * error in the mutant.  It must do so for at least 'least' mutants, but not for
 * all.
 */
static inline void
mutants(const char *name, struct bytes sound, size_t number, size_t least,
    bool (*accept)(struct bytes mutant))
{
	double longest = 0, start;
	size_t accepted = 0;

	if (brief()) {
		number /= 5;
		least /= 5;
	}
	for (size_t i = 0; i < number; i++) {
		uint8_t *p = malloc(sound.n), *copy;
		size_t n;

		if (p == NULL)
			exit(1);
		memcpy(p, sound.p, sound.n);
		n = mutants_mutate(p, sound.n);
		if ((copy = malloc(n > 0 ? n : 1)) == NULL)
			exit(1);
		memcpy(copy, p, n);
		free(p);
		start = mutants_now();
		accepted += accept((struct bytes){ copy, n });
		if (mutants_now() - start > longest)
			longest = mutants_now() - start;
		free(copy);
	}
	ok(accepted >= least && accepted < number, "%s: at least as many "
	    "mutants as expected are accepted, but not all", name);
	diag("%zu of %zu mutants are accepted; the longest call took %.3f s",
	    accepted, number, longest);
}

#endif
