/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mutates model files but keeps their structure: changes one field, moves,
 * copies and cuts sections and notes, or passes parts to LLVMFuzzerMutate().
 * The lengths around a change are corrected, because a reader would otherwise
 * not read the contents.  If a file does not have this structure, its bytes are
 * mutated like any others.
 */
#ifndef TESTS_FUZZ_CIXMUTATE_H
#define TESTS_FUZZ_CIXMUTATE_H

#include <stdlib.h>

#include "cixfields.h"

size_t LLVMFuzzerMutate(uint8_t *p, size_t n, size_t max);

/* ---- One field ---------------------------------------------------------- */

static inline uint32_t
scale(struct mutant *m)
{
	static const uint32_t odd[] = { 0, 0x3f800000, 0x80000000, 0x7f800000,
	    0x7fc00000, 0xbf800000, 0x00000001, 0x7f7fffff };

	return odd[draw(m, 8)];
}

static inline uint32_t
word(struct mutant *m, uint32_t old)
{
	const struct spot *other = &m->spot[draw(m, (uint32_t)m->spots)];

	switch (draw(m, 14)) {
	case 0: return 0;
	case 1: return 1;
	case 2: return 0x7fffffff;
	case 3: return 0x80000000;
	case 4: return UINT32_MAX;
	case 5: return old + 1;
	case 6: return old - 1;
	case 7: return old + 4;
	case 8: return old * 2;
	case 9: return old ^ 1u << draw(m, 32);
	case 10: return (uint32_t)m->elf_n - draw(m, 5);
	case 11: return draw(m, 64);
	case 12: return draw(m, (uint32_t)m->n);
	}
	return get(m, other->at, other->width);
}

static inline void
change_field(struct mutant *m)
{
	static const uint32_t io[] = { 0, 1, 2, 3, 4, 10, 12, 13, 14, 15, 16,
	    255, 99 };
	const struct spot s = m->spot[draw(m, (uint32_t)m->spots)];
	uint32_t v = word(m, get(m, s.at, s.width));

	if (s.kind == SPOT_SCALE)
		v = scale(m);
	else if (s.kind == SPOT_TYPE && draw(m, 4) != 0)
		v = draw(m, 20);
	else if (s.kind == SPOT_IO && draw(m, 4) != 0)
		v = io[draw(m, 13)];
	else if (s.kind == SPOT_DEVICE && draw(m, 4) != 0)
		v = draw(m, 16) << 16 | (draw(m, 2) ? 1204 : draw(m, 65536));
	put(m, s.at, s.width, v);
}

/* ---- Parts -------------------------------------------------------------- */

/*
 * Replaces the n bytes at offset at by the bytes at p, and corrects the counts
 * within the graph and around it.  Returns false if there is not enough room.
 */
static inline bool
replace(struct mutant *m, size_t at, size_t n, const uint8_t *p, size_t with)
{
	size_t grown = m->n - n + with, shift = with - n;
	size_t shoff = m->elf + offsetof(Elf32_Ehdr, e_shoff), data;

	if (!here(m, at, n) || grown > m->max)
		return false;
	memmove(m->p + at + with, m->p + at + n, m->n - at - n);
	if (with > 0)
		memcpy(m->p + at, p, with);
	m->n = grown;
	m->elf_n += shift;
	if (m->elf + get(m, shoff, 4) >= at + n)
		put(m, shoff, 4, get(m, shoff, 4) + (uint32_t)shift);
	for (size_t i = 0; i < sections(m); i++) {
		size_t s = section_at(m, i);

		data = m->elf + get(m, s + 16, 4);
		if (data > at)
			put(m, s + 16, 4, get(m, s + 16, 4) +
			    (uint32_t)shift);
		else if (at < data + get(m, s + 20, 4))
			put(m, s + 20, 4, get(m, s + 20, 4) +
			    (uint32_t)shift);
	}
	if (m->vector != 0)
		put(m, m->elf - 4, 4, (uint32_t)m->elf_n);
	return true;
}

