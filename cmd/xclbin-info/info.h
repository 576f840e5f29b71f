/* SPDX-License-Identifier: Apache-2.0 */
/* xclbin-info: a container as text, as JSON, its sections as files. */
#ifndef XCLBIN_INFO_INFO_H
#define XCLBIN_INFO_INFO_H

#include "base/json.h"
#include "cmd.h"
#include "model/xclbin.h"

struct info_file {
	const char *path, *name;
	size_t bytes;
	struct xclbin x;
};

void info_text(struct buf *b, const struct info_file *f);
/* Adds an object of "files" in xclbin-info/1. */
void info_json(struct json *j, const struct info_file *f);

/* Formats when the file was made, "2025-11-20T21:20:52Z"; "" if the header's
 * number is 0 or not a date. */
void info_created(const struct axlf *a, char text[32]);
/* Reads a number of a kernel's attribute; false: unknown. */
bool info_number(const char *text, uint64_t *number);

/* Whether the header states so many sections that libxrt refuses the file: most
 * of what stands in their place is something else, and none is shown. */
bool info_hides_sections(const struct axlf *a);
/* Whether instances are shown.  Too many kernels and entries of IP_LAYOUT would
 * make a small file a huge text. */
bool info_shows_instances(const struct info_file *f);
/* Calls fn for the part after the ':' of each entry of IP_LAYOUT for that
 * kernel. */
void info_instances(const struct info_file *f, const struct dpu_kernel *k,
    void (*fn)(void *arg, const char *instance), void *arg);

/*
 * Gets the label of a section: the name of a partition, "" for other kinds.
 * False: it cannot be read.  *left is the number of bytes of partitions that
 * may still be read, at first f->bytes: sections that overlap would take too
 * long.
 */
bool info_label(const struct axlf_section *s, uint64_t *left,
    struct bytes *label);
/* Fails with the first fault that keeps a part of the partition from being
 * shown. */
int info_partition_fault(const struct axlf_partition *p, struct npu_err *err);
/* Gets the i-th PDI and its bytes; NPU_EFORMAT: they are not in the section. */
int info_image(const struct axlf_partition *p, uint32_t i,
    struct axlf_pdi *pdi, struct bytes *image, struct npu_err *err);

/* ---- -x KIND[LABEL]:JSON|RAW:FILE ------------------------------------- */

struct extraction {
	uint32_t kind;
	char *label;		/* owned; NULL: any */
	bool json;
	const char *file;
	struct axlf_section section;
};

/* Parses the option's argument; dies of wrong usage. */
struct extraction extraction_parse(const char *arg);
/* Finds all sections, then writes each to its file, and the PDIs of a partition
 * in JSON beside its file.  Dies. */
void extractions_write(struct extraction *all, size_t n,
    const struct info_file *f);

#endif
