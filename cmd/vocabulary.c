// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "cmd.h"
#include "vocabulary.h"

enum { MOST_VOCAB = 64 << 20 };	/* bytes; OpenAI's has 3.2 MB */

const char *
vocabulary_path(const char *option)
{
	const char *path = option != NULL ? option : getenv("CLIP_VOCAB");

	return path == NULL || (option == NULL && *path == '\0') ? NULL : path;
}

const struct npu_bpe *
vocabulary_open(const char *option)
{
	const char *path = vocabulary_path(option);
	struct npu_bpe *bpe;
	struct npu_err err;
	size_t n;
	void *p;

	if (path == NULL)
		return npu_bpe_clip();
	p = cmd_read_file(path, MOST_VOCAB, &n);
	if (npu_bpe_open(&bpe, p, n, &err) < 0)
		cmd_die_err(path, &err);
	free(p);
	return bpe;
}

void
vocabulary_close(const struct npu_bpe *bpe)
{
	if (bpe != npu_bpe_clip())
		npu_bpe_close((struct npu_bpe *)bpe);
}
