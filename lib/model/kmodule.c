// SPDX-License-Identifier: Apache-2.0
#include <elf.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/err.h"
#include "model/kmodule.h"

/* The parts of the file. */
struct parts {
	struct bytes b;
	Elf64_Ehdr h;
	struct bytes names;		/* section names */
	struct bytes modinfo;		/* "KEY=VALUE" strings, each with a
					   NUL */
	struct bytes symbols, strings;
	bool linked;			/* has .gnu.linkonce.this_module */
};

const char *
kmodule_compression(struct bytes b)
{
	static const struct {
		const char *magic, *name;
	} kinds[] = {
		/* Sources: xz's file format 1.1, 2.1.1.1; RFC 8878, 3.1.1; RFC
		 * 1952. */
		{ "\xfd" "7zXZ", "xz" }, { "\x28\xb5\x2f\xfd", "zstd" },
		{ "\x1f\x8b", "gzip" },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (bytes_start(b, kinds[i].magic))
			return kinds[i].name;
	return NULL;
}

/* ---- Sections ---------------------------------------------------------- */

static int
check_header(const struct parts *p, struct npu_err *err)
{
	const Elf64_Ehdr *h = &p->h;

	if (!bytes_start(p->b, ELFMAG))
		return npu_fail(err, NPU_EFORMAT, "not an ELF file");
	if (h->e_ident[EI_CLASS] != ELFCLASS64 ||
	    h->e_ident[EI_DATA] != ELFDATA2LSB)
		return npu_fail(err, NPU_EFORMAT, "its ELF class is %u and "
		    "its byte order %u, but 2 and 1 are modules of 64 bits",
		    h->e_ident[EI_CLASS], h->e_ident[EI_DATA]);
	if (h->e_type != ET_REL)
		return npu_fail(err, NPU_EFORMAT, "its ELF type is %u, but "
		    "%u is a module", h->e_type, ET_REL);
	if (h->e_shentsize != sizeof(Elf64_Shdr))
		return npu_fail(err, NPU_EFORMAT, "its section headers have "
		    "%u bytes, not %zu", h->e_shentsize, sizeof(Elf64_Shdr));
	return 0;
}

/* Reads section i and its contents. */
static int
read_section(const struct parts *p, unsigned i, Elf64_Shdr *s,
    struct bytes *data, struct npu_err *err)
{
	const Elf64_Ehdr *h = &p->h;

	if (i >= h->e_shnum || h->e_shoff > p->b.n || !bytes_get(p->b,
	    h->e_shoff + (uint64_t)i * sizeof(*s), s, sizeof(*s)))
		return npu_fail(err, NPU_EFORMAT, "section %u of %u: its "
		    "header is at %" PRIu64 " of %zu bytes", i, h->e_shnum,
		    (uint64_t)h->e_shoff, p->b.n);
	*data = (struct bytes){ p->b.p, 0 };
	if (s->sh_type != SHT_NOBITS && s->sh_type != SHT_NULL &&
	    !bytes_sub(p->b, s->sh_offset, s->sh_size, data))
		return npu_fail(err, NPU_EFORMAT, "section %u: %" PRIu64
		    " bytes at %" PRIu64 " of %zu", i, (uint64_t)s->sh_size,
		    (uint64_t)s->sh_offset, p->b.n);
	return 0;
}

/* Stores the string at off.  Returns false if it does not end within all. */
static bool
string_at(struct bytes all, uint64_t off, const char **s)
{
	if (off >= all.n || memchr(all.p + off, '\0', all.n - off) == NULL)
		return false;
	*s = (const char *)all.p + off;
	return true;
}

static int
adopt_symbols(struct parts *p, unsigned i, const Elf64_Shdr *s,
    struct bytes data, struct npu_err *err)
{
	Elf64_Shdr strings;

	if (p->symbols.n > 0)
		return npu_fail(err, NPU_EFORMAT, "section %u: a second table "
		    "of symbols", i);
	if (s->sh_entsize != sizeof(Elf64_Sym))
		return npu_fail(err, NPU_EFORMAT, "section %u: symbols of %"
		    PRIu64 " bytes, not %zu", i, (uint64_t)s->sh_entsize,
		    sizeof(Elf64_Sym));
	p->symbols = data;
	return read_section(p, s->sh_link, &strings, &p->strings, err);
}

static int
find_parts(struct parts *p, struct npu_err *err)
{
	struct bytes data;
	const char *name;
	Elf64_Shdr s;
	int rc;

	if ((rc = read_section(p, p->h.e_shstrndx, &s, &p->names, err)) < 0)
		return npu_prefix(err, rc, "the names of sections");
	for (unsigned i = 0; i < p->h.e_shnum; i++) {
		if ((rc = read_section(p, i, &s, &data, err)) < 0)
			return rc;
		if (!string_at(p->names, s.sh_name, &name))
			return npu_fail(err, NPU_EFORMAT, "section %u: its "
			    "name is at %" PRIu32 " of %zu bytes", i,
			    s.sh_name, p->names.n);
		if (strcmp(name, ".modinfo") == 0)
			p->modinfo = data;
		p->linked |= strcmp(name, ".gnu.linkonce.this_module") == 0;
		if (s.sh_type == SHT_SYMTAB &&
		    (rc = adopt_symbols(p, i, &s, data, err)) < 0)
			return rc;
	}
	return 0;
}

/* ---- Contents ---------------------------------------------------------- */

static int
read_symbols(const struct parts *p, struct kmodule *m, struct npu_err *err)
{
	size_t count = p->symbols.n / sizeof(Elf64_Sym);
	const char *name;
	Elf64_Sym s = { 0 };

	for (size_t i = 0; i < count; i++) {
		bytes_get(p->symbols, i * sizeof(s), &s, sizeof(s));
		if (!string_at(p->strings, s.st_name, &name))
			return npu_fail(err, NPU_EFORMAT, "symbol %zu of %zu: "
			    "its name is at %" PRIu32 " of %zu bytes", i,
			    count, s.st_name, p->strings.n);
		if (s.st_shndx == SHN_UNDEF)
			m->wants_dma_buf |= strncmp(name, "dma_buf_", 8) == 0;
		else if (strcmp(name, "init_module") == 0)
			m->starts = true;
		else if (strcmp(name, "cleanup_module") == 0)
			m->ends = true;
	}
	return 0;
}

/* Appends a value, with '?' for each byte that is not printable ASCII; the
 * kernel's own modules have no such bytes. */
static void
add_value(char *to, size_t size, const char *value)
{
	size_t at = strlen(to);

	snprintf(to + at, size - at, "%s%s", at > 0 ? ", " : "", value);
	for (char *c = to + at; *c != '\0'; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
}

static int
read_modinfo(struct bytes all, struct kmodule *m, struct npu_err *err)
{
	const char *s;

	for (uint64_t off = 0; off < all.n; off += strlen(s) + 1) {
		if (!string_at(all, off, &s))
			return npu_fail(err, NPU_EFORMAT, ".modinfo: the text "
			    "at %" PRIu64 " of %zu bytes has no end", off,
			    all.n);
		if (strncmp(s, "vermagic=", 9) == 0 && m->vermagic[0] == '\0')
			add_value(m->vermagic, sizeof(m->vermagic), s + 9);
		else if (strncmp(s, "license=", 8) == 0 &&
		    m->license[0] == '\0')
			add_value(m->license, sizeof(m->license), s + 8);
		else if (strncmp(s, "import_ns=", 10) == 0)
			add_value(m->imports, sizeof(m->imports), s + 10);
	}
	return 0;
}

int
kmodule_parse(struct bytes b, struct kmodule *m, struct npu_err *err)
{
	struct parts p = { .b = b };
	struct kmodule k = { .vermagic = "" };
	int rc;

	if (!bytes_get(b, 0, &p.h, sizeof(p.h)))
		return npu_fail(err, NPU_EFORMAT, "%zu bytes, but an ELF "
		    "header has %zu", b.n, sizeof(p.h));
	if ((rc = check_header(&p, err)) < 0 ||
	    (rc = find_parts(&p, err)) < 0 ||
	    (rc = read_symbols(&p, &k, err)) < 0 ||
	    (rc = read_modinfo(p.modinfo, &k, err)) < 0)
		return rc;
	k.linked = p.linked;
	*m = k;
	return 0;
}
