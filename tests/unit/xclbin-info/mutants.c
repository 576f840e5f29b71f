// SPDX-License-Identifier: Apache-2.0
/*
 * mutants [NUMBER [FILE]...] - reads, in one process and in all ways, NUMBER
 * mutants (default 1000) of sound containers, or of each FILE.
 */
#include "base/file.h"
#include "fuzz/axlfread.h"
#include "mutants.h"
#include "tools/axlfgen/axlf.h"

const struct program program = { .name = "mutants" };

static bool
shown(struct bytes mutant)
{
	return axlfread(mutant);
}

static void
mutants_of_buf(const char *name, const struct buf *b, size_t number)
{
	mutants(name, (struct bytes){ (uint8_t *)b->p, b->n }, number,
	    number / 10, shown);
}

static void
mutants_of(const char *name, size_t number)
{
	struct buf b = { 0 };

	axlfgen_named(name, &b);
	mutants_of_buf(name, &b, number);
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
		mutants_of_buf(argv[i], &b, number);
		buf_free(&b);
	}
	if (argc < 3) {
		mutants_of("sound", number);
		mutants_of("two", number);
		mutants_of("twice", number);
	}
	return done();
}
