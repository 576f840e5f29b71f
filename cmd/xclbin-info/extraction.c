// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "info.h"
#include "model/axlf_names.h"
#include "xclbin/dump.h"

/* ---- The option -------------------------------------------------------- */

/* Parses arg[0..n): "AIE_PARTITION" or "AIE_PARTITION[label]". */
static void
parse_section(struct extraction *e, const char *arg, size_t n)
{
	const char *open = memchr(arg, '[', n);
	size_t kind_n = open != NULL ? (size_t)(open - arg) : n;
	char *kind = cmd_text("%.*s", (int)kind_n, arg);
	int number = axlf_number(&axlf_kinds, kind);

	if (number < 0)
		cmd_usage("--extract: '%s' is not a kind of section, such as "
		    "AIE_PARTITION; xclbin-info FILE lists what a file has",
		    kind);
	e->kind = (uint32_t)number;
	free(kind);
	if (open == NULL)
		return;
	if (arg[n - 1] != ']')
		cmd_usage("--extract: '%s' has a '[' without ']' before the "
		    "form", arg);
	e->label = cmd_text("%.*s", (int)(n - kind_n - 2), open + 1);
}

struct extraction
extraction_parse(const char *arg)
{
	struct extraction e = { .label = NULL };
	size_t n = strcspn(arg, "[:");
	const char *rest;

	if (arg[n] == '[')
		n += strcspn(arg + n, "]") + (strchr(arg + n, ']') != NULL);
	rest = arg + n;
	if (strncmp(rest, ":JSON:", 6) == 0)
		e.json = true;
	else if (strncmp(rest, ":RAW:", 5) != 0)
		cmd_usage("--extract: '%s' is not KIND:JSON:FILE or "
		    "KIND:RAW:FILE, such as "
		    "AIE_PARTITION:JSON:partition.json", arg);
	e.file = rest + (e.json ? 6 : 5);
	if (*e.file == '\0')
		cmd_usage("--extract: '%s' names no file after the last ':'",
		    arg);
	cmd_guard_output(e.file);
	parse_section(&e, arg, n);
	if (e.json && !xclbin_can_dump(e.kind))
		cmd_usage("--extract: %s has no form in JSON; write it with "
		    "%s:RAW:%s", axlf_name(&axlf_kinds, e.kind),
		    axlf_name(&axlf_kinds, e.kind), e.file);
	return e;
}

/* ---- The section ------------------------------------------------------- */

static bool
is_wanted(const struct extraction *e, const struct axlf_section *s,
    uint64_t *left)
{
	struct bytes label;

	if (s->kind != e->kind)
		return false;
	return e->label == NULL || (info_label(s, left, &label) &&
	    label.n == strlen(e->label) &&
	    memcmp(label.p, e->label, label.n) == 0);
}

/* Sets e->section to the section that the option names; dies if the file does
 * not have it. */
static void
find_section(struct extraction *e, const struct info_file *f)
{
	const char *kind = axlf_name(&axlf_kinds, e->kind);
	struct axlf_section *s = &e->section;
	uint64_t left = f->bytes;

	for (uint32_t i = 0; axlf_section(&f->x.axlf, i, s); i++) {
		if (!is_wanted(e, s, &left))
			continue;
		if (!s->whole)
			cmd_die("%s: %s runs past the end of the file",
			    f->name, kind);
		return;
	}
	if (e->label != NULL)
		cmd_die("%s: has no %s with the label '%s'", f->name, kind,
		    e->label);
	cmd_die("%s: has no %s", f->name, kind);
}

/* ---- PDIs -------------------------------------------------------------- */

struct pdi_file {
	uint8_t uuid[16];
	struct bytes image;
};

/* Returns the path of a PDI's file, owned by the caller: UUID.pdi in the folder
 * of the JSON file. */
static char *
pdi_path(const struct extraction *e, const uint8_t uuid[16])
{
	const char *slash = strrchr(e->file, '/');
	char text[37];

	axlf_uuid_text(uuid, text);
	return cmd_text("%.*s%s.pdi", slash != NULL ?
	    (int)(slash - e->file) + 1 : 0, e->file, text);
}

static int
by_uuid(const void *p, const void *q)
{
	const struct pdi_file *a = p, *b = q;

	return memcmp(a->uuid, b->uuid, sizeof(a->uuid));
}

/* Dies if a PDI's file would replace the container.  The container was opened
 * before the paths of the PDIs were known, so the check is made here. */
