// SPDX-License-Identifier: Apache-2.0
/*
 * Tests cix_mutate() of tests/fuzz/cixmutate.h on the sound models.  Most of
 * its mutants have a sound container, so the graph inside is read.  This
 * happens far more often than after plain changes of bytes.  Some mutants have
 * a sound graph as well.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz/cixmutate.h"
#include "model/cix.h"
#include "tap.h"
#include "tools/cixgen/make.h"

enum { MUTANTS = 2000, ROOM = 1 << 16 };

/* Imitates libFuzzer's most common mutations: changes a byte or a bit, inserts
 * or removes bytes, one to five times. */
size_t
LLVMFuzzerMutate(uint8_t *p, size_t n, size_t max)
{
	static struct mutant r = { .random = 12345 };

	for (uint32_t i = 1 + draw(&r, 5); i > 0; i--) {
		size_t at = draw(&r, (uint32_t)n);
		size_t some = 1 + draw(&r, 8);

		switch (draw(&r, 4)) {
		case 0:
			if (n > 0)
				p[at] = (uint8_t)draw(&r, 256);
			break;
		case 1:
			if (n > 0)
				p[at] ^= (uint8_t)(1 << draw(&r, 8));
			break;
		case 2:
			if (some > max - n)
				break;
			memmove(p + at + some, p + at, n - at);
			memset(p + at, (int)draw(&r, 256), some);
			n += some;
			break;
		default:
			if (n == 0 || some >= n - at)
				break;
			memmove(p + at, p + at + some, n - at - some);
			n -= some;
			break;
		}
	}
	return n;
}

/* Reads a mutant in all ways.  Returns the check that refuses it, or 0. */
static int
refusal(struct bytes file)
{
	struct cix_model m = { .n_graphs = 0 };
	struct cix_graph g = { .n_tensors = 0 };
	struct npu_err err = { 0 };
	int rc = cix_parse(file, &m, &err);

	cix_free(&m);
	if (cix_parse_lenient(file, &m, NULL) == 0)
		cix_free(&m);
	if (cix_parse_graph(file, &g, NULL) == 0)
		cix_graph_free(&g);
	return rc == 0 ? 0 : err.detail;
}

struct tally {
	unsigned reached, sound, odd;	/* reached: the graph was read; sound:
					 * the file is sound; odd: the mutant is
					 * larger than ROOM, or not changed */
	bool seen[CIX_BAD_END];
};

static void
count(struct tally *t, const struct buf *file, const uint8_t *p, size_t n)
{
	int why = refusal((struct bytes){ p, n });

	t->reached += why == 0 || why >= CIX_BAD_ELF_SHORT;
	t->sound += why == 0;
	t->odd += n > ROOM || (n == file->n && memcmp(p, file->p, n) == 0);
	t->seen[why] = true;
}

/* Mutates the sound models in turn. */
static void
mutate_all(bool aware, struct tally *t)
{
	static uint8_t p[ROOM];
	struct make m;
	size_t rows = 0, n;

	while (sound_rows[rows].name != NULL)
		rows++;
	for (unsigned i = 0; i < MUTANTS; i++) {
		m = (struct make){ .op = 1, .n_in = 1, .n_out = 1,
		    .graph.device = CIX_ISA_X2 << 16 | 1204 };
		m.in[0] = m.out[0] = (struct npu_tensor){ .dtype = NPU_S8,
		    .ndim = 1, .dim = { 64 }, .size = 64, .scale = 1 };
		make_model(&m, &sound_rows[i % rows]);
		if (m.file.n <= ROOM) {
			memcpy(p, m.file.p, m.file.n);
			n = aware ? cix_mutate(p, m.file.n, ROOM, i) :
			    LLVMFuzzerMutate(p, m.file.n, ROOM);
			count(t, &m.file, p, n);
		}
		make_free(&m);
	}
}

static unsigned
kinds(const struct tally *t)
{
	unsigned n = 0;

	for (int i = CIX_BAD_ELF_SHORT; i < CIX_BAD_END; i++)
		n += t->seen[i];
	return n;
}

int
main(void)
{
	struct tally aware = { 0 }, plain = { 0 };

	mutate_all(true, &aware);
	mutate_all(false, &plain);
	diag("%d mutants: %u and %u reach the graph, %u and %u are sound, "
	    "%u and %u checks of the graph met, %u unchanged", MUTANTS,
	    aware.reached, plain.reached, aware.sound, plain.sound,
	    kinds(&aware), kinds(&plain), aware.odd);
	ok(aware.reached * 100 >= 60 * MUTANTS,
	    "60 %% of the mutants reach the graph");
	ok(aware.sound * 100 >= 30 * MUTANTS,
	    "30 %% of the mutants are sound models");
	ok(kinds(&aware) > kinds(&plain),
	    "the mutants meet more checks of the graph than libFuzzer's");
	ok(aware.odd * 10 <= MUTANTS, "at most 10 %% of the mutants are "
	    "unchanged, or longer than allowed");
	return done();
}
