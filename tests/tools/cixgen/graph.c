// SPDX-License-Identifier: Apache-2.0
/* Damages of the graph ELF: noe-abi 4.10 and 8. */
#include <elf.h>
#include <math.h>

#include "make.h"

/* ---- Kinds of damage -------------------------------------------------- */

/* Sets the word at offset a of note s to b. */
static void
word(struct make *m, const struct damage *d)
{
	set(&m->elf, note_desc(&m->elf, d->s) + d->a, 4, d->b);
}

/* Sets the word at offset a of the header of note s to b: 0 for the name's
 * length, 4 for the desc's. */
static void
note_field(struct make *m, const struct damage *d)
{
	set(&m->elf, note_head(&m->elf, d->s) + d->a, 4, d->b);
}

/* Note s exists, but under another name. */
static void
no_note(struct make *m, const struct damage *d)
{
	set(&m->elf, note_head(&m->elf, d->s) + 12, 1, 'X');
}

/* Set a field of the ELF header, of 1, 2 or 4 bytes, at offset a to b. */
static void
head8(struct make *m, const struct damage *d)
{
	set(&m->elf, d->a, 1, d->b);
}

static void
head16(struct make *m, const struct damage *d)
{
	set(&m->elf, d->a, 2, d->b);
}

static void
head32(struct make *m, const struct damage *d)
{
	set(&m->elf, d->a, 4, d->b);
}

#define HEAD(field) offsetof(Elf32_Ehdr, field)

/* Set a field in the header of section a to b. */
static void
section_size(struct make *m, const struct damage *d)
{
	set(&m->elf, section_head(&m->elf, d->a) +
	    offsetof(Elf32_Shdr, sh_size), 4, d->b);
}

static void
section_offset(struct make *m, const struct damage *d)
{
	set(&m->elf, section_head(&m->elf, d->a) +
	    offsetof(Elf32_Shdr, sh_offset), 4, d->b);
}

static void
section_name(struct make *m, const struct damage *d)
{
	set(&m->elf, section_head(&m->elf, d->a) +
	    offsetof(Elf32_Shdr, sh_name), 4, d->b);
}

/* Overwrites the last NUL of the name table: the last name does not end. */
static void
strings_open(struct make *m, const struct damage *d)
{
	size_t at = get32(&m->elf, section_head(&m->elf, 3) +
	    offsetof(Elf32_Shdr, sh_offset));
	uint32_t n = get32(&m->elf, section_head(&m->elf, 3) +
	    offsetof(Elf32_Shdr, sh_size));

	(void)d;
	memset(m->elf.p + at, 'x', n);
}

/* Keeps the first a bytes, or all but the last b. */
static void
cut(struct make *m, const struct damage *d)
{
	m->elf.n = d->a != 0 ? d->a : m->elf.n - d->b;
}

/* A graph with 16 bytes of constants; sets the word at offset a of its list to
 * b. */
static void
static_beyond(struct make *m, const struct damage *d)
{
	static const uint8_t constants[16] = { 1, 2, 3 };

	m->graph.weight = (struct bytes){ constants, sizeof(constants) };
	make_graph(m);
	set(&m->elf, note_desc(&m->elf, "fmlist") + d->a, 4, d->b);
}

static void
many_tensors(struct make *m, const struct damage *d)
{
	struct cix_tensor *t = more_tensors(m, d->a);

	for (uint32_t i = 0; i < d->a; i++)
		t[i] = (struct cix_tensor){ .kind = CIX_DUMP, .id = i,
		    .desc = { .dtype = NPU_U8, .scale = 1, .size = 1 } };
}

static void
scale(struct make *m, const struct damage *d)
{
	m->t[0].desc.scale = strcmp(d->s, "nan") == 0 ? NAN :
	    strcmp(d->s, "inf") == 0 ? INFINITY : -1;
}

static void
halves(struct make *m, const struct damage *d)
{
	m->t[0].desc.dtype = d->a;
	m->t[0].desc.size = d->b;
}

/*
 * Offsets in the fmlist note of a model without weights: the list's header is
 * at 12, the input's section at 28, its tensor at 44; the output's section at
 * 96.
 */
enum {
	COUNT = 8, STACK_SIZE = 12, STACK_ALIGN = 16, N_REUSE = 24,
	SECTION_SIZE = 28, SUB_OFFSET = 44, SUB_SIZE = 48, N_SLOTS = 88,
	SLOT = 92, LAST_N_SUB = 108
};
/* The same for a model with weights, whose section's header is at 28. */
enum { STATIC_OFFSET = 28, STATIC_SIZE = 32 };
/* In the subgraphs note: words of the first entry, which begins at 4. */
enum { PRIVATE_SIZE = 4 + 40, N_PRECURSOR = 4 + 56, N_PRIVATE = 4 + 60 };

