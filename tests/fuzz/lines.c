// SPDX-License-Identifier: Apache-2.0
/*
 * Lines of a stream, or records that end with NUL: each is returned once and
 * whole, the same as a search for the delimiter finds.  The first byte of the
 * input gives the delimiter and the limit, the second byte how many bytes are
 * read before the first line.
 */
#include <stdlib.h>

#include "base/bytes.h"
#include "lines.h"
#include "dies.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

const struct program program = { .name = "lines" };

static struct bytes
expect(struct bytes *rest, char delimiter)
{
	const uint8_t *end = memchr(rest->p, delimiter, rest->n);
	struct bytes one = { rest->p, end != NULL ? (size_t)(end - rest->p) :
	    rest->n };
	size_t used = one.n + (end != NULL);

	*rest = (struct bytes){ rest->p + used, rest->n - used };
	return one;
}

/* Reads raw bytes before the first line. */
static void
take_some(struct lines *l, struct bytes *rest, size_t n)
{
	const char *seen = lines_peek(l, n);
	uint8_t some[256];
	size_t got;

	if ((seen != NULL) != (rest->n >= n) ||
	    (seen != NULL && memcmp(seen, rest->p, n) != 0))
		abort();
	got = lines_read(l, some, n);
	if (got != (n < rest->n ? n : rest->n) ||
	    memcmp(some, rest->p, got) != 0)
		abort();
	*rest = (struct bytes){ rest->p + got, rest->n - got };
}

static void
read_lines(struct lines *l, struct bytes rest, char delimiter, size_t limit)
{
	struct bytes want;
	uint64_t number = 0;
	size_t n;
	char *p;

	while (lines_next(l, &p, &n)) {
		want = expect(&rest, delimiter);
		if (want.n != n || n > limit || l->number != ++number ||
		    (n > 0 && memcmp(p, want.p, n) != 0))
			abort();
	}
	if (l->err.code == 0 ? rest.n != 0 :
	    expect(&rest, delimiter).n <= limit)
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct bytes all = { p + 2, n - 2 };
	char delimiter;
	struct lines l;
	size_t limit;
	int fd;

	if (n < 2)
		return 0;
	delimiter = p[0] % 2 == 0 ? '\n' : '\0';
	limit = p[0] / 2;
	fd = open(dies_file(all.p, all.n), O_RDONLY | O_CLOEXEC);
	lines_open(&l, fd, "input", delimiter, limit);
	take_some(&l, &all, 1 + p[1] % 64);
	read_lines(&l, all, delimiter, limit);
	free(l.p);
	close(fd);
	return 0;
}
