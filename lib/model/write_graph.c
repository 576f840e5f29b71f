// SPDX-License-Identifier: Apache-2.0
/* Writes the graph ELF of a packed model: noe-abi 8. */
#include "model/elf.h"
#include "model/write.h"

#define PAGE 4096u
#define STACK 4096u
#define PRIVATE 4096u

/* The offset in rodata of tensor i's address: after four words, rodata has
 * {address, bytes} for each tensor. */
#define SLOT(i) (16 + 8 * (uint32_t)(i))

static void
put_bytes(struct buf *b, struct bytes s)
{
	buf_add(b, s.p, s.n);
}

/* Writes a note with the contents of desc, and empties desc. */
static void
put_note(struct buf *b, const char *name, struct buf *desc)
{
	put_u32(b, (uint32_t)strlen(name) + 1);
	put_u32(b, (uint32_t)desc->n);
	put_u32(b, 0);
	buf_add(b, name, strlen(name) + 1);
	put_align(b, 4);
	buf_add(b, desc->p, desc->n);
	put_align(b, 4);
	b->failed = b->failed || desc->failed;
	buf_clear(desc);
}

/* ---- fmlist: noe-abi 8.2 ---------------------------------------------- */

static uint32_t
pages(uint64_t n)
{
	return (uint32_t)((n + PAGE - 1) / PAGE * PAGE);
}

static void
put_sub(struct buf *b, uint32_t offset, const struct cix_tensor *t,
    uint32_t slot)
{
	put_u32(b, offset);
	put_u32(b, (uint32_t)t->desc.size);
	put_u32(b, t->kind);
	put_u32(b, t->id);
	put_u32(b, t->desc.dtype);
	buf_add(b, &t->desc.scale, 4);
	buf_add(b, &t->desc.zero_point, 4);
	for (int i = 0; i < 3; i++)
		put_u32(b, 0);
	put_u32(b, UINT32_MAX);		/* all bits of the address */
	put_u32(b, 1);
	put_u32(b, slot);
}

/* Returns the index in the plan of the tensor that is written i-th. */
static size_t
nth(const struct graph_plan *p, size_t i)
{
	return p->reversed ? p->n_tensors - 1 - i : i;
}

static void
put_one_section(struct buf *b, const struct graph_plan *p, size_t from,
    size_t to)
{
	size_t head = b->n;
	uint32_t offset = 0;

	for (int i = 0; i < 4; i++)
		put_u32(b, 0);
	for (size_t i = from; i < to; i++) {
		put_sub(b, offset, &p->tensors[nth(p, i)], SLOT(nth(p, i)));
		offset += pages(p->tensors[nth(p, i)].desc.size);
	}
	put_u32_at(b, head, offset);
	put_u32_at(b, head + 4, PAGE);
	put_u32_at(b, head + 12, (uint32_t)(to - from));
}

static void
put_sections(struct buf *b, const struct graph_plan *p, size_t from,
    size_t to)
{
	for (size_t i = from; i < to; i++) {
		put_u32(b, pages(p->tensors[nth(p, i)].desc.size));
		put_u32(b, PAGE);
		put_u32(b, 0);
		put_u32(b, 1);
		put_sub(b, 0, &p->tensors[nth(p, i)], SLOT(nth(p, i)));
	}
}

static void
put_weight_section(struct buf *b, const struct graph_plan *p)
{
	const uint32_t sub[] = { 0, (uint32_t)p->weight.n, CIX_CONSTANT, 0,
	    NPU_U8, 0x3f800000, 0, 0, 0, 0, UINT32_MAX, 0 };

	put_u32(b, 0);
	put_u32(b, (uint32_t)p->weight.n);
	put_u32(b, PAGE);
	put_u32(b, 1);
	buf_add(b, sub, sizeof(sub));
}

static void
put_fmlist(struct buf *b, const struct graph_plan *p)
{
	uint32_t lists = p->lists == 0 ? 1 : p->lists;
	size_t from, to;
	bool weight;

	put_u32(b, 0);
	put_u32(b, 0);
	put_u32(b, lists);
	for (uint32_t i = 0; i < lists; i++) {
		from = p->n_tensors * i / lists;
		to = p->n_tensors * (i + 1) / lists;
		weight = i == 0 && p->weight.n > 0;
		put_u32(b, STACK);
		put_u32(b, PAGE);
		put_u32(b, weight);
		put_u32(b, p->one_section ? 1 : (uint32_t)(to - from));
		if (weight)
			put_weight_section(b, p);
		if (p->one_section)
			put_one_section(b, p, from, to);
		else
			put_sections(b, p, from, to);
	}
}

/* ---- The other notes -------------------------------------------------- */

/*
 * Writes the parameter block.  Words 2 and 3 are the numbers of inputs and
 * outputs.  With "FNP1" and an operation in words 0 and 1 (mkcix), the block is
 * a program for the stand-in driver that tests use to run the vendor's library.
 */
