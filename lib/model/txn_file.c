// SPDX-License-Identifier: Apache-2.0
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/err.h"
#include "model/foreign.h"
#include "model/txn_file.h"

#define WANTED "insts.bin or insts.txt of the same build is needed"

/* ---- Files of other kinds ---------------------------------------------- */

static const struct other_kind {
	const char *magic;
	size_t length;
	const char *says;
} kinds[] = {
	{ "xclbin", 6, "an xclbin, which does not hold the instructions; "
	    WANTED },
	{ "\x7f" "ELF", 4, "an ELF file (control code), not a stream of words; "
	    WANTED },
	{ "\xdd\0\0\0\x44\x33\x22\x11", 8, "a PDI, which configures the NPU; "
	    WANTED },
	/* 0x11 in both forms.  Riallto calls such a file .seq. */
	{ "00000011", 8, "version 17.0, the instructions of 2023 (.seq), which "
	    "are another language; build the design with a newer mlir-aie" },
	{ "\x11\0\0\0", 4, "version 17.0, the instructions of 2023 (.seq), "
	    "which are another language; build the design with a newer "
	    "mlir-aie" },
};

/* Returns whether the file is text.  Its start is sufficient: the first byte of
 * a stream is 0 or 1. */
static bool
is_text(struct bytes file)
{
	for (size_t i = 0; i < file.n && i < 16; i++)
		if ((file.p[i] < 0x20 && strchr("\t\n\r", file.p[i]) == NULL) ||
		    file.p[i] == 0 || file.p[i] == 0x7f)
			return false;
	return true;
}

static bool
is_markup(struct bytes file)
{
	size_t i = bytes_start(file, "\xef\xbb\xbf") ? 3 : 0;

	while (i < file.n && isspace(file.p[i]))
		i++;
	return i < file.n && file.p[i] == '<';
}

static int
check_kind(struct bytes file, struct npu_err *err)
{
	struct bytes start;

	if (file.n == 0)
		return npu_fail(err, NPU_EFORMAT, "the file is empty");
	if (foreign_is_lfs_pointer(file))
		return npu_fail(err, NPU_EFORMAT, "a Git LFS pointer, not the "
		    "file that it stands for; run 'git lfs pull'");
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (bytes_sub(file, 0, kinds[i].length, &start) &&
		    memcmp(start.p, kinds[i].magic, start.n) == 0)
			return npu_fail(err, NPU_EFORMAT, "%s",
			    kinds[i].says);
	if (is_text(file) && is_markup(file))
		return npu_fail(err, NPU_EFORMAT, "a web page; fetch the file "
		    "itself, not the page about it");
	return 0;
}

/* ---- Text -------------------------------------------------------------- */

/* Removes the first line from rest.  *line has no trailing blanks. */
static void
next_line(struct bytes *rest, struct bytes *line)
{
	const uint8_t *end = memchr(rest->p, '\n', rest->n);

	line->p = rest->p;
	line->n = end != NULL ? (size_t)(end - rest->p) : rest->n;
	bytes_sub(*rest, line->n + (end != NULL), rest->n - line->n -
	    (end != NULL), rest);
	while (line->n > 0 && strchr(" \t\r", line->p[line->n - 1]) != NULL &&
	    line->p[line->n - 1] != '\0')
		line->n--;
}

static bool
read_word(struct bytes line, uint32_t *word)
{
	*word = 0;
	if (line.n != 8)
		return false;
	for (size_t i = 0; i < line.n; i++) {
		int c = line.p[i];

		if (!isxdigit(c))
			return false;
		*word = *word << 4 |
		    (uint32_t)(isdigit(c) ? c - '0' : (c & 7) + 9);
	}
	return true;
}

/* Reads the words of a text.  Each word has 8 digits and becomes 4 bytes, so
 * half of the text's size is enough room. */
static int
read_text(struct bytes rest, struct bytes *words, void **copy,
    struct npu_err *err)
{
	uint64_t number = 1;
	struct bytes line;
	uint32_t word;
	uint8_t *p;
	size_t n = 0;

	if ((p = malloc(rest.n / 2 + 1)) == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	for (; rest.n > 0; number++) {
		next_line(&rest, &line);
		if (line.n == 0)
			continue;
		if (!read_word(line, &word)) {
			free(p);
			return npu_fail(err, NPU_EFORMAT, "line %" PRIu64
			    ": '%.*s' is not a word of 8 hexadecimal digits",
			    number, (int)(line.n < 40 ? line.n : 40),
			    (const char *)line.p);
		}
		memcpy(p + n, &word, sizeof(word));
		n += sizeof(word);
	}
	*words = (struct bytes){ p, n };
	*copy = p;
	return 0;
}

int
txn_file_words(struct bytes file, struct bytes *words, void **copy,
    struct npu_err *err)
{
	int rc;

	if ((rc = check_kind(file, err)) < 0)
		return rc;
	if (is_text(file))
		return read_text(file, words, copy, err);
	*words = file;
	*copy = NULL;
	return 0;
}
