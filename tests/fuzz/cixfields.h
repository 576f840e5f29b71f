/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the fields, notes and parts of a model file by the description of the
 * format (cix(5)), without lib/model.  Any byte may be wrong.
 */
#ifndef TESTS_FUZZ_CIXFIELDS_H
#define TESTS_FUZZ_CIXFIELDS_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The meaning of a field, which determines the values worth trying. */
enum spot_kind { SPOT_WORD, SPOT_SCALE, SPOT_TYPE, SPOT_IO, SPOT_DEVICE };

struct spot {
	size_t at;
	uint8_t width;
	enum spot_kind kind;
};

enum { SPOTS = 2048, NOTES = 32, PIECES = 256 };

/* Bytes whose length is stored in the word at offset count. */
struct piece {
	size_t at, n, count;
};

struct mutant {
	uint8_t *p;		/* room for max bytes */
	size_t n, max;
	uint32_t random;
	size_t elf, elf_n;	/* the graph; elf_n 0: not found */
	size_t vector;		/* field that points to it; 0: the file is a
				   bare ELF */
	size_t section;		/* header of the note section; 0: not found */
	struct spot spot[SPOTS];
	size_t spots;
	struct piece note[NOTES];	/* count: offset of the desc's length */
	size_t notes;
	struct piece sub[PIECES];	/* parts of the fmlist note */
	size_t subs, sub_note;		/* index of this note */
};

/* ---- Bytes -------------------------------------------------------------- */

/* xorshift32 */
static inline uint32_t
draw(struct mutant *m, uint32_t below)
{
	m->random ^= m->random << 13;
	m->random ^= m->random >> 17;
	m->random ^= m->random << 5;
	return below == 0 ? 0 : m->random % below;
}

static inline bool
here(const struct mutant *m, size_t at, size_t n)
{
	return at <= m->n && n <= m->n - at;
}

static inline uint32_t
get(const struct mutant *m, size_t at, size_t width)
{
	uint32_t v = 0;

	if (here(m, at, width))
		memcpy(&v, m->p + at, width);
	return v;
}

static inline void
put(struct mutant *m, size_t at, size_t width, uint32_t v)
{
	if (here(m, at, width))
		memcpy(m->p + at, &v, width);
}

static inline size_t
padded(size_t n)
{
	return (n + 3) & ~(size_t)3;
}

static inline void
spot(struct mutant *m, size_t at, uint8_t width, enum spot_kind kind)
{
	if (m->spots < SPOTS && here(m, at, width))
		m->spot[m->spots++] = (struct spot){ at, width, kind };
}

/* ---- The container: noe-abi 7 ------------------------------------------- */

/*
 * Lists the fields of a table: v a version, s a string, L strings, I words, B
 * the graph, G subgraphs, T tensors, w a word, b a byte.
 */
static const char *
fields_of(char table)
{
	return table == 'R' ? "vsGTLL" : table == 'v' ? "wwwb" :
	    table == 'G' ? "sBLLw" : "sIwwII";
}

static inline void find_table(struct mutant *m, size_t at, char table);

static inline void
find_vector(struct mutant *m, size_t field, char kind)
{
	size_t at = field + get(m, field, 4), n = get(m, at, 4);

	spot(m, at, 4, SPOT_WORD);
	if (kind == 'B' && m->elf_n == 0 && here(m, at, 5) &&
	    at + 4 < m->n) {
		m->vector = field;
		m->elf = at + 4;
		m->elf_n = n < m->n - m->elf ? n : m->n - m->elf;
	}
	for (size_t i = 0; kind != 'B' && kind != 's' && i < n && i < 8; i++) {
		size_t e = at + 4 + 4 * i;

		spot(m, e, 4, SPOT_WORD);
		if (!here(m, e, 4) || get(m, e, 4) == 0)
			break;
		if (kind == 'G' || kind == 'T')
			find_table(m, e + get(m, e, 4), kind);
		else if (kind == 'L')
			spot(m, e + get(m, e, 4), 4, SPOT_WORD);
	}
}

static inline void
find_table(struct mutant *m, size_t at, char table)
{
	const char *fields = fields_of(table);
	size_t vtable = at - (size_t)(int32_t)get(m, at, 4), size;

	if (!here(m, at, 4) || !here(m, vtable, 4) || m->spots > SPOTS / 2)
		return;
	spot(m, at, 4, SPOT_WORD);
	spot(m, vtable, 2, SPOT_WORD);
	spot(m, vtable + 2, 2, SPOT_WORD);
	size = get(m, vtable, 2);
	for (size_t i = 0; fields[i] != '\0' && 6 + 2 * i <= size; i++) {
		size_t entry = vtable + 4 + 2 * i, f = at + get(m, entry, 2);

		spot(m, entry, 2, SPOT_WORD);
		if (f == at)
			continue;
		spot(m, f, fields[i] == 'b' ? 1 : 4, SPOT_WORD);
		if (fields[i] == 'v')
			find_table(m, f + get(m, f, 4), 'v');
		else if (fields[i] != 'w' && fields[i] != 'b')
			find_vector(m, f, fields[i]);
	}
}

/* ---- The graph: noe-abi 8 ----------------------------------------------- */

static inline size_t
section_at(const struct mutant *m, size_t i)
{
	return m->elf + get(m, m->elf + offsetof(Elf32_Ehdr, e_shoff), 4) +
	    i * sizeof(Elf32_Shdr);
}

