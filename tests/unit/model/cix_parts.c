// SPDX-License-Identifier: Apache-2.0
/*
 * Tests single parts of a .cix file that begin, end or point where mkcix
 * (cix.bats) cannot put them, because mkcix damages models that are otherwise
 * whole.
 */
#include <stdlib.h>
#include <string.h>

#include "model/cix.h"
#include "model/elf.h"
#include "model/flatbuf.h"
#include "model/names.h"
#include "model/reader.h"
#include "tap.h"
#include "tools/cixgen/make.h"

static void
answers(int rc, const struct npu_err *err, int check, const char *what)
{
	if (!ok(check == CIX_SOUND ? rc == 0 : rc == NPU_EFORMAT &&
	    err->detail == check, "%s: %s", what, check == CIX_SOUND ? "sound" :
	    cix_check_name(check)))
		diag("%d: %d %s", rc, err->detail, err->msg);
}

/* ---- The container ---------------------------------------------------- */

/* Returns n bytes of words of 32 bits; the last word may be cut. */
static struct bytes
bytes(const uint32_t *w, size_t n)
{
	return (struct bytes){ (const uint8_t *)w, n };
}

/* A vtable with two fields is at byte 4.  A table of 12 bytes is at byte 12.
 * The table's second field, at byte 20, is 0. */
enum { VTABLE = 1, TABLE = 3, FIELD = 5, WORDS = 8 };
static const uint32_t sound[WORDS] = { 12, 12 << 16 | 8, 8 << 16 | 4, 8, 0, 0,
    0, 0 };

static void
root(struct bytes b, int check, const char *what)
{
	struct npu_err err = { .detail = 0 };
	struct fb_table t;

	answers(fb_root(b, &t, &err), &err, check, what);
}

static void
roots(void)
{
	uint32_t w[WORDS];

	root(bytes(sound, 32), CIX_SOUND, "a whole table");
	root(bytes(sound, 3), CIX_BAD_FB_ROOT, "3 bytes, less than a word");
	root(bytes(sound, 0), CIX_BAD_FB_ROOT, "an empty file");
	root(bytes(sound, 14), CIX_BAD_FB_ROOT,
	    "a file that ends within the table's first word");
	memcpy(w, sound, sizeof(w));
	w[TABLE] = 13;
	root(bytes(w, 32), CIX_BAD_FB_VTABLE,
	    "a vtable before the beginning of the file");
	w[TABLE] = (uint32_t)-100;
	root(bytes(w, 32), CIX_BAD_FB_VTABLE,
	    "a vtable behind the end of the file");
	w[TABLE] = (uint32_t)-18;
	root(bytes(w, 32), CIX_BAD_FB_VTABLE,
	    "a vtable of which half is in the file");
	w[TABLE] = 8;
	w[VTABLE] = 12 << 16 | 40;
	root(bytes(w, 32), CIX_BAD_FB_VTABLE,
	    "a vtable that runs past the end of the file");
	w[VTABLE] = 12 << 16 | 9;
	root(bytes(w, 32), CIX_BAD_FB_VTABLE, "a vtable of 9 bytes");
	w[VTABLE] = 12 << 16 | 2;
	root(bytes(w, 32), CIX_BAD_FB_VTABLE, "a vtable of 2 bytes");
	w[VTABLE] = 3 << 16 | 8;
	root(bytes(w, 32), CIX_BAD_FB_VTABLE, "a table of 3 bytes");
	w[VTABLE] = 21 << 16 | 8;
	root(bytes(w, 32), CIX_BAD_FB_VTABLE,
	    "a table that runs past the end of the file");
	w[VTABLE] = 20 << 16 | 8;
	root(bytes(w, 32), CIX_SOUND, "a table that ends with the file");
}

/* Lets the second field of the table above point by bytes ahead.  Byte 24 has
 * 1, byte 28 has the word last. */
static void
leads(uint32_t by, uint32_t last, size_t n, int vector, int string)
{
	struct npu_err err = { .detail = 0 };
	struct fb_vector v;
	struct fb_table t;
	struct bytes s;
	uint32_t w[WORDS];

	memcpy(w, sound, sizeof(w));
	w[FIELD] = by;
	w[FIELD + 1] = 1;
	w[FIELD + 2] = last;
	if (!ok(fb_root(bytes(w, n), &t, NULL) == 0, "an offset of %u in a "
	    "file of %zu bytes leaves the table readable", by, n))
		return;
	answers(fb_vector_field(&t, 1, 4, "v", &v, &err), &err, vector,
	    "the field, read as a vector");
	err.detail = 0;
	answers(fb_string_field(&t, 1, "s", &s, &err), &err, string,
	    "the field, read as a string");
}

