// SPDX-License-Identifier: Apache-2.0
/*
 * Turns ids back into texts: a line holds ids as numbers; in labelled tensors
 * each row gives a text.
 */
#include <ctype.h>

#include "clip-tokenize/detokenize.h"
#include "dies.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

const struct program program = { .name = "clip-tokenize" };

static struct detokenizer worker;
static struct buf out;

/* Replaces the program's threads. */
void
text_pool_add(struct text_pool *o, const struct text_record *r)
{
	struct npu_err err = { 0 };

	(void)o;
	if (r->n == 0)
		abort();
	buf_clear(&out);
	if (!detokenize(&worker, r, &out, NULL, &err) && err.msg[0] == '\0')
		abort();
}

void
text_pool_flush(void *o)
{
	(void)o;
}

/* In an accepted line, the ids are the same as strtol() reads. */
static void
check_ids(const char *s)
{
	size_t i = 0;
	char *end;

	for (; *s != '\0'; s = end) {
		s += strspn(s, " ,\t\r");
		if (*s == '\0')
			break;
		if (i == worker.n || strtol(s, &end, 10) != worker.id[i++])
			abort();
	}
	if (i != worker.n)
		abort();
}

static void
line(const uint8_t *p, size_t n)
{
	char *text = dies_text(p, n);
	struct npu_err err = { 0 };

	buf_clear(&out);
	if (detokenize(&worker, &(struct text_record){ .p = text, .n = n },
	    &out, NULL, &err))
		check_ids(text);
	else if (err.msg[0] == '\0')
		abort();
	free(text);
}

static void
tensors(void *arg)
{
	detokenize_tensors(arg, NULL);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct lines l;
	int fd;

	if (worker.tokenizer == NULL && npu_tokenizer_open(&worker.tokenizer,
	    npu_bpe_clip(), NULL) < 0)
		abort();
	worker.delimiter = '\n';
	if (n > 0 && p[0] != *NPU_LABEL_MAGIC) {
		line(p, n);
		return 0;
	}
	fd = open(dies_file(p, n), O_RDONLY | O_CLOEXEC);
	lines_open(&l, fd, "input", '\n', 1 << 20);
	if (detokenize_labelled(&l))
		dies(tensors, &l);
	free(l.p);
	close(fd);
	return 0;
}