static void
put_rodata(struct buf *b, const struct graph_plan *p)
{
	uint32_t in = 0, out = 0;

	for (size_t i = 0; i < p->n_tensors; i++) {
		in += p->tensors[i].kind == CIX_INPUT;
		out += p->tensors[i].kind == CIX_OUTPUT;
	}
	put_u32(b, 0);
	put_u32(b, 0);
	put_u32(b, in);
	put_u32(b, out);
	for (size_t i = 0; i < p->n_tensors; i++) {
		put_u32(b, 0);
		put_u32(b, (uint32_t)p->tensors[i].desc.size);
	}
}

/* Writes one entry, which owns all of rodata and list 0 (noe-abi 8.3). */
static void
put_subgraphs(struct buf *b, uint32_t rodata)
{
	const uint32_t entry[] = { 0, 0, 0, 0, 0, rodata, 0, 0, 0, 0, PRIVATE,
	    0, 0, 0, 0 };

	put_u32(b, 1);
	buf_add(b, entry, sizeof(entry));
	put_u32(b, 0);
}

/* Writes file version 1.1 and build 0.0.0: no compiler made this (noe-abi
 * 8.1). */
static void
put_compilermsg(struct buf *b, uint32_t device)
{
	const uint32_t msg[12] = { 1u << 24 | 1u << 16, 0, device, 0 };

	buf_add(b, msg, sizeof(msg));
}

static void
put_notes(struct buf *b, const struct graph_plan *p)
{
	struct buf desc = { 0 };
	uint32_t rodata;

	put_rodata(&desc, p);
	rodata = (uint32_t)desc.n;
	put_note(b, "rodata", &desc);
	if (p->desc.n > 0) {
		put_bytes(&desc, p->desc);
		put_note(b, "desc", &desc);
	}
	if (p->weight.n > 0) {
		put_bytes(&desc, p->weight);
		put_note(b, "weight", &desc);
	}
	put_fmlist(&desc, p);
	put_note(b, "fmlist", &desc);
	put_u32(&desc, 0);
	put_note(b, "remap", &desc);
	put_subgraphs(&desc, rodata);
	put_note(b, "subgraphs", &desc);
	put_compilermsg(&desc, p->device);
	put_note(b, "compilermsg", &desc);
	buf_free(&desc);
}

/* ---- The ELF ---------------------------------------------------------- */

#define STRINGS "\0.text\0.note.aipu\0.shstrtab\0.onnx"

enum { NAME_TEXT = 1, NAME_NOTE = 7, NAME_STRINGS = 18, NAME_ONNX = 28 };

/* Ends a section that began at start, and pads it. */
static Elf32_Shdr
section(struct buf *b, size_t base, size_t start, uint32_t name,
    uint32_t type, uint32_t flags)
{
	Elf32_Shdr s = { .sh_name = name, .sh_type = type, .sh_flags = flags };

	s.sh_offset = (uint32_t)(start - base);
	s.sh_size = (uint32_t)(b->n - start);
	s.sh_addralign = 16;
	put_align(b, 16);
	return s;
}

static Elf32_Ehdr
elf_header(size_t sections, unsigned n)
{
	Elf32_Ehdr h = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS32,
		    ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_EXEC,
		.e_machine = ELF_MACHINE_ZHOUYI,
		.e_version = EV_CURRENT,
		.e_ehsize = sizeof(Elf32_Ehdr),
		.e_phentsize = sizeof(Elf32_Phdr),
		.e_shentsize = sizeof(Elf32_Shdr),
		.e_shstrndx = 3,
	};

	h.e_shoff = (uint32_t)sections;
	h.e_shnum = (Elf32_Half)n;
	return h;
}

void
graph_write(const struct graph_plan *p, struct buf *b)
{
	static const char no_code[16];
	size_t base = b->n, start;
	Elf32_Shdr s[5] = { { .sh_type = SHT_NULL } };
	Elf32_Ehdr h = { .e_type = 0 };
	unsigned n = 1;

	buf_add(b, &h, sizeof(h));
	start = b->n;
	buf_add(b, no_code, sizeof(no_code));
	s[n++] = section(b, base, start, NAME_TEXT, SHT_PROGBITS,
	    SHF_ALLOC | SHF_EXECINSTR);
	start = b->n;
	put_notes(b, p);
	s[n++] = section(b, base, start, NAME_NOTE, SHT_NOTE, 0);
	start = b->n;
	buf_add(b, STRINGS, sizeof(STRINGS));
	s[n++] = section(b, base, start, NAME_STRINGS, SHT_STRTAB, 0);
	start = b->n;
	if (p->twin.n > 0) {
		put_bytes(b, p->twin);
		s[n++] = section(b, base, start, NAME_ONNX, SHT_PROGBITS, 0);
	}
	h = elf_header(b->n - base, n);
	buf_add(b, s, n * sizeof(s[0]));
	if (!b->failed)
		memcpy(b->p + base, &h, sizeof(h));
}
