// SPDX-License-Identifier: Apache-2.0
#include <elf.h>
#include <stdbool.h>
#include <string.h>

#include "ko.h"

enum { MODINFO = 1, SYMTAB, STRTAB, SHSTRTAB, THIS_MODULE, SECTIONS };

/* A file before it is written. */
struct file {
	const char *license, *import, *init, *exit, *uses;
	const char *release;
	Elf64_Ehdr h;
	Elf64_Shdr s[SECTIONS];
	size_t cut;		/* bytes to leave out at the end */
	char last;		/* last byte of .modinfo */
	uint32_t symbol;	/* offset of its last name; 0: correct */
	bool twice;		/* a second .modinfo, which is different */
	bool object;		/* not linked into a module */
};

static void no_init(struct file *f) { f->init = "init_module_"; }
static void object(struct file *f) { f->object = true; }
static void no_exit(struct file *f) { f->exit = "cleanup"; }
static void no_license(struct file *f) { f->license = NULL; }
static void proprietary(struct file *f) { f->license = "Proprietary"; }
static void no_import(struct file *f) { f->import = NULL; }
static void quoted(struct file *f) { f->import = "\"DMA_BUF\""; }
static void no_dma_buf(struct file *f) { f->import = f->uses = NULL; }
static void no_vermagic(struct file *f) { f->release = NULL; }
static void control(struct file *f) { f->license = "GPL\033[31m\n"; }

static void short_file(struct file *f) { f->cut = (size_t)-1; }
static void no_magic(struct file *f) { f->h.e_ident[0] = 0; }
static void class_32(struct file *f) { f->h.e_ident[EI_CLASS] = ELFCLASS32; }
static void big_endian(struct file *f) { f->h.e_ident[EI_DATA] = ELFDATA2MSB; }
static void executable(struct file *f) { f->h.e_type = ET_EXEC; }
static void entry_size(struct file *f) { f->h.e_shentsize = 40; }
static void headers_cut(struct file *f) { f->cut = 8; }
static void headers_far(struct file *f) { f->h.e_shoff = UINT64_MAX - 63; }
static void names_index(struct file *f) { f->h.e_shstrndx = SECTIONS; }
static void no_sections(struct file *f) { f->h.e_shnum = 0; }
static void section_far(struct file *f) { f->s[MODINFO].sh_offset = 1 << 20; }
static void section_long(struct file *f) { f->s[STRTAB].sh_size = UINT64_MAX; }
static void section_name(struct file *f) { f->s[MODINFO].sh_name = 5000; }
static void symbol_size(struct file *f) { f->s[SYMTAB].sh_entsize = 16; }
static void symbol_link(struct file *f) { f->s[SYMTAB].sh_link = 77; }
static void symbol_name(struct file *f) { f->symbol = 9999; }
static void two_tables(struct file *f) { f->s[STRTAB].sh_type = SHT_SYMTAB; }
static void twice(struct file *f) { f->twice = true; }
static void
empty_section(struct file *f)
{
	f->s[MODINFO].sh_type = SHT_NOBITS;
}
static void no_end(struct file *f) { f->last = 'x'; }

static const struct {
	const char *name;
	void (*change)(struct file *f);
	const char *says;	/* message of the refusal; NULL: sound */
} rows[] = {
	{ "sound", NULL, NULL },
	{ "object", object, NULL },
	{ "no-init", no_init, NULL }, { "no-exit", no_exit, NULL },
	{ "no-license", no_license, NULL },
	{ "proprietary", proprietary, NULL },
	{ "no-import", no_import, NULL }, { "quoted-import", quoted, NULL },
	{ "no-dma-buf", no_dma_buf, NULL },
	{ "no-vermagic", no_vermagic, NULL }, { "control", control, NULL },
	{ "twice", twice, NULL }, { "empty-section", empty_section, NULL },
	{ "short", short_file, "but an ELF header has 64" },
	{ "no-magic", no_magic, "not an ELF file" },
	{ "class-32", class_32, "its ELF class is 1" },
	{ "big-endian", big_endian, "its byte order 2" },
	{ "executable", executable, "its ELF type is 2" },
	{ "entry-size", entry_size, "its section headers have 40 bytes" },
	{ "headers-cut", headers_cut, "section 5 of 6: its header" },
	{ "headers-far", headers_far, "the names of sections: section 4" },
	{ "names-index", names_index, "the names of sections: section 6" },
	{ "no-sections", no_sections, "section 4 of 0" },
	{ "section-far", section_far, "section 1: " },
	{ "section-long", section_long, "section 3: " },
	{ "section-name", section_name, "section 1: its name is at 5000" },
	{ "symbol-size", symbol_size, "section 2: symbols of 16 bytes" },
	{ "symbol-link", symbol_link, "section 77 of 6" },
	{ "symbol-name", symbol_name, "symbol 3 of 4: its name is at 9999" },
	{ "two-tables", two_tables, "section 3: a second table" },
	{ "no-end", no_end, ".modinfo: the text at " },
};

