// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "vocabulary.h"

enum { MOST_VOCAB = 64 << 20 };	/* bytes; OpenAI's has 3.2 MB */

char *
vocabulary_path(const char *option)
{
	const char *path = option != NULL ? option : getenv("CLIP_VOCAB");
	char *copy;

	if (path == NULL || (option == NULL && *path == '\0'))
		return cmd_data_path(
		    "share/npu-utils/bpe_simple_vocab_16e6.txt");
	if ((copy = strdup(path)) == NULL)
		cmd_die("out of memory");
	return copy;
}

struct npu_bpe *
vocabulary_open(const char *option)
{
	char *path = vocabulary_path(option);
	struct npu_bpe *bpe;
	struct npu_err err;
	size_t n;
	void *p;

	if (path == NULL)
		cmd_die("no vocabulary is installed; run 'make' where the "
		    "project is built, or name CLIP's "
		    "bpe_simple_vocab_16e6.txt (plain or .gz) with --vocab or "
		    "CLIP_VOCAB");
	p = cmd_read_file(path, MOST_VOCAB, &n);
	if (npu_bpe_open(&bpe, p, n, &err) < 0)
		cmd_die_err(path, &err);
	free(p);
	free(path);
	return bpe;
}
