/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AIE_PARTITION: the columns that a container's kernels need, and the PDIs that
 * configure them.  Offsets are from the start of the section.  Source: XRT
 * 963c58ee, xrt/detail/xclbin.h (struct aie_partition, aie_pdi, cdo_group).
 *
 * A PDI (programmable device image) has one or more groups; a group lists the
 * kernels in the PDI.
 */
#ifndef MODEL_AXLF_PARTITION_H
#define MODEL_AXLF_PARTITION_H

#include "model/axlf.h"

/* An array of count items of equal size, at offset at. */
struct axlf_array {
	uint32_t count, at;
};

struct axlf_partition {
	struct bytes data;		/* the section's bytes */
	size_t text_end;		/* after its last NUL */
	uint32_t name_at;
	uint32_t operations;		/* per cycle */
	uint64_t fingerprint, pre_post;
	uint16_t columns;
	struct axlf_array start_columns;	/* u16 */
	struct axlf_array pdis;
	uint32_t commit_at;		/* 0 in old files */
};

struct axlf_pdi {
	uint8_t uuid[16];
	struct axlf_array image;	/* bytes */
	struct axlf_array groups;
};

struct axlf_group {
	uint32_t name_at;
	uint8_t type;			/* an axlf_groups number */
	uint64_t id;
	struct axlf_array kernels, before;	/* u64 */
};

/* Reads the section.  Fails with NPU_EFORMAT if the section is too short for
 * its header, or if reading all its parts would take more time than its size
 * allows, because they overlap or run past its end. */
int axlf_partition_read(struct axlf_partition *p, struct bytes section,
    struct npu_err *err);

/* Returns whether a->count items of size bytes lie in the section; true if the
 * count is 0. */
bool axlf_array_fits(const struct axlf_partition *p,
    const struct axlf_array *a, size_t size);
/* Does the same, but an empty array must also begin in the section or at its
 * end.  The message of NPU_EFORMAT names the items (what), count and offset. */
int axlf_array_check(const struct axlf_partition *p,
    const struct axlf_array *a, size_t size, const char *what,
    struct npu_err *err);
/* Store item i of start_columns, or of a group's numbers.  Return false if the
 * array is shorter, or if the section does not have all of its bytes. */
bool axlf_column(const struct axlf_partition *p, uint32_t i, uint16_t *column);
bool axlf_number_of(const struct axlf_partition *p, const struct axlf_array *a,
    uint32_t i, uint64_t *number);
/* Stores the bytes of a PDI.  Returns false if the section does not have all of
 * them. */
bool axlf_image(const struct axlf_partition *p, const struct axlf_pdi *pdi,
    struct bytes *image);
/* Stores the text at an offset, without its NUL.  Returns false if the text
 * does not end in the section. */
bool axlf_text(const struct axlf_partition *p, uint32_t at,
    struct bytes *text);

/* Store PDI i, or group i of a PDI.  Return false if the array is shorter, or
 * if the section ends before. */
bool axlf_pdi(const struct axlf_partition *p, uint32_t i,
    struct axlf_pdi *pdi);
bool axlf_group(const struct axlf_partition *p, const struct axlf_pdi *pdi,
    uint32_t i, struct axlf_group *group);

/* Calls fn for each kernel id of each group of each PDI, in file order. */
void axlf_each_kernel(const struct axlf_partition *p, void (*fn)(void *arg,
    const struct axlf_pdi *pdi, uint64_t id), void *arg);

enum {
	AXLF_PARTITION_HEAD = 184,
	AXLF_PDI_SIZE = 96,		/* the structure, not the image */
	AXLF_GROUP_SIZE = 96,
};

#endif
