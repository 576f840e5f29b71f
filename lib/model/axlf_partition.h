/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AIE_PARTITION: the columns that a container's kernels need, and the PDIs that
 * set them up.  Offsets in it are from its start.  XRT 963c58ee,
 * xrt/detail/xclbin.h (struct aie_partition, aie_pdi, cdo_group).
 *
 * A PDI (programmable device image) has one or more groups; a group says which
 * kernels the PDI has.
 */
#ifndef MODEL_AXLF_PARTITION_H
#define MODEL_AXLF_PARTITION_H

#include "model/axlf.h"

/* So many things of one size, at an offset. */
struct axlf_array {
	uint32_t count, at;
};

struct axlf_partition {
	struct bytes data;		/* of the section */
	size_t text_end;		/* behind its last NUL */
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
	uint8_t type;			/* of axlf_groups */
	uint64_t id;
	struct axlf_array kernels, before;	/* u64 */
};

/* NPU_EFORMAT: the section is too short for its head, or reading all of its
 * parts would take more time than its size allows: they overlap, or run past
 * its end. */
int axlf_partition_read(struct axlf_partition *p, struct bytes section,
    struct npu_err *err);

/* Whether a->count things of size bytes are in the section; of none: true. */
bool axlf_array_fits(const struct axlf_partition *p,
    const struct axlf_array *a, size_t size);
/* The same, and of none: they begin in the section or at its end.  NPU_EFORMAT
 * says what they are, numbers and place. */
int axlf_array_check(const struct axlf_partition *p,
    const struct axlf_array *a, size_t size, const char *what,
    struct npu_err *err);
/* Gets the i-th of start_columns, or of a group's numbers.  False: there are
 * not so many, or the section does not have all of them. */
bool axlf_column(const struct axlf_partition *p, uint32_t i, uint16_t *column);
bool axlf_number_of(const struct axlf_partition *p, const struct axlf_array *a,
    uint32_t i, uint64_t *number);
/* Gets the bytes of a PDI; false: the section does not have all of them. */
bool axlf_image(const struct axlf_partition *p, const struct axlf_pdi *pdi,
    struct bytes *image);
/* Gets the text at an offset, without its NUL; false: it does not end in the
 * section. */
bool axlf_text(const struct axlf_partition *p, uint32_t at,
    struct bytes *text);

/* Gets the i-th PDI, the i-th group of a PDI.  False: there are not so many, or
 * the section ends before. */
bool axlf_pdi(const struct axlf_partition *p, uint32_t i,
    struct axlf_pdi *pdi);
bool axlf_group(const struct axlf_partition *p, const struct axlf_pdi *pdi,
    uint32_t i, struct axlf_group *group);

/* Calls fn for each kernel id of each group of each PDI, in their order. */
void axlf_each_kernel(const struct axlf_partition *p, void (*fn)(void *arg,
    const struct axlf_pdi *pdi, uint64_t id), void *arg);

enum {
	AXLF_PARTITION_HEAD = 184,
	AXLF_PDI_SIZE = 96,		/* of the structure, not the image */
	AXLF_GROUP_SIZE = 96,
};

#endif
