// SPDX-License-Identifier: Apache-2.0
/*
 * mutants [NUMBER [FILE]...] - this one process reads so many mutants (1000) of
 * sound containers, or of the files, in all ways.
 */
#include <time.h>

#include "base/file.h"
#include "fuzz/axlfread.h"
#include "tap.h"
#include "tools/axlfgen/axlf.h"

const struct program program = { .name = "mutants" };

static uint64_t state = 12345;

static uint32_t
draw(uint32_t below)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return below == 0 ? 0 : (uint32_t)(state >> 33) % below;
}

/* Numbers that are often the first or last that fit. */
static uint32_t
word(size_t n)
{
	static const uint32_t odd[] = { 0, 1, 2, 7, 96, 184, 0x7fffffff,
	    0x80000000, 0xfffffff8, 0xffffffff };

	switch (draw(3)) {
	case 0: return odd[draw(sizeof(odd) / sizeof(*odd))];
	case 1: return draw((uint32_t)n + 16);
	default: return draw(UINT32_MAX);
	}
}

/* Changes one to four words or bytes, half of them in the header and the table,
 * or cuts the file. */
static size_t
mutate(uint8_t *p, size_t n)
{
	for (uint32_t i = 1 + draw(4); i > 0; i--) {
		size_t at = draw((uint32_t)(draw(2) == 0 || n < 1000 ? n :
		    1000));
		uint32_t v = word(n);

		switch (draw(8)) {
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

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Reads so many mutants of a sound container, each a copy without a byte to
 * spare. */
static void
mutants(const char *name, const struct buf *sound, size_t number)
{
	double longest = 0, start;
	size_t shown = 0;

	for (size_t i = 0; i < number; i++) {
		uint8_t *p = malloc(sound->n), *copy;
		size_t n;

		if (p == NULL)
			exit(1);
		memcpy(p, sound->p, sound->n);
		n = mutate(p, sound->n);
		if ((copy = malloc(n > 0 ? n : 1)) == NULL)
			exit(1);
		memcpy(copy, p, n);
		free(p);
		start = now();
		shown += axlfread((struct bytes){ copy, n });
		if (now() - start > longest)
			longest = now() - start;
		free(copy);
	}
	ok(shown > number / 10 && shown < number, "%s: mutants are shown or "
	    "refused", name);
	diag("%zu of %zu are shown; the longest took %.3f s", shown, number,
	    longest);
}

static void
mutants_of(const char *name, size_t number)
{
	struct buf b = { 0 };

	axlfgen_named(name, &b);
	mutants(name, &b, number);
	buf_free(&b);
}

int
main(int argc, char *argv[])
{
	size_t number = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
	struct npu_err err;

	for (int i = 2; i < argc; i++) {
		struct buf b = { 0 };

		if (!ok(file_load(argv[i], 1 << 24, &b, &err) == 0, "%s",
		    argv[i]))
			continue;
		mutants(argv[i], &b, number);
		buf_free(&b);
	}
	if (argc < 3) {
		mutants_of("sound", number);
		mutants_of("two", number);
		mutants_of("twice", number);
	}
	return done();
}
