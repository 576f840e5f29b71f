/* SPDX-License-Identifier: Apache-2.0 */
/* A container under construction: its header and its sections, in order. */
#ifndef XCLBIN_PACK_DRAFT_H
#define XCLBIN_PACK_DRAFT_H

#include "base/buf.h"
#include "model/axlf.h"

struct draft_section {
	uint32_t kind;		/* enum axlf_kind or another number */
	char name[16];		/* ends with a NUL */
	char *label;		/* owned; the name of an AIE_PARTITION, "" */
	struct buf data;	/* owned */
	bool made;		/* now, not read from another container */
};

struct draft {
	uint8_t header[AXLF_HEADER];
	struct draft_section *section;	/* owned */
	size_t n;
};

/* An empty container, with the header that xclbinutil begins with, but time,
 * version and uuid 0.  Free it with draft_free(). */
void draft_begin(struct draft *c);
/*
 * Copies a file's header and sections.  NPU_EFORMAT: it is not an xclbin, or
 * not all of its sections are there.  Free *c in any case.
 */
int draft_read(struct draft *c, struct bytes file, struct npu_err *err);
void draft_free(struct draft *c);

/* The first section of the kind; NULL: not found. */
struct draft_section *draft_find(const struct draft *c, uint32_t kind);
/* The first section of the kind with that label; NULL: not found. */
struct draft_section *draft_find_label(const struct draft *c, uint32_t kind,
    const char *label);

/*
 * Adds a section at the end.  Takes the bytes of *data, which is empty
 * afterwards.  name is cut to 15 bytes.  Earlier pointers to sections become
 * invalid.
 */
void draft_add(struct draft *c, uint32_t kind, const char *name,
    const char *label, struct buf *data);
void draft_remove(struct draft *c, struct draft_section *s);

/* The bytes of a section. */
struct bytes section_bytes(const struct draft_section *s);

/* Changes n bytes of the header. */
void draft_set(struct draft *c, size_t at, const void *p, size_t n);
/* Copies n bytes of the header. */
void draft_get(const struct draft *c, size_t at, void *p, size_t n);

/* Offsets of the sections in the file, one after the other: *end is first 0. */
uint64_t draft_place(const struct draft *c, const struct draft_section *s,
    uint64_t *end);

/*
 * Adds the file to *out, with the mirror, and sets the length in the header.
 * newline: one before the end of the mirror, as releases of xclbinutil before
 * 2.25 write it.
 */
void draft_write(struct draft *c, const struct buf *mirror,
    bool newline, struct buf *out);

#endif