#define ELF(name) CIX_BAD_ELF_##name

const struct damage graph_rows[] = {
	/* ELF header */
	{ "elf-51-bytes", ELF(SHORT), GRAPH, cut, 0, 51, 0 },
	{ "elf-4-bytes", ELF(SHORT), GRAPH, cut, 0, 4, 0 },
	{ "elf-64-bit", ELF(CLASS), GRAPH, head8, 0, EI_CLASS, ELFCLASS64 },
	{ "elf-big-endian", ELF(CLASS), GRAPH, head8, 0, EI_DATA,
	    ELFDATA2MSB },
	{ "elf-type", ELF(TYPE), GRAPH, head16, 0, HEAD(e_type), ET_REL },
	{ "elf-machine", ELF(MACHINE), GRAPH, head16, 0, HEAD(e_machine),
	    EM_AARCH64 },
	{ "elf-version", ELF(VERSION), GRAPH, head32, 0, HEAD(e_version), 2 },
	{ "elf-entry-0", ELF(ENTRY), GRAPH, head16, 0, HEAD(e_shentsize), 0 },
	{ "elf-entry-64", ELF(ENTRY), GRAPH, head16, 0, HEAD(e_shentsize),
	    64 },
	{ "elf-headers-beyond", ELF(HEADERS), GRAPH, head32, 0, HEAD(e_shoff),
	    0x10000000 },
	{ "elf-many-sections", ELF(HEADERS), GRAPH, head16, 0, HEAD(e_shnum),
	    0xffff },
	{ "elf-cut-header", ELF(HEADERS), GRAPH, cut, 0, 0, 1 },
	{ "elf-cut-half", ELF(HEADERS), GRAPH, cut, 0, 300, 0 },
	/* Sections: 1 .text, 2 .note.aipu, 3 .shstrtab */
	{ "section-beyond", ELF(SECTION), GRAPH, section_offset, 0, 1,
	    0xfffffff0 },
	{ "section-too-long", ELF(SECTION), GRAPH, section_size, 0, 2,
	    0x1000000 },
	{ "strings-beyond", ELF(SECTION), GRAPH, section_size, 0, 3,
	    0xffffffff },
	{ "strings-none", ELF(STRINGS), GRAPH, head16, 0, HEAD(e_shstrndx),
	    0 },
	{ "strings-index", ELF(STRINGS), GRAPH, head16, 0, HEAD(e_shstrndx),
	    77 },
	{ "strings-open", ELF(STRINGS), GRAPH, strings_open, 0, 0, 0 },
	{ "sections-none", ELF(STRINGS), GRAPH, head16, 0, HEAD(e_shnum), 0 },
	{ "section-name", ELF(NAME), GRAPH, section_name, 0, 1, 0x1000000 },
	{ "no-text", CIX_BAD_NO_TEXT, GRAPH, section_name, 0, 1, 0 },
	{ "text-empty", CIX_BAD_TEXT_EMPTY, GRAPH, section_size, 0, 1, 0 },
	{ "no-notes", CIX_BAD_NO_NOTES, GRAPH, section_name, 0, 2, 0 },
	/* Notes */
	{ "note-name-long", CIX_BAD_NOTE_CUT, GRAPH, note_field, "remap", 0,
	    0x10000 },
	{ "note-name-huge", CIX_BAD_NOTE_CUT, GRAPH, note_field, "remap", 0,
	    0xffffffff },
	{ "note-desc-long", CIX_BAD_NOTE_CUT, GRAPH, note_field, "remap", 4,
	    0x10000 },
	{ "note-last-long", CIX_BAD_NOTE_CUT, GRAPH, note_field,
	    "compilermsg", 4, 52 },
	{ "no-rodata", CIX_BAD_NO_RODATA, GRAPH, no_note, "rodata", 0, 0 },
	{ "no-fmlist", CIX_BAD_NO_FMLIST, GRAPH, no_note, "fmlist", 0, 0 },
	{ "no-subgraphs", CIX_BAD_NO_SUBGRAPHS, GRAPH, no_note, "subgraphs",
	    0, 0 },
	{ "no-compilermsg", CIX_BAD_NO_COMPILERMSG, GRAPH, no_note,
	    "compilermsg", 0, 0 },
	{ "compilermsg-40", CIX_BAD_COMPILERMSG_CUT, GRAPH, note_field,
	    "compilermsg", 4, 40 },
	/* Feature-map lists */
	{ "fmlist-none", CIX_BAD_FMLIST_NONE, GRAPH, word, "fmlist", COUNT,
	    0 },
	{ "fmlist-count", CIX_BAD_FMLIST_CUT, GRAPH, word, "fmlist", COUNT,
	    2 },
	{ "fmlist-count-huge", CIX_BAD_FMLIST_CUT, GRAPH, word, "fmlist",
	    COUNT, 0xffffffff },
	{ "fmlist-sections", CIX_BAD_FMLIST_CUT, GRAPH, word, "fmlist",
	    N_REUSE, 0x1000 },
	{ "fmlist-parts", CIX_BAD_FMLIST_CUT, GRAPH, word, "fmlist",
	    LAST_N_SUB, 0x1000 },
	{ "fmlist-slots", CIX_BAD_FMLIST_CUT, GRAPH, word, "fmlist", N_SLOTS,
	    0x40000000 },
	{ "stack-size", CIX_BAD_STACK_SIZE, GRAPH, word, "fmlist", STACK_SIZE,
	    0 },
	{ "stack-align", CIX_BAD_STACK_ALIGN, GRAPH, word, "fmlist",
	    STACK_ALIGN, 0 },
	{ "no-reuse", CIX_BAD_NO_REUSE, GRAPH, word, "fmlist", N_REUSE, 0 },
	{ "section-empty", CIX_BAD_SECTION_EMPTY, GRAPH, word, "fmlist",
	    SECTION_SIZE, 0 },
	{ "static-offset", CIX_BAD_STATIC_RANGE, GRAPH, static_beyond, 0,
	    STATIC_OFFSET, 0x100000 },
	{ "static-size", CIX_BAD_STATIC_RANGE, GRAPH, static_beyond, 0,
	    STATIC_SIZE, 17 },
	{ "slot", CIX_BAD_SLOT, GRAPH, word, "fmlist", SLOT, 0x100000 },
	{ "slot-negative", CIX_BAD_SLOT, GRAPH, word, "fmlist", SLOT,
	    0xfffffff0 },
	{ "remap-count", CIX_BAD_REMAP_CUT, GRAPH, word, "remap", 0, 1 },
	{ "remap-count-huge", CIX_BAD_REMAP_CUT, GRAPH, word, "remap", 0,
	    0x10000000 },
	/* Subgraphs */
	{ "subgraphs-none", CIX_BAD_SUBGRAPHS_NONE, GRAPH, word, "subgraphs",
	    0, 0 },
	{ "subgraphs-count", CIX_BAD_SUBGRAPHS_CUT, GRAPH, word, "subgraphs",
	    0, 2 },
	{ "precursors", CIX_BAD_SUBGRAPHS_CUT, GRAPH, word, "subgraphs",
	    N_PRECURSOR, 0x1000 },
	{ "private-sections", CIX_BAD_SUBGRAPHS_CUT, GRAPH, word, "subgraphs",
	    N_PRIVATE, 0x1000 },
	{ "private-data", CIX_BAD_PRIVATE_DATA, GRAPH, word, "subgraphs",
	    PRIVATE_SIZE, 0 },
	/* Tensors */
	{ "many-tensors", CIX_BAD_MANY_TENSORS, PLAN, many_tensors, 0, 65536,
	    0 },
	{ "tensor-beyond", CIX_BAD_TENSOR_RANGE, GRAPH, word, "fmlist",
	    SUB_OFFSET, 0x10000 },
	{ "tensor-too-long", CIX_BAD_TENSOR_RANGE, GRAPH, word, "fmlist",
	    SUB_SIZE, 0xffffffff },
	{ "tensor-empty", CIX_BAD_TENSOR_EMPTY, GRAPH, word, "fmlist",
	    SUB_SIZE, 0 },
	{ "tensor-halves", CIX_BAD_TENSOR_ELEMENTS, PLAN, halves, 0, NPU_S32,
	    63 },
	{ "scale-nan", CIX_BAD_TENSOR_SCALE, PLAN, scale, "nan", 0, 0 },
	{ "scale-infinite", CIX_BAD_TENSOR_SCALE, PLAN, scale, "inf", 0, 0 },
	{ "scale-negative", CIX_BAD_TENSOR_SCALE, PLAN, scale, "-1", 0, 0 },
	{ .name = NULL }
};
