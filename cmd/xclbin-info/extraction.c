// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "info.h"
#include "model/axlf_names.h"
#include "xclbin/dump.h"

/* ---- The option -------------------------------------------------------- */

/* "AIE_PARTITION" or "AIE_PARTITION[label]" of n bytes. */
static void
parse_section(struct extraction *e, const char *arg, size_t n)
{
	const char *open = memchr(arg, '[', n);
	size_t kind_n = open != NULL ? (size_t)(open - arg) : n;
	char *kind = cmd_text("%.*s", (int)kind_n, arg);
	int number = axlf_number(&axlf_kinds, kind);

	if (number < 0)
		cmd_usage("-x: '%s' is not a kind of section, such as "
		    "AIE_PARTITION; xclbin-info FILE lists what a file has",
		    kind);
	e->kind = (uint32_t)number;
	free(kind);
	if (open == NULL)
		return;
	if (arg[n - 1] != ']')
		cmd_usage("-x: '%s' has a '[' without ']' before the form",
		    arg);
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
		cmd_usage("-x: '%s' is not KIND:JSON:FILE or KIND:RAW:FILE, "
		    "such as AIE_PARTITION:JSON:partition.json", arg);
	e.file = rest + (e.json ? 6 : 5);
	if (*e.file == '\0')
		cmd_usage("-x: '%s' names no file after the last ':'", arg);
	parse_section(&e, arg, n);
	if (e.json && !xclbin_can_dump(e.kind))
		cmd_usage("-x: %s has no form in JSON; write it with "
		    "%s:RAW:%s", axlf_name(&axlf_kinds, e.kind),
		    axlf_name(&axlf_kinds, e.kind), e.file);
	return e;
}

/* ---- The files --------------------------------------------------------- */

static bool
has_label(const struct axlf_section *s, const char *want)
{
	struct bytes label;

	return info_label(s, &label) && label.n == strlen(want) &&
	    memcmp(label.p, want, label.n) == 0;
}

/* The section that is wanted; dies. */
static struct axlf_section
find(const struct extraction *e, const struct info_file *f)
{
	const char *kind = axlf_name(&axlf_kinds, e->kind);
	struct axlf_section s;

	for (uint32_t i = 0; axlf_section(&f->x.axlf, i, &s); i++) {
		if (s.kind != e->kind || (e->label != NULL &&
		    !has_label(&s, e->label)))
			continue;
		if (!s.whole)
			cmd_die("%s: %s runs past the end of the file",
			    f->name, kind);
		return s;
	}
	if (e->label != NULL)
		cmd_die("%s: has no %s with the label '%s'", f->name, kind,
		    e->label);
	cmd_die("%s: has no %s", f->name, kind);
}

static void
write_bytes(const char *path, struct bytes bytes)
{
	struct output out;

	cmd_open_output(&out, path, true);
	cmd_write(&out, bytes.p, bytes.n);
	cmd_close_output(&out);
}

/* Writes a PDI beside the file of the JSON, under its uuid alone. */
static void
write_pdi(const char *beside, const struct axlf_pdi *pdi, struct bytes image)
{
	const char *slash = strrchr(beside, '/');
	char uuid[37], *path;

	axlf_uuid_text(pdi->uuid, uuid);
	path = cmd_text("%.*s%s.pdi", slash != NULL ?
	    (int)(slash - beside) + 1 : 0, beside, uuid);
	write_bytes(path, image);
	cmd_note("wrote %s: %zu bytes", path, image.n);
	free(path);
}

static void
write_pdis(const struct extraction *e, const struct info_file *f,
    const struct axlf_section *s)
{
	struct axlf_partition p;
	struct axlf_pdi pdi;
	struct bytes image;

	if (axlf_partition_read(&p, s->data, NULL) < 0)
		return;
	for (uint32_t i = 0; axlf_pdi(&p, i, &pdi); i++) {
		if (!axlf_image(&p, &pdi, &image))
			cmd_die("%s: PDI %u: %u bytes at offset %u of %zu",
			    f->name, i, pdi.image.count, pdi.image.at,
			    p.data.n);
		write_pdi(e->file, &pdi, image);
	}
}

void
extraction_write(const struct extraction *e, const struct info_file *f)
{
	struct axlf_section s = find(e, f);
	struct json j = { .pretty = true };
	struct npu_err err;

	if (!e->json) {
		write_bytes(e->file, s.data);
		return;
	}
	if (xclbin_dump(&j, &s, &err) < 0)
		cmd_die("%s: %s: %s", f->name,
		    axlf_name(&axlf_kinds, e->kind), err.msg);
	buf_puts(&j.out, "\n");
	cmd_write_document(e->file, &j.out);
	json_free(&j);
	if (e->kind == AXLF_AIE_PARTITION && !cmd_is_dash(e->file))
		write_pdis(e, f, &s);
}
