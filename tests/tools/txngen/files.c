// SPDX-License-Identifier: Apache-2.0
/* Streams as text, and files of other kinds. */
#include <string.h>

#include "row.h"

static void
replace(struct stream *s, const void *p, size_t n)
{
	buf_clear(s->b);
	buf_add(s->b, p, n);
}

#define FILE_OF(name, text) \
	static void name(struct stream *s) \
	{ replace(s, text, sizeof(text) - 1); }
FILE_OF(empty, "")
FILE_OF(lfs, "version https://git-lfs.github.com/spec/v1\noid sha256:0\n")
FILE_OF(xclbin, "xclbin2\0\377\377\377\377\377\377\377\377")
FILE_OF(elf, "\x7f" "ELF\1\1\1\0\0\0\0\0\0\0\0\0")
FILE_OF(pdi, "\xdd\0\0\0\x44\x33\x22\x11\x88\x77\x66\x55\xcc\xbb\xaa\x99")
FILE_OF(seq, "00000011\n01000405\n01000100\n0B590100\n")
FILE_OF(seq_words, "\x11\0\0\0\5\4\0\1\0\1\0\1\0\1\x59\x0b")
FILE_OF(page, "\r\n <!DOCTYPE html>\n<html>")
FILE_OF(prose, "Not a stream.\n")
FILE_OF(blank, " \n\r\n")
FILE_OF(picture, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR")

/* Writes the stream as text, each word with the format form. */
static void
to_text(struct stream *s, const char *form)
{
	struct buf words = *s->b;

	*s->b = (struct buf){ .n = 0 };
	for (size_t i = 0; i + 4 <= words.n; i += 4) {
		uint32_t w;

		memcpy(&w, words.p + i, sizeof(w));
		buf_printf(s->b, form, w);
	}
	buf_free(&words);
}

#define TEXT_OF(name, form) \
	static void name(struct stream *s) \
	{ stream_whole(s); to_text(s, form); }
TEXT_OF(text, "%08X\n")
TEXT_OF(text_small, "%08x\n")
TEXT_OF(text_dos, "%08X\r\n")
TEXT_OF(text_airy, "\n%08X \t\n\r\n")
TEXT_OF(text_seven, "%07X\n")
TEXT_OF(text_nine, "%09X\n")
TEXT_OF(text_0x, "0x%08X\n")
TEXT_OF(text_indented, " %08X\n")

static void
text_no_end(struct stream *s)
{
	text(s);
	s->b->n--;
}

static void
text_cut(struct stream *s)
{
	text(s);
	s->b->n -= 18;
}

/* A letter in the third line. */
static void
text_letter(struct stream *s)
{
	text(s);
	s->b->p[2 * 9 + 3] = 'G';
}

static void
text_nul(struct stream *s)
{
	text_dos(s);
	s->b->p[2 * 10 + 8] = '\0';
}

/* ---- The rows ---------------------------------------------------------- */

const struct row file_rows[] = {
	{ .name = "empty", .fill = empty, .as_is = true,
	    .says = "the file is empty" },
	{ .name = "lfs", .fill = lfs, .as_is = true,
	    .says = "a Git LFS pointer" },
	{ .name = "xclbin", .fill = xclbin, .as_is = true,
	    .says = "an xclbin" },
	{ .name = "elf", .fill = elf, .as_is = true,
	    .says = "an ELF file (control code)" },
	{ .name = "pdi", .fill = pdi, .as_is = true, .says = "a PDI" },
	{ .name = "seq", .fill = seq, .as_is = true,
	    .says = "version 17.0, the instructions of 2023" },
	{ .name = "seq-words", .fill = seq_words, .as_is = true,
	    .says = "version 17.0, the instructions of 2023" },
	{ .name = "page", .fill = page, .as_is = true, .says = "a web page" },
	{ .name = "prose", .fill = prose, .as_is = true,
	    .says = "line 1: 'Not a stream.' is not a word of 8 hexadecimal "
	    "digits" },
	{ .name = "blank", .fill = blank, .as_is = true,
	    .says = "0 bytes, but the header" },
	{ .name = "picture", .fill = picture, .as_is = true,
	    .says = "version 137.80" },
	{ .name = "text", .fill = text, .as_is = true, .buffers = SOUND },
	{ .name = "text-small", .fill = text_small, .as_is = true,
	    .buffers = SOUND },
	{ .name = "text-dos", .fill = text_dos, .as_is = true,
	    .buffers = SOUND },
	{ .name = "text-airy", .fill = text_airy, .as_is = true,
	    .buffers = SOUND },
	{ .name = "text-no-end", .fill = text_no_end, .as_is = true,
	    .buffers = SOUND },
	{ .name = "text-seven", .fill = text_seven, .as_is = true,
	    .says = "line 1: '6030" },
	{ .name = "text-nine", .fill = text_nine, .as_is = true,
	    .says = "line 1: '006030" },
	{ .name = "text-0x", .fill = text_0x, .as_is = true,
	    .says = "line 1: '0x06030" },
	{ .name = "text-indented", .fill = text_indented, .as_is = true,
	    .says = "line 1: ' 06030" },
	{ .name = "text-letter", .fill = text_letter, .as_is = true,
	    .says = "line 3: '000G0007' is not a word of 8 hexadecimal "
	    "digits" },
	{ .name = "text-nul", .fill = text_nul, .as_is = true,
	    .says = "line 3: '00000007" },
	{ .name = "text-cut", .fill = text_cut, .as_is = true,
	    .says = " in words of its text" },
	{ .name = NULL },
};
