/* SPDX-License-Identifier: Apache-2.0 */
/* Sets the fields of a tensor's descriptor.  Each function ends the program if
 * the value is not possible. */
#ifndef CIX_PACK_DESCRIPTOR_H
#define CIX_PACK_DESCRIPTOR_H

#include "npu.h"

/* Where a descriptor comes from.  A bad value in an option is a usage error
 * (status 2); a bad value in a JSON file is a bad file (status 1). */
struct spec_origin {
	const char *name;	/* "--model-input", "twin.json: input 0" */
	bool is_file;
};

_Noreturn void descriptor_refuse(const struct spec_origin *from,
    const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* name has n bytes and need not end with a NUL. */
void descriptor_set_name(char dst[NPU_MAX_NAME], const char *name, size_t n,
    const struct spec_origin *from);
void descriptor_set_type(struct npu_tensor *t, const char *name,
    const struct spec_origin *from);
void descriptor_add_dim(struct npu_tensor *t, int64_t dim,
    const struct spec_origin *from);
/* Computes the size in bytes from type and shape. */
void descriptor_set_size(struct npu_tensor *t, const struct spec_origin *from);
void descriptor_set_scale(struct npu_tensor *t, double scale,
    const struct spec_origin *from);

#endif