static void
refuse_input(const char *path, const char *container)
{
	cmd_guard_output(path);
	cmd_note_input_path(container);
	cmd_refuse_input(path);
}

/* Dies if a PDI's file would replace a different PDI, the file of a section or
 * the container. */
static void
check_names(const struct extraction *e, const struct extraction *all, size_t n,
    const struct pdi_file *pdi, uint32_t pdis, const struct info_file *f)
{
	for (uint32_t i = 0; i < pdis; i++) {
		const struct bytes *image = &pdi[i].image;
		char *path = pdi_path(e, pdi[i].uuid);

		refuse_input(path, f->path);
		for (size_t k = 0; k < n; k++)
			if (cmd_same_output(all[k].file, path))
				cmd_die("%s: its PDI would be written to '%s', "
				    "which --extract names; name another file",
				    f->name, all[k].file);
		if (i > 0 && by_uuid(&pdi[i - 1], &pdi[i]) == 0 &&
		    (image->n != image[-1].n || memcmp(image->p,
		    image[-1].p, image->n) != 0))
			cmd_die("%s: has two PDIs for '%s'; write the "
			    "section with RAW", f->name, path);
		free(path);
	}
}

/* Returns the PDIs of a partition, sorted by uuid and owned by the caller; dies
 * if they are damaged. */
static struct pdi_file *
read_pdis(const struct axlf_partition *p, const struct info_file *f)
{
	struct pdi_file *pdi = cmd_alloc((size_t)p->pdis.count * sizeof(*pdi) +
	    1);
	uint64_t left = p->data.n;
	struct axlf_pdi at;
	struct npu_err err;

	for (uint32_t i = 0; i < p->pdis.count; i++) {
		if (info_image(p, i, &at, &pdi[i].image, &err) < 0)
			cmd_die("%s: AIE_PARTITION: %s", f->name, err.msg);
		if (pdi[i].image.n > left)
			cmd_die("%s: AIE_PARTITION: its PDIs overlap: together "
			    "they are larger than its %zu bytes; write it "
			    "with RAW", f->name, p->data.n);
		left -= pdi[i].image.n;
		memcpy(pdi[i].uuid, at.uuid, sizeof(at.uuid));
	}
	qsort(pdi, p->pdis.count, sizeof(*pdi), by_uuid);
	return pdi;
}

/* ---- The files --------------------------------------------------------- */

static void
write_bytes(const char *path, struct bytes bytes)
{
	struct output out;

	cmd_open_output(&out, path, true);
	cmd_write(&out, bytes.p, bytes.n);
	cmd_close_output(&out);
}

static void
write_pdis(const struct extraction *e, const struct extraction *all, size_t n,
    const struct info_file *f)
{
	struct axlf_partition p;
	struct pdi_file *pdi;

	/* Cannot fail: xclbin_dump() has read the same bytes. */
	if (axlf_partition_read(&p, e->section.data, NULL) < 0)
		return;
	pdi = read_pdis(&p, f);
	check_names(e, all, n, pdi, p.pdis.count, f);
	for (uint32_t i = 0; i < p.pdis.count; i++) {
		char *path = pdi_path(e, pdi[i].uuid);

		write_bytes(path, pdi[i].image);
		cmd_note("wrote %s: %zu bytes", path, pdi[i].image.n);
		free(path);
	}
	free(pdi);
}

static void
write_one(const struct extraction *e, const struct extraction *all, size_t n,
    const struct info_file *f)
{
	struct json j = { .pretty = true };
	struct npu_err err;
	struct output out;

	if (!e->json) {
		write_bytes(e->file, e->section.data);
		return;
	}
	if (xclbin_dump(&j, &e->section, &err) < 0)
		cmd_die("%s: %s: %s", f->name,
		    axlf_name(&axlf_kinds, e->kind), err.msg);
	buf_puts(&j.out, "\n");
	cmd_open_output(&out, e->file, false);
	/* Write no PDIs if the JSON goes to stdout or to a device. */
	if (e->kind == AXLF_AIE_PARTITION && out.temporary != NULL)
		write_pdis(e, all, n, f);
	cmd_write_buf(&out, &j.out);
	cmd_close_output(&out);
}

void
extractions_write(struct extraction *all, size_t n, const struct info_file *f)
{
	for (size_t i = 0; i < n; i++)
		cmd_refuse_input(all[i].file);
	for (size_t i = 0; i < n; i++)
		find_section(&all[i], f);
	for (size_t i = 0; i < n; i++)
		write_one(&all[i], all, n, f);
}
