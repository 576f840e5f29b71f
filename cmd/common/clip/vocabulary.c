// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "cmd.h"
#include "vocabulary.h"

enum { MOST_VOCAB = 64 << 20 };	/* bytes; OpenAI's has 3.2 MB */

const char *
vocabulary_path(const char *option)
{
	const char *path = option != NULL ? option : getenv("CLIP_VOCAB");

	return path == NULL || (option == NULL && *path == '\0') ? NULL : path;
}

static int
read_file(const char *path, struct buf *b, struct npu_err *err)
{
	bool in = strcmp(path, "-") == 0;
	int fd = in ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC |
	    O_NOCTTY);
	int rc;

	if (fd < 0)
		return npu_fail(err, NPU_ESYSTEM, "%s", strerror(errno));
	cmd_note_input(fd);
	rc = file_read(fd, MOST_VOCAB, b, err);
	if (!in)
		close(fd);
	return rc;
}

int
vocabulary_read(const char *path, const struct npu_bpe **bpe,
    struct npu_err *err)
{
	struct npu_bpe *own;
	struct buf b = { 0 };
	int rc;

	if (path == NULL) {
		*bpe = npu_bpe_clip();
		return 0;
	}
	if ((rc = read_file(path, &b, err)) == 0 &&
	    (rc = npu_bpe_open(&own, b.p, b.n, err)) == 0)
		*bpe = own;
	buf_free(&b);
	return rc;
}

const struct npu_bpe *
vocabulary_open(const char *option)
{
	const char *path = vocabulary_path(option);
	const struct npu_bpe *bpe = NULL;
	struct npu_err err;

	if (vocabulary_read(path, &bpe, &err) < 0)
		cmd_die_err(*path != '\0' ? cmd_input_name(path) :
		    "--vocab=''", &err);
	return bpe;
}

void
vocabulary_close(const struct npu_bpe *bpe)
{
	if (bpe != npu_bpe_clip())
		npu_bpe_close((struct npu_bpe *)bpe);
}
