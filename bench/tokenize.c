// SPDX-License-Identifier: Apache-2.0
/*
 * tokenize FILE - measures how fast texts, one in each line, become rows of 77
 * ids in memory.
 *
 * The first line of output contains texts/s of a first pass by a new tokenizer
 * (the median of several tokenizers, with the vocabulary in memory), texts/s of
 * the best of all passes, the peak memory in KiB, and texts/s of the very first
 * pass of this process.  The second line contains MB/s of the first pass, of
 * the best pass, and of adding up the bytes.
 */
#include <string.h>
#include <sys/resource.h>

#include "bench.h"
#include "npu.h"

enum { PASSES = 9, CODERS = 5 };

_Noreturn static void
fail(const char *what)
{
	fprintf(stderr, "tokenize: %s\n", what);
	exit(1);
}

/* The input, and memory for the results. */
static char *text;
static size_t bytes, lines;
static int32_t *rows;

static void
read_file(const char *path)
{
	FILE *f = fopen(path, "r");
	long n;

	if (f == NULL || fseek(f, 0, SEEK_END) != 0 || (n = ftell(f)) < 0)
		fail("the file cannot be read");
	rewind(f);
	bytes = (size_t)n;
	text = malloc(bytes + 1);
	if (text == NULL || fread(text, 1, bytes, f) != bytes)
		fail("the file cannot be read");
	fclose(f);
	for (size_t i = 0; i < bytes; i++)
		lines += text[i] == '\n';
	if (lines == 0 || text[bytes - 1] != '\n')
		fail("the file has no lines");
	n = (long)(lines * NPU_CLIP_LENGTH * sizeof(*rows));
	if ((rows = malloc((size_t)n)) == NULL)
		fail("out of memory");
	memset(rows, 0xff, (size_t)n);	/* maps the pages */
}

/* Returns the milliseconds of one pass. */
static double
pass(struct npu_tokenizer *tokenizer)
{
	double begin = now_ms();
	const char *p = text, *end = text + bytes, *next;
	int32_t *row = rows;
	const int32_t *id;
	size_t n;

	for (; p < end; p = next + 1, row += NPU_CLIP_LENGTH) {
		next = memchr(p, '\n', (size_t)(end - p));
		if (npu_encode(tokenizer, p, (size_t)(next - p), &id, &n,
		    NULL) < 0)
			fail("out of memory");
		npu_clip_row(id, n, row, NPU_CLIP_LENGTH);
	}
	return now_ms() - begin;
}

/* Returns the milliseconds of the minimum work on the bytes. */
static double
look(void)
{
	double begin = now_ms();
	volatile uint64_t sum = 0;
	uint64_t s = 0;

	for (size_t i = 0; i < bytes; i++)
		s += (unsigned char)text[i];
	sum = s;
	(void)sum;
	return now_ms() - begin;
}

/* Returns the milliseconds of a tokenizer's first pass. */
static double
first_pass(void)
{
	struct npu_tokenizer *tokenizer;
	double ms;

	if (npu_tokenizer_open(&tokenizer, npu_bpe_clip(), NULL) < 0)
		fail("out of memory");
	ms = pass(tokenizer);
	npu_tokenizer_close(tokenizer);
	return ms;
}

int
main(int argc, char *argv[])
{
	struct npu_tokenizer *tokenizer;
	struct rusage use;
	double fresh, firsts[CODERS], first, best, seen;

	if (argc != 2)
		return 2;
	read_file(argv[1]);
	fresh = first_pass();
	for (int i = 0; i < CODERS; i++)
		firsts[i] = first_pass();
	best = first = median(firsts, CODERS);
	if (npu_tokenizer_open(&tokenizer, npu_bpe_clip(), NULL) < 0)
		fail("out of memory");
	seen = look();
	for (int i = 0; i < PASSES; i++) {
		double ms = pass(tokenizer), s = look();

		best = ms < best ? ms : best;
		seen = s < seen ? s : seen;
	}
	getrusage(RUSAGE_SELF, &use);
	printf("%.0f %.0f %ld %.0f\n", (double)lines / first * 1e3,
	    (double)lines / best * 1e3, use.ru_maxrss,
	    (double)lines / fresh * 1e3);
	printf("%.1f %.1f %.1f\n", (double)bytes / first / 1e3,
	    (double)bytes / best / 1e3, (double)bytes / seen / 1e3);
	npu_tokenizer_close(tokenizer);
	free(rows);
	free(text);
	return 0;
}
