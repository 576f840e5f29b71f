/* SPDX-License-Identifier: Apache-2.0 */
/* KEYVALUE_METADATA: keys of the user's, each with a value. */
#ifndef XCLBIN_PACK_KEYS_H
#define XCLBIN_PACK_KEYS_H

#include <jansson.h>

#include "base/buf.h"
#include "base/bytes.h"
#include "npu.h"

/* Adds the bytes of the section, from a document with that member. */
int keys_from_json(const json_t *root, const char *node, struct buf *out,
    struct npu_err *err);

struct key_value {
	char *key;		/* owned */
	const char *value;
};

/*
 * Rewrites the section to *out, with n keys set: a key that is there gets the
 * value, others are added.  section may have no bytes.  NPU_EFORMAT: it is not
 * such a section.
 */
int keys_set(struct bytes section, const struct key_value *set, size_t n,
    struct buf *out, struct npu_err *err);

#endif
