// SPDX-License-Identifier: Apache-2.0
/* Tests CLIP's vocabulary as other systems save it, and invalid lines. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "npu.h"
#include "tap.h"

static struct buf file;

/* Returns the offset of line n, from 1. */
static size_t
line_at(int n)
{
	const char *p = file.p;

	while (--n > 0)
		p = strchr(p, '\n') + 1;
	return (size_t)(p - file.p);
}

/* Makes the vocabulary with n lines, from the second on, replaced by lines. */
static struct buf
changed(const char *lines, int n)
{
	struct buf b = { 0 };
	size_t from = line_at(2), to = line_at(2 + n);

	buf_add(&b, file.p, from);
	buf_puts(&b, lines);
	buf_add(&b, file.p + to, file.n - to);
	return b;
}

static void
reads(struct buf *b, const char *what)
{
	struct npu_err err = { .msg = "" };
	struct npu_tokenizer *c = NULL;
	struct npu_bpe *v = NULL;
	const int32_t *id;
	size_t n = 0;

	if (!ok(npu_bpe_open(&v, b->p, b->n, &err) == 0 &&
	    npu_tokenizer_open(&c, v, NULL) == 0 &&
	    npu_encode(c, "a photo", 7, &id, &n, NULL) == 0 && n == 4 &&
	    id[1] == 320 && id[2] == 1125, "%s", what))
		diag("%s", err.msg);
	npu_tokenizer_close(c);
	npu_bpe_close(v);
	buf_free(b);
}

static void
refuses(struct buf *b, const char *says)
{
	struct npu_err err = { .msg = "" };
	struct npu_bpe *v;

	if (!ok(npu_bpe_open(&v, b->p, b->n, &err) == NPU_EFORMAT &&
	    strstr(err.msg, says) == err.msg,
	    "a vocabulary is refused: %s", says))
		diag("%s", err.msg);
	buf_free(b);
}

/* Makes the vocabulary with CR LF line ends. */
static struct buf
returns(void)
{
	struct buf b = { 0 };

	for (size_t i = 0; i < file.n; i++) {
		if (file.p[i] == '\n')
			buf_add(&b, "\r", 1);
		buf_add(&b, file.p + i, 1);
	}
	return b;
}

/* Makes the vocabulary with n lines that each join the result of the previous
 * line with itself. */
static struct buf
doubled(int n)
{
	struct buf lines = { 0 }, b;
	char token[600];

	memset(token, 'a', sizeof(token));
	for (int i = 0; i < n; i++)
		buf_printf(&lines, "%.*s %.*s\n", 1 << i, token, 1 << i,
		    token);
	buf_add(&lines, "", 1);
	b = changed(lines.p, n);
	buf_free(&lines);
	return b;
}

int
main(void)
{
	const char *top = getenv("B");
	struct buf b = { 0 };
	char path[4000], text[3000];

	snprintf(path, sizeof(path),
	    "%s/share/npu-utils/bpe_simple_vocab_16e6.txt",
	    top != NULL ? top : "build");
	if (file_load(path, 1 << 24, &file, NULL) < 0)
		return 1;
	buf_add(&file, "", 1);
	file.n--;
	b = returns();
	reads(&b, "a vocabulary with CR LF line ends is read");
	/* Only the first 48,894 merges count; later lines are not read. */
	buf_add(&b, file.p, line_at(48896) - 1);
	reads(&b, "a vocabulary whose last line has no end is read");
	/* The first line makes 2 bytes, and the eighth line makes 256. */
	b = doubled(9);
	refuses(&b, "line 10: the token is too long");
	memset(text, 'a', sizeof(text));
	text[sizeof(text) - 2] = '\n';
	text[sizeof(text) - 1] = '\0';
	b = changed(text, 1);
	refuses(&b, "line 2: expected two tokens and one space between, "
	    "found 2998 bytes without a space");
	b = changed("\n", 1);
	refuses(&b, "line 2: expected two tokens and one space between, "
	    "found 0 bytes without a space");
	buf_puts(&b, "#version: 0.2 ");
	for (int i = 0; i < 400; i++)
		buf_puts(&b, "a line without an end");
	refuses(&b, "line 1: expected '#version: 0.2'");
	text[5] = ' ';
	b = changed(text, 1);
	refuses(&b, "line 2: expected two tokens and one space between, "
	    "found 2998 bytes");
	buf_free(&file);
	return done();
}
