// SPDX-License-Identifier: Apache-2.0
/*
 * vocab - writes CLIP's vocabulary as a constant of text/vocab.h.
 *
 *	vocab bpe_simple_vocab_16e6.txt > vocab_tables.c
 *
 * The build runs it, on the machine that builds.
 */
#include <stdio.h>
#include <stdlib.h>

#include "text/vocab.h"

enum { MOST_FILE = 64 << 20 };

static uint8_t text[MOST_FILE];
static struct npu_bpe vocab;

_Noreturn static void
fail(const char *path, const char *reason)
{
	fprintf(stderr, "vocab: %s: %s\n", path, reason);
	exit(1);
}

static void
read_file(const char *path)
{
	struct npu_err err;
	FILE *f = fopen(path, "r");
	size_t n;

	if (f == NULL)
		fail(path, "cannot be read");
	n = fread(text, 1, sizeof(text), f);
	if (ferror(f) || n == sizeof(text))
		fail(path, "is not CLIP's vocabulary");
	fclose(f);
	if (vocab_read(&vocab, (struct bytes){ text, n }, &err) < 0)
		fail(path, err.msg);
}

/* Writes tables with gaps: it omits elements that are 0. */
static void
write_gaps(void)
{
	int i;

	printf("\t.sieve = {\n");
	for (i = 0; i < 1 << (VOCAB_SIEVE_BITS - 6); i++)
		printf("%#llx,\n", (unsigned long long)vocab.sieve[i]);
	printf("\t},\n\t.seen = {\n");
	for (i = 0; i < 1 << (WORD_TABLE_SEEN_BITS - 6); i++)
		printf("%#llx,\n", (unsigned long long)vocab.seen[i]);
	printf("\t},\n\t.slot = {\n");
	for (i = 0; i < VOCAB_SLOTS; i++)
		if (vocab.slot[i] != 0)
			printf("[%d]=%#llx,\n", i,
			    (unsigned long long)vocab.slot[i]);
	printf("\t},\n\t.word = {\n");
	for (i = 0; i < WORD_TABLE_SLOTS; i++)
		if (vocab.word[i].high != 0)
			printf("[%d]={%#llx,%#llx},\n", i,
			    (unsigned long long)vocab.word[i].low,
			    (unsigned long long)vocab.word[i].high);
	printf("\t},\n");
}

static void
write_rest(void)
{
	int i;

	printf("\t.bytes = {\n");
	for (i = 0; i < 256 * 256; i++)
		printf("%s%u,%s", i % 256 == 0 ? "{" : "",
		    vocab.bytes[i / 256][i % 256],
		    i % 256 == 255 ? "},\n" : "");
	printf("\t},\n\t.half = {\n");
	for (i = 0; i < VOCAB_TOKENS; i++)
		printf("%u,%s", vocab.half[i], i % 8 == 7 ? "\n" : "");
	printf("\t},\n\t.byte_id = {\n");
	for (i = 0; i < 256; i++)
		printf("%u,%s", vocab.byte_id[i], i % 16 == 15 ? "\n" : "");
	printf("\t},\n\t.byte_of = {\n");
	for (i = 0; i < 256; i++)
		printf("%u,%s", vocab.byte_of[i], i % 16 == 15 ? "\n" : "");
	printf("\t},\n\t.sha256 = \"%s\",\n", vocab.sha256);
}

int
main(int argc, char *argv[])
{
	read_file(argc == 2 ? argv[1] : "");
	printf("// SPDX-License-Identifier: MIT\n"
	    "/* Made by scripts/tables/vocab.c from CLIP's vocabulary. */\n"
	    "#include \"text/vocab.h\"\n\n"
	    "static const struct npu_bpe clip = {\n");
	write_gaps();
	write_rest();
	printf("};\n\nconst struct npu_bpe *\nnpu_bpe_clip(void)\n{\n"
	    "\treturn &clip;\n}\n");
	return fflush(stdout) != 0 || ferror(stdout);
}
