// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>

#include "model/elf.h"

bool
elf_is_graph(struct bytes b)
{
	uint16_t machine;

	return bytes_start(b, ELFMAG) &&
	    bytes_u16(b, offsetof(Elf32_Ehdr, e_machine), &machine) &&
	    b.p[EI_CLASS] == ELFCLASS32 && machine == ELF_MACHINE_ZHOUYI;
}

/* Checks the fields that library 2.0.2 compares, and the two bytes that
 * determine the layout. */
static int
check_header(const Elf32_Ehdr *h, struct npu_err *err)
{
	if (CIX_BROKEN(CIX_BAD_ELF_CLASS,
	    h->e_ident[EI_CLASS] != ELFCLASS32 ||
	    h->e_ident[EI_DATA] != ELFDATA2LSB))
		return cix_refuse(err, CIX_BAD_ELF_CLASS,
		    "class %u, data %u", h->e_ident[EI_CLASS],
		    h->e_ident[EI_DATA]);
	if (CIX_BROKEN(CIX_BAD_ELF_TYPE, h->e_type != ET_EXEC))
		return cix_refuse(err, CIX_BAD_ELF_TYPE, "it is %u",
		    h->e_type);
	if (CIX_BROKEN(CIX_BAD_ELF_MACHINE,
	    h->e_machine != ELF_MACHINE_ZHOUYI))
		return cix_refuse(err, CIX_BAD_ELF_MACHINE, "it is %#x",
		    h->e_machine);
	if (CIX_BROKEN(CIX_BAD_ELF_VERSION, h->e_version != EV_CURRENT))
		return cix_refuse(err, CIX_BAD_ELF_VERSION,
		    "it is %" PRIu32, h->e_version);
	if (CIX_BROKEN(CIX_BAD_ELF_ENTRY,
	    h->e_shentsize != sizeof(Elf32_Shdr)))
		return cix_refuse(err, CIX_BAD_ELF_ENTRY, "they are %u",
		    h->e_shentsize);
	return 0;
}

static bool
section_header(const struct elf *e, unsigned i, Elf32_Shdr *s)
{
	return i < e->h.e_shnum && bytes_get(e->b,
	    e->h.e_shoff + (uint64_t)i * sizeof(*s), s, sizeof(*s));
}

static bool
section_data(const struct elf *e, const Elf32_Shdr *s, struct bytes *data)
{
	if (s->sh_type == SHT_NULL || s->sh_type == SHT_NOBITS)
		return bytes_sub(e->b, 0, 0, data);
	return bytes_sub(e->b, s->sh_offset, s->sh_size, data);
}

/* Sets e->names.  Every offset below names.n is followed by a NUL. */
static int
open_names(struct elf *e, struct npu_err *err)
{
	struct bytes all = { NULL, 0 };
	const uint8_t *nul = NULL;
	Elf32_Shdr s;
	bool sound;

	sound = section_header(e, e->h.e_shstrndx, &s) &&
	    section_data(e, &s, &all) && all.n > 0 &&
	    (nul = memrchr(all.p, '\0', all.n)) != NULL;
	if (CIX_BROKEN(CIX_BAD_ELF_STRINGS, !sound))
		return cix_refuse(err, CIX_BAD_ELF_STRINGS,
		    "section %u of %u should be it", e->h.e_shstrndx,
		    e->h.e_shnum);
	if (nul != NULL)
		e->names = (struct bytes){ all.p, (size_t)(nul - all.p) + 1 };
	return 0;
}

static int
check_sections(struct elf *e, struct npu_err *err)
{
	Elf32_Shdr s = { 0 };
	struct bytes data;
	int rc;

	if (CIX_BROKEN(CIX_BAD_ELF_HEADERS, !bytes_sub(e->b, e->h.e_shoff,
	    (uint64_t)e->h.e_shnum * sizeof(s), &data)))
		return cix_refuse(err, CIX_BAD_ELF_HEADERS,
		    "%u headers at %" PRIu32 " of %zu bytes", e->h.e_shnum,
		    e->h.e_shoff, e->b.n);
	for (unsigned i = 0; i < e->h.e_shnum; i++) {
		section_header(e, i, &s);
		if (CIX_BROKEN(CIX_BAD_ELF_SECTION,
		    !section_data(e, &s, &data)))
			return cix_refuse(err, CIX_BAD_ELF_SECTION,
			    "section %u: %" PRIu32 " bytes at %" PRIu32
			    " of %zu", i, s.sh_size, s.sh_offset, e->b.n);
	}
	if ((rc = open_names(e, err)) < 0)
		return rc;
	for (unsigned i = 0; i < e->h.e_shnum; i++) {
		section_header(e, i, &s);
		if (CIX_BROKEN(CIX_BAD_ELF_NAME, s.sh_name >= e->names.n))
			return cix_refuse(err, CIX_BAD_ELF_NAME,
			    "section %u: byte %" PRIu32 " of %zu", i,
			    s.sh_name, e->names.n);
	}
	return 0;
}

int
elf_open(struct bytes b, struct elf *out, struct npu_err *err)
{
	struct elf e = { .b = b };
	int rc;

	if (CIX_BROKEN(CIX_BAD_ELF_SHORT, !bytes_get(b, 0, &e.h,
	    sizeof(e.h))))
		return cix_refuse(err, CIX_BAD_ELF_SHORT,
		    "%zu bytes of %zu", b.n, sizeof(e.h));
	if ((rc = check_header(&e.h, err)) < 0 ||
	    (rc = check_sections(&e, err)) < 0)
		return rc;
	*out = e;
	return 0;
}

bool
elf_section(const struct elf *e, const char *name, struct bytes *data)
{
	struct bytes at;
	Elf32_Shdr s;

	for (unsigned i = 0; section_header(e, i, &s); i++)
		if (s.sh_type != SHT_NULL && bytes_sub(e->names, s.sh_name,
		    strlen(name) + 1, &at) &&
		    memcmp(at.p, name, at.n) == 0)
			return section_data(e, &s, data);
	return false;
}

static uint64_t
padded(uint32_t n)
{
	return ((uint64_t)n + 3) & ~(uint64_t)3;
}

int
elf_next_note(struct bytes notes, uint64_t *at, struct bytes *name,
    struct bytes *desc, struct npu_err *err)
{
	struct bytes n = { NULL, 0 }, d = { NULL, 0 };
	Elf32_Nhdr h = { 0 };
	uint64_t body = *at + sizeof(h);

	if (!bytes_get(notes, *at, &h, sizeof(h)))
		return 0;
	if (CIX_BROKEN(CIX_BAD_NOTE_CUT,
	    !bytes_sub(notes, body, h.n_namesz, &n) ||
	    !bytes_sub(notes, body + padded(h.n_namesz), h.n_descsz, &d)))
		return cix_refuse(err, CIX_BAD_NOTE_CUT,
		    "%" PRIu32 " and %" PRIu32 " bytes at %" PRIu64 " of %zu",
		    h.n_namesz, h.n_descsz, *at, notes.n);
	*at = body + padded(h.n_namesz) + padded(h.n_descsz);
	*name = (struct bytes){ n.p, n.n == 0 ? 0 :
	    strnlen((const char *)n.p, n.n) };
	*desc = d;
	return 1;
}
