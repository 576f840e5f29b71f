// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/err.h"
#include "device/kmd_table.h"
#include "host/host.h"
#include "host/scan.h"

struct row {
	uint32_t request;
	int error;		/* errno; 0: there is an answer */
	size_t n;
	uint8_t answer[KMD_ROOM];
};

struct kmd_table {
	int open_error;		/* 0: it can be opened */
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

/* ---- Parse ------------------------------------------------------------- */

/* errno of a name; 0: none that is known. */
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

/* Hexadecimal bytes; false if b is anything else. */
static bool
take_bytes(struct bytes b, uint8_t *out)
{
	for (size_t i = 0; i + 1 < b.n; i += 2) {
		int high = digit(b.p[i]), low = digit(b.p[i + 1]);

		if (high < 0 || low < 0)
			return false;
		out[i / 2] = (uint8_t)(high << 4 | low);
	}
	return b.n % 2 == 0;
}

/* The word that *b begins with, and the blanks behind it. */
static struct bytes
take_word(struct bytes *b)
{
	struct bytes word = *b;

	while (b->n > 0 && *b->p != ' ' && *b->p != '\t')
		bytes_sub(*b, 1, b->n - 1, b);
	word.n -= b->n;
	skip_blanks(b);
	return word;
}

/* "0x81a84100": a request has eight digits. */
static bool
take_request(struct bytes word, uint32_t *request)
{
	uint8_t b[4];

	if (word.n != 10 || !bytes_start(word, "0x") ||
	    !take_bytes((struct bytes){ word.p + 2, 8 }, b))
		return false;
	*request = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 |
	    (uint32_t)b[2] << 8 | b[3];
	return true;
}

static int
parse_answer(struct kmd_table *t, uint32_t request, struct bytes b,
    struct npu_err *err)
{
	struct row *r = &t->row[t->n];

	for (size_t i = 0; i < t->n; i++)
		if (t->row[i].request == request)
			return npu_fail(err, NPU_EFORMAT,
			    "%#x is there twice", (unsigned)request);
	if (t->n == KMD_ROWS)
		return npu_fail(err, NPU_EFORMAT, "more than %u answers",
		    KMD_ROWS);
	if (b.n > 2 * KMD_ROOM)
		return npu_fail(err, NPU_EFORMAT, "the answer to %#x has %zu "
		    "digits, but at most %u are read", (unsigned)request, b.n,
		    2 * KMD_ROOM);
	r->request = request;
	r->error = error_number(b);
	r->n = r->error != 0 ? 0 : b.n / 2;
	if (b.n == 0 || (r->error == 0 && !take_bytes(b, r->answer)))
		return npu_fail(err, NPU_EFORMAT, "the answer to %#x is "
		    "neither pairs of digits 0 to f nor a known error",
		    (unsigned)request);
	t->n++;
	return 0;
}

static int
parse_line(struct kmd_table *t, struct bytes line, struct npu_err *err)
{
	struct bytes word;
	uint32_t request;

	skip_blanks(&line);
	while (line.n > 0 && (line.p[line.n - 1] == ' ' ||
	    line.p[line.n - 1] == '\t'))
		line.n--;
	if (line.n == 0 || *line.p == '#')
		return 0;
	word = take_word(&line);
	if (word.n == 4 && bytes_start(word, "open")) {
		t->open_error = error_number(line);
		return t->open_error != 0 ? 0 : npu_fail(err, NPU_EFORMAT,
		    "what open gives is no known error");
	}
	if (!take_request(word, &request))
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
	for (unsigned n = 1; rc == 0 && next_line(&b, &line); n++)
		if ((rc = parse_line(t, line, err)) < 0)
			npu_prefix(err, rc, "line %u", n);
	if (rc < 0)
		free(t);
	else
		*table = t;
	return rc;
}

/* ---- Use --------------------------------------------------------------- */

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

int
kmd_table_ioctl(void *table, int fd, unsigned long request, void *answer)
{
	const struct kmd_table *t = table;

	(void)fd;
	for (size_t i = 0; i < t->n; i++) {
		if (t->row[i].request != request)
			continue;
		if (t->row[i].error != 0) {
			errno = t->row[i].error;
			return -1;
		}
		memcpy(answer, t->row[i].answer, t->row[i].n);
		return 0;
	}
	errno = ENOTTY;		/* as the driver answers what it lacks */
	return -1;
}