static void
fields(void)
{
	leads(4, 'a', 32, CIX_SOUND, CIX_SOUND);
	leads(4, 'b' << 8 | 'a', 32, CIX_SOUND, CIX_BAD_FB_STRING);
	leads(4, 'a', 28, CIX_BAD_FB_VECTOR, CIX_BAD_FB_STRING);
	leads(8, 0, 32, CIX_SOUND, CIX_BAD_FB_STRING);
	leads(8, 0, 31, CIX_BAD_FB_VECTOR, CIX_BAD_FB_STRING);
	leads(12, 0, 32, CIX_BAD_FB_OFFSET, CIX_BAD_FB_OFFSET);
}

/* Tests a field that points to a table whose first word is cut. */
static void
cut_table(void)
{
	struct npu_err err = { .detail = 0 };
	struct fb_table t, sub;
	uint32_t w[WORDS];

	memcpy(w, sound, sizeof(w));
	w[FIELD] = 8;
	ok(fb_root(bytes(w, 30), &t, NULL) == 0,
	    "a table with a field that points to a table is read");
	answers(fb_table_field(&t, 1, "t", &sub, &err), &err,
	    CIX_BAD_FB_VTABLE, "a table of which two bytes are in the file");
}

/* Tests elements of a vector that runs past the end of the file.  Reading the
 * vector itself would have failed, so this test makes it by hand. */
static void
elements(void)
{
	struct npu_err err = { .detail = 0 };
	struct fb_vector v = { bytes(sound, 32), 30, 1 };
	struct fb_table t;
	struct bytes s;

	answers(fb_table_element(&v, 0, "t", &t, &err), &err,
	    CIX_BAD_FB_OFFSET, "an element of a vector of tables that is cut");
	err.detail = 0;
	answers(fb_string_element(&v, 0, "s", &s, &err), &err,
	    CIX_BAD_FB_OFFSET, "an element of a vector of strings that is cut");
}

/* ---- Names ------------------------------------------------------------ */

/* MANY is one entry more than are kept. */
enum { MANY = 65537, LIST = 2, HEAD = 3, ENTRIES = HEAD + MANY, ROOM = 600 };

/* Writes an entry at word at: its name is n times c, its shape is 5. */
static void
entry(uint32_t *w, uint32_t at, uint32_t n, char c)
{
	static const uint32_t shaped[] = { 0, 16, 4, 1, 5 };

	memcpy(&w[at], shaped, sizeof(shaped));
	w[at] = 4 * at;			/* distance to its vtable, at 0 */
	w[at + 5] = n;
	memset(&w[at + 6], c, n);
}

/* Writes, at word from, an offset to word to. */
static void
lead(uint32_t *w, uint32_t from, uint32_t to)
{
	w[from] = 4 * (to - from);
}

/*
 * Applies the names to a tensor of 4 bytes whose name is the string at word to.
 * The tensor keeps this name, unless an entry has the same name and another
 * shape.
 */
static void
named(const struct names *names, struct bytes b, uint32_t *w, uint32_t to,
    const char *want)
{
	struct cix_tensor t = { .desc = { .dtype = NPU_U8, .size = 4,
	    .name = "input0" } };
	struct fb_vector list = { b, 4 * LIST, 1 };

	lead(w, LIST, to);
	names_apply(names, &list, &t, 1);
	if (!ok(strncmp(t.desc.name, want, 7) == 0,
	    "the tensor is named %s", want))
		diag("%s", t.desc.name);
}

static void
kept_names(void)
{
	const uint32_t a = ENTRIES, b = a + 10, c = b + 10;
	uint32_t *w = calloc(ENTRIES + ROOM, 4);
	struct fb_vector v = { bytes(w, 4 * (ENTRIES + ROOM)), 4 * HEAD,
	    MANY };
	struct npu_err err = { .detail = 0 };
	struct names *names = NULL;

	w[0] = 12 << 16 | 8;		/* fields at bytes 4 and 8; the table
					 * has 12 bytes */
	w[1] = 8 << 16 | 4;
	entry(w, a, 1, 'a');
	entry(w, b, 1, 'b');
	entry(w, c, 1025, 'c');
	lead(w, HEAD, c);
	for (uint32_t i = 1; i < MANY; i++)
		lead(w, HEAD + i, i < MANY - 1 ? a : b);
	answers(names_open(&names, &v, &err), &err, CIX_SOUND,
	    "a list of 65537 entries");
	named(names, v.b, w, a + 5, "input0");
	named(names, v.b, w, b + 5, "b");	/* the last entry is not kept */
	named(names, v.b, w, c + 5, "ccccccc");	/* nor is so long a name */
	named(names, v.b, w, LIST, "input0");	/* this is not a name */
	names_free(names);
	w[HEAD + MANY - 1] = 0;
	answers(names_open(&names, &v, &err), &err, CIX_BAD_FB_OFFSET,
	    "an offset of 0 in an entry that is not kept");
	free(w);
}

