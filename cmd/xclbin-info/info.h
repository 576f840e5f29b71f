/* SPDX-License-Identifier: Apache-2.0 */
/* xclbin-info: describes a container as text or JSON, and writes its sections
 * to files. */
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

/* Formats the time at which the file was created, "2025-11-20T21:20:52Z"; "" if
 * the number in the header is 0 or not a date. */
void info_created(const struct axlf *a, char text[32]);
/* Parses a number in an attribute of a kernel.  False if text is NULL or not a
 * number. */
bool info_number(const char *text, uint64_t *number);

/* Returns true if the header states so many sections that libxrt refuses the
 * file.  Then most entries of the section table are other data, so the sections
 * are not shown. */
bool info_hides_sections(const struct axlf *a);
/* Returns true if instances are shown.  With too many kernels and entries of
 * IP_LAYOUT, a small file would produce a huge output. */
bool info_shows_instances(const struct info_file *f);
/* Calls fn for each entry of IP_LAYOUT that belongs to the kernel, with the
 * part of its name after the ':'. */
void info_instances(const struct info_file *f, const struct dpu_kernel *k,
    void (*fn)(void *arg, const char *instance), void *arg);

/*
 * Gets the label of a section: the name of a partition, or "" for other kinds.
 * False if the section cannot be read.  *left limits the total size of the
 * partitions that are read, since overlapping sections could take too long; set
 * it to f->bytes before the first call.
 */
bool info_label(const struct axlf_section *s, uint64_t *left,
    struct bytes *label);
/* Fails if a part of the partition cannot be shown; *err has the first
 * reason. */
int info_partition_fault(const struct axlf_partition *p, struct npu_err *err);
/* Gets the i-th PDI and its bytes.  NPU_EFORMAT if they are not completely in
 * the section. */
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

/* Parses the option's argument; ends the program with a usage error if it is
 * wrong. */
struct extraction extraction_parse(const char *arg);
/* Finds all sections, then writes each section to its file.  For a partition as
 * JSON, also writes its PDIs to the folder of that file.  Dies on failure. */
void extractions_write(struct extraction *all, size_t n,
    const struct info_file *f);

#endif
