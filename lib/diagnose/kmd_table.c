// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/err.h"
#include "diagnose/kmd_table.h"
#include "host/host.h"
#include "host/scan.h"

struct answer {
	uint32_t ms;		/* length of its turn; 0: for ever */
	int error;		/* errno; 0: the answer is bytes */
	size_t n;
	uint8_t bytes[KMD_ROOM];
};

struct row {
	uint32_t request;
	uint32_t period;	/* ms of one cycle of its answers */
	size_t n;
	struct answer answer[KMD_TURNS];
};

struct kmd_table {
	int open_error;		/* errno of open(2); 0: none */
	size_t n;
	struct row row[KMD_ROWS];
};

static const struct {
	const char *name;
	int error;
} errors[] = {
	{ "EACCES", EACCES }, { "EBUSY", EBUSY }, { "EFAULT", EFAULT },
	{ "EINVAL", EINVAL }, { "EIO", EIO }, { "ENODEV", ENODEV },
	{ "ENOENT", ENOENT }, { "ENOTTY", ENOTTY }, { "ENXIO", ENXIO },
	{ "EPERM", EPERM },
};

/* ---- Parsing ----------------------------------------------------------- */

/* Returns the errno of a name; 0 if unknown. */
static int
error_number(struct bytes b)
{
	for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++)
		if (b.n == strlen(errors[i].name) &&
		    memcmp(b.p, errors[i].name, b.n) == 0)
			return errors[i].error;
	return 0;
}

