/* SPDX-License-Identifier: Apache-2.0 */
/* xclbin-info: a container as text, as JSON, its sections as files. */
#ifndef XCLBIN_INFO_INFO_H
#define XCLBIN_INFO_INFO_H

#include "base/json.h"
#include "cmd.h"
#include "model/xclbin.h"

struct info_file {
	const char *name;
	size_t bytes;
	struct xclbin x;
};

void info_text(struct buf *b, const struct info_file *f);
/* An object of "files" in xclbin-info/1. */
void info_json(struct json *j, const struct info_file *f);

/* When the file was made, "2025-11-20T21:20:52Z"; "" if the header's number is
 * 0 or not a date. */
void info_created(const struct axlf *a, char text[32]);
/* A number of a kernel's attribute; false: unknown. */
bool info_number(const char *text, uint64_t *number);
/* Calls fn for the part after the ':' of each entry of IP_LAYOUT for that
 * kernel. */
void info_instances(const struct info_file *f, const struct dpu_kernel *k,
    void (*fn)(void *arg, const char *instance), void *arg);
/* The label of a section, which is the name of a partition; false: none. */
bool info_label(const struct axlf_section *s, struct bytes *label);

/* ---- -x KIND[LABEL]:JSON|RAW:FILE ------------------------------------- */

struct extraction {
	uint32_t kind;
	const char *label;	/* owned; NULL: any */
	bool json;
	const char *file;
};

/* Parses the option's argument; dies of wrong usage. */
struct extraction extraction_parse(const char *arg);
/* Writes the section to its file, and the PDIs of a partition beside it; dies. */
void extraction_write(const struct extraction *e, const struct info_file *f);

#endif