static inline bool
double_piece(struct mutant *m, const struct piece *p)
{
	uint8_t *copy = malloc(p->n);
	bool done;

	memcpy(copy, m->p + p->at, p->n);
	done = replace(m, p->at, 0, copy, p->n);
	free(copy);
	return done;
}

/* Removes or copies a sub-section; corrects its count and its note's length. */
static inline void
change_sub(struct mutant *m)
{
	const struct piece s = m->sub[draw(m, (uint32_t)m->subs)];
	const size_t desc = m->note[m->sub_note].count;
	uint32_t n = get(m, s.count, 4), all = get(m, desc, 4);

	if (draw(m, 3) == 0) {
		if (replace(m, s.at, s.n, NULL, 0)) {
			put(m, s.count, 4, n - 1);
			put(m, desc, 4, all - (uint32_t)s.n);
		}
	} else if (double_piece(m, &s)) {
		put(m, s.count, 4, n + 1);
		put(m, desc, 4, all + (uint32_t)s.n);
	}
}

static inline void
swap_notes(struct mutant *m, const struct piece *a, const struct piece *b)
{
	uint8_t *copy = malloc(a->n);

	memcpy(copy, m->p + a->at, a->n);
	memmove(m->p + a->at, m->p + b->at, b->n);
	memcpy(m->p + a->at + b->n, copy, a->n);
	free(copy);
}

/* Replaces the note's bytes by mutated bytes. */
static inline void
mutate_note(struct mutant *m, const struct piece *note)
{
	size_t body = note->at + 12 + padded(get(m, note->at, 4));
	size_t n = get(m, note->count, 4), most = padded(n) + 64, with;
	uint8_t *p = calloc(1, most + 4);

	n = n < m->n - body ? n : m->n - body;
	memcpy(p, m->p + body, n);
	with = LLVMFuzzerMutate(p, n, most);
	memset(p + with, 0, most + 4 - with);
	if (replace(m, body, note->at + note->n - body, p, padded(with)))
		put(m, note->count, 4, (uint32_t)with);
	free(p);
}

static inline void
change_note(struct mutant *m)
{
	size_t i = draw(m, (uint32_t)m->notes);
	const struct piece note = m->note[i];

	switch (draw(m, 4)) {
	case 0: double_piece(m, &note); break;
	case 1: replace(m, note.at, note.n, NULL, 0); break;
	case 2:
		if (i + 1 < m->notes)
			swap_notes(m, &note, &m->note[i + 1]);
		break;
	default: mutate_note(m, &note); break;
	}
}

/* Swaps the headers of two sections, or copies one header over the other. */
static inline void
change_section(struct mutant *m)
{
	uint32_t n = (uint32_t)sections(m);
	size_t a = section_at(m, draw(m, n)), b = section_at(m, draw(m, n));
	uint8_t copy[sizeof(Elf32_Shdr)];

	if (!here(m, a, sizeof(copy)) || !here(m, b, sizeof(copy)))
		return;
	memcpy(copy, m->p + a, sizeof(copy));
	if (draw(m, 2) == 0)
		memmove(m->p + a, m->p + b, sizeof(copy));
	memcpy(m->p + b, copy, sizeof(copy));
}

/* ---- All mutations ------------------------------------------------------ */

static inline void
change(struct mutant *m)
{
	uint32_t what = draw(m, 16);

	find_all(m);
	if (m->spots == 0 || what == 0)
		m->n = LLVMFuzzerMutate(m->p, m->n, m->max);
	else if (what < 4 && m->subs > 0)
		change_sub(m);
	else if (what < 7 && m->notes > 0)
		change_note(m);
	else if (what == 7 && m->elf_n > 0)
		change_section(m);
	else
		change_field(m);
}

/* Mutates the n bytes at p into at most max bytes; returns the new size. */
static inline size_t
cix_mutate(uint8_t *p, size_t n, size_t max, uint32_t seed)
{
	static struct mutant m;

	m = (struct mutant){ .p = p, .n = n, .max = max,
	    .random = seed * 2654435761u | 1 };
	for (uint32_t i = 1 + draw(&m, 3); i > 0; i--)
		change(&m);
	return m.n;
}

#endif
