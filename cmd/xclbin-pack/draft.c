// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "cmd.h"
#include "draft.h"
#include "model/axlf_names.h"
#include "model/axlf_partition.h"

enum { ALIGNMENT = 8 };

void
draft_begin(struct draft *c)
{
	*c = (struct draft){ .n = 0 };
	memcpy(c->header, "xclbin2", 8);
	/* 0xff: the length of the signature (-1: not signed), the reserved
	 * bytes and the keys. */
	memset(c->header + AXLF_AT_SIGNATURE, 0xff,
	    AXLF_AT_UNIQUE - AXLF_AT_SIGNATURE);
}

struct bytes
section_bytes(const struct draft_section *s)
{
	return (struct bytes){ (const uint8_t *)s->data.p, s->data.n };
}

/* ---- Sections ---------------------------------------------------------- */

struct draft_section *
draft_find(const struct draft *c, uint32_t kind)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->section[i].kind == kind)
			return &c->section[i];
	return NULL;
}

struct draft_section *
draft_find_label(const struct draft *c, uint32_t kind,
    const char *label)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->section[i].kind == kind &&
		    strcmp(c->section[i].label, label) == 0)
			return &c->section[i];
	return NULL;
}

void
draft_add(struct draft *c, uint32_t kind, const char *name,
    const char *label, struct buf *data)
{
	struct draft_section *s;

	cmd_check_buf(data);
	c->section = cmd_realloc(c->section, (c->n + 1) * sizeof(*s));
	s = &c->section[c->n++];
	*s = (struct draft_section){ .kind = kind, .label = cmd_copy(label),
	    .data = *data, .made = true };
	snprintf(s->name, sizeof(s->name), "%s", name);
	*data = (struct buf){ 0 };
}

static void
free_section(struct draft_section *s)
{
	free(s->label);
	buf_free(&s->data);
}

void
draft_remove(struct draft *c, struct draft_section *s)
{
	size_t at = (size_t)(s - c->section);

	free_section(s);
	c->n--;
	memmove(s, s + 1, (c->n - at) * sizeof(*s));
}

void
draft_free(struct draft *c)
{
	for (size_t i = 0; i < c->n; i++)
		free_section(&c->section[i]);
	free(c->section);
	*c = (struct draft){ .n = 0 };
}

/* ---- From a file ------------------------------------------------------- */

/* Returns the name of the partition, or "" for other sections; owned by the
 * caller. */
static char *
label_of(const struct axlf_section *s)
{
	struct axlf_partition p;
	struct bytes label;

	if (s->kind != AXLF_AIE_PARTITION ||
	    axlf_partition_read(&p, s->data, NULL) < 0 ||
	    !axlf_text(&p, p.name_at, &label))
		return cmd_copy("");
	return cmd_text("%.*s", (int)label.n, (const char *)label.p);
}

static void
copy_section(struct draft *c, const struct axlf_section *s)
{
	char *label = label_of(s);
	struct buf data = { 0 };

	buf_add(&data, s->data.p, s->data.n);
	draft_add(c, s->kind, s->name, label, &data);
	c->section[c->n - 1].made = false;
	free(label);
}

/* Fails if the sections are not all inside the file, or if they overlap so much
 * that a small file would produce a huge output. */
static int
check_sections(const struct axlf *a, struct npu_err *err)
{
	const uint64_t most = 2 * (uint64_t)a->file.n;
	struct axlf_section s;
	uint64_t all = 0;

	if (a->sections > AXLF_MOST_SECTIONS)
		return npu_fail(err, NPU_EFORMAT, "%" PRIu32 " sections are "
		    "more than %d", a->sections, AXLF_MOST_SECTIONS);
	for (uint32_t i = 0; i < a->sections; i++) {
		if (!axlf_section(a, i, &s))
			return npu_fail(err, NPU_EFORMAT, "%" PRIu32
			    " sections: their table runs past the end of the "
			    "file", a->sections);
		if (!s.whole)
			return npu_fail(err, NPU_EFORMAT, "section %" PRIu32
			    ": %" PRIu64 " bytes at %" PRIu64 " run past the "
			    "end of the file (%zu)", i, s.size, s.at,
			    a->file.n);
		if ((all += s.size) > most)
			return npu_fail(err, NPU_EFORMAT, "section %" PRIu32
			    ": so many sections overlap that they would take "
			    "more than %" PRIu64 " bytes", i, most);
	}
	return 0;
}

int
draft_read(struct draft *c, struct bytes file, struct npu_err *err)
{
	struct axlf_section s;
	struct axlf a;
	int rc;

	*c = (struct draft){ .n = 0 };
	if ((rc = axlf_read(&a, file, err)) < 0 ||
	    (rc = check_sections(&a, err)) < 0)
		return rc;
	bytes_get(file, 0, c->header, sizeof(c->header));
	for (uint32_t i = 0; axlf_section(&a, i, &s); i++)
		copy_section(c, &s);
	return 0;
}

/* ---- To a file --------------------------------------------------------- */

void
draft_set(struct draft *c, size_t at, const void *p, size_t n)
{
	memcpy(c->header + at, p, n);
}

void
draft_get(const struct draft *c, size_t at, void *p, size_t n)
{
	memcpy(p, c->header + at, n);
}

/* Adds zeros until b->n - from is a multiple of 8. */
static void
pad(struct buf *b, size_t from)
{
	static const char zeros[ALIGNMENT];

	buf_add(b, zeros, (ALIGNMENT - (b->n - from) % ALIGNMENT) % ALIGNMENT);
}

uint64_t
draft_place(const struct draft *c, const struct draft_section *s,
    uint64_t *end)
{
	uint64_t at = *end;

	if (s == c->section)
		at = AXLF_HEADER + (uint64_t)c->n * AXLF_SECTION_HEADER;
	at = (at + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	*end = at + s->data.n;
	return at;
}

static void
write_table(const struct draft *c, struct buf *out)
{
	uint64_t at, size, end = 0;

	for (size_t i = 0; i < c->n; i++) {
		const struct draft_section *s = &c->section[i];

		at = draft_place(c, s, &end);
		size = s->data.n;
		buf_add(out, &s->kind, 4);
		buf_add(out, s->name, sizeof(s->name));
		buf_add(out, "\0\0\0", 4);
		buf_add(out, &at, sizeof(at));
		buf_add(out, &size, sizeof(size));
	}
}

void
draft_write(struct draft *c, const struct buf *mirror, bool newline,
    struct buf *out)
{
	const uint32_t sections = (uint32_t)c->n;
	const size_t from = out->n;
	uint64_t length;

	draft_set(c, AXLF_AT_SECTIONS, &sections, sizeof(sections));
	buf_add(out, c->header, sizeof(c->header));
	write_table(c, out);
	for (size_t i = 0; i < c->n; i++) {
		pad(out, from);
		buf_add(out, c->section[i].data.p, c->section[i].data.n);
	}
	buf_puts(out, "XCLBIN_MIRROR_DATA_START");
	buf_add(out, mirror->p, mirror->n);
	buf_puts(out, newline ? "\nXCLBIN_MIRROR_DATA_END" :
	    "XCLBIN_MIRROR_DATA_END");
	cmd_check_buf(mirror);
	cmd_check_buf(out);
	length = out->n - from;
	draft_set(c, AXLF_AT_LENGTH, &length, sizeof(length));
	memcpy(out->p + from, c->header, sizeof(c->header));
}