/* ---- The graph -------------------------------------------------------- */

static void
starts(void)
{
	uint8_t b[52] = "\x7f" "ELF\1";
	struct bytes all = { b, sizeof(b) };

	b[18] = 0x9a, b[19] = 2;
	ok(elf_is_graph(all),
	    "a 32-bit ELF file with the NPU's machine number is a graph");
	ok(!elf_is_graph((struct bytes){ b, 19 }) &&
	    !elf_is_graph((struct bytes){ b, 3 }),
	    "a file that ends before the machine number is not a graph");
	b[4] = ELFCLASS64;
	ok(!elf_is_graph(all), "a 64-bit ELF file is not a graph");
	b[4] = ELFCLASS32, b[18] = EM_AARCH64, b[19] = 0;
	ok(!elf_is_graph(all),
	    "an ELF file for another machine is not a graph");
	b[0] = 0;
	ok(!elf_is_graph(all), "a file without the ELF magic is not a graph");
}

/* Makes a graph with one input and one output, which is valid.  Its sections
 * are 1 .text, 2 .note.aipu, 3 .shstrtab. */
static struct make
model(void)
{
	static const struct damage none = { .s = NULL };
	struct make m = { .op = 1, .n_in = 1, .n_out = 1,
	    .graph.device = CIX_ISA_X2 << 16 | 1204 };

	m.in[0] = m.out[0] = (struct npu_tensor){ .dtype = NPU_S8, .ndim = 1,
	    .dim = { 64 }, .size = 64, .scale = 1 };
	make_model(&m, &none);
	return m;
}

static int
parse(const struct make *m, struct cix_graph *g, struct npu_err *err)
{
	*g = (struct cix_graph){ .n_tensors = 0 };
	err->detail = 0;
	return cix_parse_graph((struct bytes){ (uint8_t *)m->elf.p, m->elf.n },
	    g, err);
}

/* Adds section 4, and appends its name to the section names. */
static void
more_section(struct make *m, const char *name, uint32_t type, uint32_t size)
{
	size_t strings = section_head(&m->elf, 3), n = strlen(name) + 1;
	uint32_t had = get32(&m->elf, strings + offsetof(Elf32_Shdr, sh_size));
	uint32_t from = get32(&m->elf, strings +
	    offsetof(Elf32_Shdr, sh_offset)), to;
	Elf32_Shdr head[5];

	memcpy(head, m->elf.p + section_head(&m->elf, 0), 4 * sizeof(*head));
	head[4] = (Elf32_Shdr){ .sh_name = had, .sh_type = type,
	    .sh_size = size };
	to = (uint32_t)m->elf.n;
	for (uint32_t i = 0; i < had; i++)
		buf_add(&m->elf, m->elf.p + from + i, 1);
	buf_add(&m->elf, name, n);
	head[3].sh_offset = to;
	head[3].sh_size = had + (uint32_t)n;
	while (m->elf.n % 4 != 0)
		buf_add(&m->elf, "", 1);
	set(&m->elf, offsetof(Elf32_Ehdr, e_shoff), 4, (uint32_t)m->elf.n);
	set(&m->elf, offsetof(Elf32_Ehdr, e_shnum), 2, 5);
	buf_add(&m->elf, head, sizeof(head));
}