static inline size_t
sections(const struct mutant *m)
{
	size_t n = get(m, m->elf + offsetof(Elf32_Ehdr, e_shnum), 2);

	return n > 32 ? 32 : n;
}

/* Finds sub-sections from at on; returns the offset of their end. */
static inline size_t
find_subs(struct mutant *m, size_t at, size_t end, size_t count)
{
	for (uint32_t i = get(m, count, 4); i > 0 && at + 48 <= end; i--) {
		size_t n = 48 + 4 * (size_t)get(m, at + 44, 4);

		if (n > end - at)
			return end;
		for (unsigned w = 0; w < 12; w++)
			spot(m, at + 4 * w, 4, w == 2 ? SPOT_IO : w == 4 ?
			    SPOT_TYPE : w == 5 ? SPOT_SCALE : SPOT_WORD);
		if (n > 48)
			spot(m, at + 48, 4, SPOT_WORD);
		if (m->subs < PIECES)
			m->sub[m->subs++] = (struct piece){ at, n, count };
		at += n;
	}
	return at;
}

/* Finds the lists, their sections and their sub-sections (noe-abi 8.2). */
static inline void
find_fmlist(struct mutant *m, size_t at, size_t end)
{
	uint32_t lists = get(m, at + 8, 4);

	spot(m, at + 8, 4, SPOT_WORD);
	m->sub_note = m->notes;
	for (at += 12; lists > 0 && at + 16 <= end; lists--) {
		uint64_t n = (uint64_t)get(m, at + 8, 4) + get(m, at + 12, 4);

		for (unsigned w = 0; w < 4; w++)
			spot(m, at + 4 * w, 4, SPOT_WORD);
		for (at += 16; n > 0 && at + 16 <= end; n--) {
			for (unsigned w = 0; w < 4; w++)
				spot(m, at + 4 * w, 4, SPOT_WORD);
			at = find_subs(m, at + 16, end, at + 12);
		}
	}
}

static inline void
find_desc(struct mutant *m, const char *name, size_t at, size_t n)
{
	size_t words = n / 4 < 40 ? n / 4 : 40;

	if (strncmp(name, "fmlist", 6) == 0)
		find_fmlist(m, at, at + n);
	else if (strncmp(name, "rodata", 6) != 0 &&
	    strncmp(name, "weight", 6) != 0)
		for (size_t w = 0; w < words; w++)
			spot(m, at + 4 * w, 4, w == 2 && strncmp(name,
			    "compilermsg", 11) == 0 ? SPOT_DEVICE :
			    SPOT_WORD);
}

static inline void
find_notes(struct mutant *m, size_t at, size_t end)
{
	while (m->notes < NOTES && at + 12 <= end) {
		size_t name = get(m, at, 4), desc = get(m, at + 4, 4);
		size_t body = at + 12 + padded(name);

		if (name > end - at || body > end || desc > end - body)
			return;
		spot(m, at, 4, SPOT_WORD);
		spot(m, at + 4, 4, SPOT_WORD);
		if (name >= 4)
			find_desc(m, (const char *)m->p + at + 12, body, desc);
		desc = padded(desc) < end - body ? padded(desc) : end - body;
		m->note[m->notes++] = (struct piece){ at, body + desc - at,
		    at + 4 };
		at = body + desc;
	}
}

static inline void
find_graph(struct mutant *m)
{
	static const struct { uint8_t at, width; } head[] = {
		{ EI_CLASS, 1 }, { EI_DATA, 1 },
		{ offsetof(Elf32_Ehdr, e_type), 2 },
		{ offsetof(Elf32_Ehdr, e_machine), 2 },
		{ offsetof(Elf32_Ehdr, e_version), 4 },
		{ offsetof(Elf32_Ehdr, e_shoff), 4 },
		{ offsetof(Elf32_Ehdr, e_shentsize), 2 },
		{ offsetof(Elf32_Ehdr, e_shnum), 2 },
		{ offsetof(Elf32_Ehdr, e_shstrndx), 2 },
	};
	size_t at, data, size;

	for (size_t i = 0; i < sizeof(head) / sizeof(*head); i++)
		spot(m, m->elf + head[i].at, head[i].width, SPOT_WORD);
	for (size_t i = 0; i < sections(m); i++) {
		at = section_at(m, i);
		for (unsigned w = 0; w < 6; w++)
			if (w < 2 || w > 3)
				spot(m, at + 4 * w, 4, SPOT_WORD);
		data = m->elf + get(m, at + 16, 4);
		size = get(m, at + 20, 4);
		if (get(m, at + 4, 4) != SHT_NOTE || m->section != 0 ||
		    !here(m, data, size))
			continue;
		m->section = at;
		find_notes(m, data, data + size);
	}
}

static inline void
find_all(struct mutant *m)
{
	m->spots = m->notes = m->subs = 0;
	m->elf = m->elf_n = m->vector = m->section = 0;
	if (m->n >= 4 && memcmp(m->p, ELFMAG, 4) == 0) {
		m->elf_n = m->n;
	} else {
		spot(m, 0, 4, SPOT_WORD);
		find_table(m, get(m, 0, 4), 'R');
	}
	if (m->elf_n > sizeof(Elf32_Ehdr))
		find_graph(m);
}

#endif
