/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the elements of an array one after the other, as they are stored, and
 * converts elements. */
#ifndef CIX_LINT_ELEMENTS_H
#define CIX_LINT_ELEMENTS_H

#include "tensors/npz_bytes.h"

struct elements {
	struct stream s;
	struct inflater inflater;
	const struct npz_member *m;
	uint32_t crc;		/* of the bytes read, in an archive */
};

/* Begins to read the bytes of member m, at m->offset of the file.  *e must not
 * move until elements_end(). */
int elements_begin(struct elements *e, int fd, const struct npz_member *m,
    struct npu_err *err);
/* Reads n bytes, which must be present. */
int elements_read(struct elements *e, void *p, size_t n, struct npu_err *err);
void elements_end(struct elements *e);

/* Reverses the bytes of n elements of size bytes. */
void elements_swap(void *p, size_t n, size_t size);

/*
 * Writes n elements of type from at p to out, as elements of type to.  Fails
 * with NPU_EUSAGE for a number that the new type cannot represent; to a float
 * type, numbers are rounded.
 */
int elements_convert(uint32_t from, const void *p, size_t n, uint32_t to,
    void *out, struct npu_err *err);

#endif