static void
sections(void)
{
	struct make m = model();
	struct npu_err err;
	struct cix_graph g;

	answers(parse(&m, &g, &err), &err, CIX_SOUND,
	    "a graph without constants");
	ok(g.rodata_section == 0 && g.data == 0,
	    "a graph without .rodata and .data has none of either");
	cix_graph_free(&g);
	more_section(&m, ".rodata", SHT_PROGBITS, 24);
	answers(parse(&m, &g, &err), &err, CIX_SOUND, "a graph with constants");
	ok(g.rodata_section == 24 && g.data == 0 && g.load_memory ==
	    g.text + 24,
	    "constants are counted, and are part of the loaded bytes");
	cix_graph_free(&g);
	make_free(&m);
	m = model();
	more_section(&m, ".data", SHT_PROGBITS, 20);
	answers(parse(&m, &g, &err), &err, CIX_SOUND, "a graph with variables");
	ok(g.rodata_section == 0 && g.data == 20, "variables are counted");
	cix_graph_free(&g);
	make_free(&m);
	/* A section of type NOBITS has a size but no bytes in the file. */
	m = model();
	more_section(&m, ".data", SHT_NOBITS, 0x10000000);
	answers(parse(&m, &g, &err), &err, CIX_SOUND,
	    "a graph with a section of zeros");
	ok(g.data == 0,
	    "a section that has no bytes in the file is not counted");
	cix_graph_free(&g);
	set(&m.elf, offsetof(Elf32_Ehdr, e_shstrndx), 2, 5);
	answers(parse(&m, &g, &err), &err, CIX_BAD_ELF_STRINGS,
	    "section names in a section behind the last");
	cix_graph_free(&g);
	make_free(&m);
}

/* ---- The graph's lists ------------------------------------------------ */

enum list { FMLIST, SUBGRAPHS };

static void
listed(enum list which, struct model_reader *r, const uint32_t *w, size_t n,
    int check, const char *what)
{
	struct npu_err err = { .detail = 0 };
	struct cix_graph g = { .n_tensors = 0 };

	r->g = &g;
	r->err = &err;
	r->notes.fmlist = r->notes.subgraphs = bytes(w, n);
	answers(which == FMLIST ? fmlist_parse(r) : fmlist_parse_subgraphs(r),
	    &err, check, what);
	ok(g.n_tensors == 0, "no tensor was added");
	cix_graph_free(&g);
}

/*
 * An entry has 15 words, then the number of its sections, one.  The section has
 * 16 bytes and one part, which is an input elsewhere.  The part has one slot,
 * at byte 8.
 */
static void
lists(void)
{
	enum { PRIVATE = 1 + 10, SECTION = 1 + 16, SUB = SECTION + 4,
		SLOT = SUB + 12, N = SLOT + 1 };
	uint32_t w[N] = { 1, [PRIVATE] = 64, [SECTION - 1] = 1, 0, 16, 0, 1,
	    [SUB + 1] = 16, [SUB + 2] = CIX_INPUT, [SUB + 11] = 1, 8 };
	struct model_reader r = { .notes = { .rodata = bytes(w, 8),
	    .desc = bytes(w, 8) } };

	listed(FMLIST, &r, w, 11, CIX_BAD_FMLIST_CUT, "a list of 11 bytes");
	listed(SUBGRAPHS, &r, w, 3, CIX_BAD_SUBGRAPHS_CUT,
	    "a list of subgraphs of 3 bytes");
	listed(SUBGRAPHS, &r, w, sizeof(w), CIX_SOUND,
	    "a private, empty part with an input, which makes no tensor");
	w[SLOT] = 12;
	listed(SUBGRAPHS, &r, w, sizeof(w), CIX_SOUND,
	    "a slot in the last word of the descriptor");
	w[SLOT] = 13;
	listed(SUBGRAPHS, &r, w, sizeof(w), CIX_BAD_SLOT,
	    "a slot that ends past the descriptor");
	w[SLOT] = 16;
	listed(SUBGRAPHS, &r, w, sizeof(w), CIX_BAD_SLOT,
	    "a slot behind the descriptor");
	w[SLOT] = 5;
	listed(SUBGRAPHS, &r, w, sizeof(w), CIX_BAD_SLOT,
	    "a slot across the end of .rodata");
	w[SLOT] = 4;
	listed(SUBGRAPHS, &r, w, sizeof(w), CIX_SOUND,
	    "a slot in the last word of .rodata");
}

/* ---- Writing ---------------------------------------------------------- */

/* Tests a buffer that lacked memory, and is shorter than expected. */
static void
short_buffer(void)
{
	struct buf b = { 0 };

	buf_add(&b, "abcd", 4);
	put_u32_at(&b, 1, 0);
	put_u32_at(&b, 8, 0);
	ok(memcmp(b.p, "abcd", 4) == 0,
	    "a word that ends past the buffer's end is not set");
	put_u32_at(&b, 0, 'x');
	ok(memcmp(b.p, "x\0\0\0", 4) == 0,
	    "a word that ends with the buffer is set");
	buf_free(&b);
}

int
main(void)
{
	roots();
	fields();
	cut_table();
	elements();
	kept_names();
	starts();
	sections();
	lists();
	short_buffer();
	return done();
}