#define ROWS (sizeof(rows) / sizeof(*rows))

/* ---- The file ---------------------------------------------------------- */

/* Adds a string to a string table; returns its offset. */
static uint32_t
add_string(struct buf *b, const char *s)
{
	uint32_t at = (uint32_t)b->n;

	buf_add(b, s, strlen(s) + 1);
	return at;
}

static void
add_info(struct buf *b, const char *key, const char *value, const char *more)
{
	if (value == NULL)
		return;
	buf_printf(b, "%s=%s%s", key, value, more);
	buf_add(b, "", 1);
}

static void
add_symbol(struct buf *symbols, uint32_t name, uint16_t section)
{
	Elf64_Sym s = { .st_name = name, .st_shndx = section,
	    .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC) };

	buf_add(symbols, &s, sizeof(s));
}

static void
place(struct buf *out, Elf64_Shdr *s, const struct buf *b)
{
	s->sh_offset = out->n;
	s->sh_size = b->n;
	buf_add(out, b->p, b->n);
	while (out->n % 8 != 0)
		buf_add(out, "", 1);
}

static void
fill(struct file *f, struct buf part[SECTIONS])
{
	const char *const names[SECTIONS] = { "", ".modinfo", ".symtab",
	    ".strtab", ".shstrtab", f->object ? ".data" :
	    ".gnu.linkonce.this_module" };
	struct buf *info = &part[MODINFO];

	for (int i = 0; i < SECTIONS; i++)
		f->s[i].sh_name = add_string(&part[SHSTRTAB], names[i]);
	add_info(info, "license", f->license, "");
	add_info(info, "import_ns", f->import, "");
	add_info(info, "alias", "acpi*:CIXH4000:*", "");
	add_info(info, "vermagic", f->release, " SMP preempt mod_unload");
	if (f->twice) {
		add_info(info, "license", "BSD", "");
		add_info(info, "import_ns", "OTHER\177", "");
		add_info(info, "vermagic", "0", "");
	}
	add_string(&part[STRTAB], "");
	add_symbol(&part[SYMTAB], 0, SHN_UNDEF);
	add_symbol(&part[SYMTAB], add_string(&part[STRTAB], f->init), 1);
	add_symbol(&part[SYMTAB], add_string(&part[STRTAB], f->exit), 1);
	add_symbol(&part[SYMTAB], add_string(&part[STRTAB],
	    f->uses != NULL ? f->uses : "printk"), SHN_UNDEF);
}

static void
build(struct file *f, void (*change)(struct file *f), struct buf *out)
{
	struct buf part[SECTIONS] = { { .n = 0 } };
	static const struct file plain;

	fill(f, part);
	buf_add(out, &f->h, sizeof(f->h));
	for (int i = 1; i < SECTIONS; i++)
		place(out, &f->s[i], &part[i]);
	f->h.e_shoff = out->n;
	if (change != NULL)
		change(f);
	if (f->last != plain.last)
		out->p[f->s[MODINFO].sh_offset + f->s[MODINFO].sh_size - 1] =
		    f->last;
	if (f->symbol != 0)
		memcpy(out->p + f->s[SYMTAB].sh_offset +
		    3 * sizeof(Elf64_Sym), &f->symbol, sizeof(f->symbol));
	memcpy(out->p, &f->h, sizeof(f->h));
	buf_add(out, f->s, sizeof(f->s));
	for (int i = 0; i < SECTIONS; i++)
		buf_free(&part[i]);
	out->n = f->cut > out->n ? 20 : out->n - f->cut;
}

const char *
ko_name(size_t i)
{
	return i < ROWS ? rows[i].name : NULL;
}

const char *
ko_says(size_t i)
{
	return rows[i].says;
}

void
ko_make(size_t i, const char *release, struct buf *out)
{
	struct file f = {
		.license = "GPL v2", .import = "DMA_BUF",
		.init = "init_module", .exit = "cleanup_module",
		.uses = "dma_buf_export", .release = release,
		.h = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64,
		    ELFDATA2LSB, EV_CURRENT }, .e_type = ET_REL,
		    .e_machine = EM_AARCH64, .e_version = EV_CURRENT,
		    .e_ehsize = sizeof(Elf64_Ehdr),
		    .e_shentsize = sizeof(Elf64_Shdr), .e_shnum = SECTIONS,
		    .e_shstrndx = SHSTRTAB },
		.s = { [MODINFO] = { .sh_type = SHT_PROGBITS },
		    [SYMTAB] = { .sh_type = SHT_SYMTAB, .sh_link = STRTAB,
		    .sh_entsize = sizeof(Elf64_Sym) },
		    [STRTAB] = { .sh_type = SHT_STRTAB },
		    [SHSTRTAB] = { .sh_type = SHT_STRTAB },
		    [THIS_MODULE] = { .sh_type = SHT_PROGBITS } },
	};

	/* Texts are changed before the layout, numbers after the layout. */
	if (rows[i].change != NULL)
		rows[i].change(&f);
	build(&f, rows[i].change, out);
}
