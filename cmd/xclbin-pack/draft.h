/* SPDX-License-Identifier: Apache-2.0 */
/* A container that is being assembled: its header and its sections, in
 * order. */
#ifndef XCLBIN_PACK_DRAFT_H
#define XCLBIN_PACK_DRAFT_H

#include "base/buf.h"
#include "model/axlf.h"

struct draft_section {
	uint32_t kind;		/* enum axlf_kind or another number */
	char name[16];		/* ends with a NUL */
	char *label;		/* owned; name of an AIE_PARTITION, or "" */
	struct buf data;	/* owned */
	bool made;		/* new: not from the container of --input */
};

struct draft {
	uint8_t header[AXLF_HEADER];
	struct draft_section *section;	/* owned */
	size_t n;
};

/* Sets *c to an empty container with xclbinutil's initial header, except that
 * time, version and uuid are 0.  Free it with draft_free(). */
void draft_begin(struct draft *c);
/*
 * Copies a file's header and sections.  NPU_EFORMAT if the file is not an
 * xclbin or does not contain all of its sections.  Call draft_free() also after
 * a failure.
 */
int draft_read(struct draft *c, struct bytes file, struct npu_err *err);
void draft_free(struct draft *c);

/* Returns the first section of the kind, or NULL. */
struct draft_section *draft_find(const struct draft *c, uint32_t kind);
/* Returns the first section of the kind with this label, or NULL. */
struct draft_section *draft_find_label(const struct draft *c, uint32_t kind,
    const char *label);

/*
 * Adds a section at the end.  Takes over the bytes of *data, which is empty
 * afterwards.  name is cut to 15 bytes.  Earlier pointers to sections become
 * invalid.
 */
void draft_add(struct draft *c, uint32_t kind, const char *name,
    const char *label, struct buf *data);
void draft_remove(struct draft *c, struct draft_section *s);

/* Returns the bytes of a section. */
struct bytes section_bytes(const struct draft_section *s);

/* Sets n bytes of the header, from offset at. */
void draft_set(struct draft *c, size_t at, const void *p, size_t n);
/* Copies n bytes of the header, from offset at. */
void draft_get(const struct draft *c, size_t at, void *p, size_t n);

/* Returns the offset of a section in the file.  Call it for each section in
 * order, with *end 0 at first. */
uint64_t draft_place(const struct draft *c, const struct draft_section *s,
    uint64_t *end);

/*
 * Adds the file to *out, with the mirror, and sets the length in the header.
 * newline: adds a newline before the end of the mirror, as releases of
 * xclbinutil before 2.25 do.
 */
void draft_write(struct draft *c, const struct buf *mirror,
    bool newline, struct buf *out);

#endif