static int
digit(uint8_t c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Parses hexadecimal bytes; returns false if b has other characters. */
static bool
parse_hex(struct bytes b, uint8_t *out)
{
	for (size_t i = 0; i + 1 < b.n; i += 2) {
		int high = digit(b.p[i]), low = digit(b.p[i + 1]);

		if (high < 0 || low < 0)
			return false;
		out[i / 2] = (uint8_t)(high << 4 | low);
	}
	return b.n % 2 == 0;
}

/* Removes the first word of *b and the blanks after it; returns the word. */
static struct bytes
pop_word(struct bytes *b)
{
	struct bytes word = *b;

	while (b->n > 0 && *b->p != ' ' && *b->p != '\t')
		bytes_sub(*b, 1, b->n - 1, b);
	word.n -= b->n;
	scan_blanks(b);
	return word;
}

/* Parses a request of eight digits: "0x81a84100". */
static bool
parse_request(struct bytes word, uint32_t *request)
{
	uint8_t b[4];

	if (word.n != 10 || !bytes_start(word, "0x") ||
	    !parse_hex((struct bytes){ word.p + 2, 8 }, b))
		return false;
	*request = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 |
	    (uint32_t)b[2] << 8 | b[3];
	return true;
}

/* Parses "01000000" or "EIO"; a following "*125" means 125 ms. */
static int
parse_turn(struct row *r, struct bytes word, struct npu_err *err)
{
	const uint8_t *star = memchr(word.p, '*', word.n);
	struct answer *a = &r->answer[r->n];
	struct bytes ms;
	uint64_t v = 0;

	if (star != NULL) {
		ms = (struct bytes){ star + 1,
		    (size_t)(word.p + word.n - star - 1) };
		word.n = (size_t)(star - word.p);
		if (!scan_uint(&ms, &v) || ms.n > 0 || v == 0 ||
		    v > KMD_TURN_MS)
			return npu_fail(err, NPU_EFORMAT, "the answer to %#x "
			    "has no time from 1 to %u ms after '*'",
			    (unsigned)r->request, KMD_TURN_MS);
	}
	if (word.n > 2 * KMD_ROOM)
		return npu_fail(err, NPU_EFORMAT, "the answer to %#x has %zu "
		    "digits, but at most %u are read", (unsigned)r->request,
		    word.n, 2 * KMD_ROOM);
	a->ms = (uint32_t)v;
	a->error = error_number(word);
	a->n = a->error != 0 ? 0 : word.n / 2;
	if (word.n == 0 || (a->error == 0 && !parse_hex(word, a->bytes)))
		return npu_fail(err, NPU_EFORMAT, "the answer to %#x is "
		    "neither pairs of digits 0 to f nor a known error",
		    (unsigned)r->request);
	r->period += a->ms;
	r->n++;
	return 0;
}

static int
parse_answer(struct kmd_table *t, uint32_t request, struct bytes b,
    struct npu_err *err)
{
	struct row *r = &t->row[t->n];
	int rc;

	for (size_t i = 0; i < t->n; i++)
		if (t->row[i].request == request)
			return npu_fail(err, NPU_EFORMAT,
			    "%#x is there twice", (unsigned)request);
	if (t->n == KMD_ROWS)
		return npu_fail(err, NPU_EFORMAT, "more than %u answers",
		    KMD_ROWS);
	*r = (struct row){ .request = request };
	do {
		if (r->n == KMD_TURNS)
			return npu_fail(err, NPU_EFORMAT, "%#x has more than "
			    "%u answers", (unsigned)request, KMD_TURNS);
		if ((rc = parse_turn(r, pop_word(&b), err)) < 0)
			return rc;
	} while (b.n > 0);
	for (size_t i = 0; r->n > 1 && i < r->n; i++)
		if (r->answer[i].ms == 0)
			return npu_fail(err, NPU_EFORMAT, "%#x has several "
			    "answers, but not each says for how long (*MS)",
			    (unsigned)request);
	t->n++;
	return 0;
}

static int
parse_line(struct kmd_table *t, struct bytes line, struct npu_err *err)
{
	struct bytes word;
	uint32_t request;

	scan_blanks(&line);
	while (line.n > 0 && (line.p[line.n - 1] == ' ' ||
	    line.p[line.n - 1] == '\t'))
		line.n--;
	if (line.n == 0 || *line.p == '#')
		return 0;
	word = pop_word(&line);
	if (word.n == 4 && bytes_start(word, "open")) {
		t->open_error = error_number(line);
		return t->open_error != 0 ? 0 : npu_fail(err, NPU_EFORMAT,
		    "the error of open is not known");
	}
	if (!parse_request(word, &request))
		return npu_fail(err, NPU_EFORMAT,
		    "begins with neither 0x and 8 digits 0 to f nor open");
	return parse_answer(t, request, line, err);
}

int
kmd_parse_table(const void *text, size_t size, struct kmd_table **table,
    struct npu_err *err)
{
	struct bytes b = { text, size }, line;
	struct kmd_table *t;
	int rc = 0;

	if (size > KMD_TABLE)
		return npu_fail(err, NPU_EFORMAT,
		    "more than %u bytes", KMD_TABLE);
	if ((t = calloc(1, sizeof(*t))) == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	for (unsigned n = 1; rc == 0 && scan_line(&b, &line); n++)
		if ((rc = parse_line(t, line, err)) < 0)
			npu_prefix(err, rc, "line %u", n);
	if (rc < 0)
		free(t);
	else
		*table = t;
	return rc;
}

/* ---- Answering --------------------------------------------------------- */

int
kmd_load_table(const char *root, const char *node, struct kmd_table **table,
    struct npu_err *err)
{
	char *text = malloc(KMD_TABLE + 2);
	struct npu_err why = { .msg = "" };
	struct kmd_table *t;
	int rc, n;

	if (text == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	n = host_read_file(root, node, text, KMD_TABLE + 2, &why);
	if (n < 0)
		rc = npu_fail_detail(err, NPU_ENODEV, why.detail, "%s",
		    why.msg);
	else if ((rc = kmd_parse_table(text, (size_t)n, &t, err)) < 0)
		npu_prefix(err, rc, "%s%s", root, node);
	free(text);
	if (rc < 0)
		return rc;
	if (t->open_error != 0) {
		rc = npu_fail_detail(err, NPU_ENODEV, t->open_error,
		    "%s%s: %s", root, node, strerror(t->open_error));
		free(t);
		return rc;
	}
	*table = t;
	return 0;
}

/* Returns the answer whose turn it is. */
static const struct answer *
answer_now(const struct row *r)
{
	uint64_t at;
	size_t i = 0;

	if (r->n == 1)
		return &r->answer[0];
	at = clock_ns() / 1000000 % r->period;
	for (; at >= r->answer[i].ms; i++)
		at -= r->answer[i].ms;
	return &r->answer[i];
}

int
kmd_table_ioctl(void *table, int fd, unsigned long request, void *answer)
{
	const struct kmd_table *t = table;
	const struct answer *a;

	(void)fd;
	for (size_t i = 0; i < t->n; i++) {
		if (t->row[i].request != request)
			continue;
		a = answer_now(&t->row[i]);
		if (a->error != 0) {
			errno = a->error;
			return -1;
		}
		memcpy(answer, a->bytes, a->n);
		return 0;
	}
	errno = ENOTTY;		/* the driver's error for an unknown request */
	return -1;
}
