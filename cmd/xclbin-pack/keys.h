/* SPDX-License-Identifier: Apache-2.0 */
/* KEYVALUE_METADATA: keys and values that the user chooses. */
#ifndef XCLBIN_PACK_KEYS_H
#define XCLBIN_PACK_KEYS_H

#include <jansson.h>

#include "base/buf.h"
#include "base/bytes.h"
#include "npu.h"

/* Adds the bytes of the section to *out.  The pairs are in the member node of
 * the document. */
int keys_from_json(const json_t *root, const char *node, struct buf *out,
    struct npu_err *err);

struct key_value {
	char *key;		/* owned */
	const char *value;
};

/*
 * Rewrites the section to *out, with n keys set: a key that exists gets the new
 * value, other keys are added.  section may be empty.  NPU_EFORMAT if it is not
 * a KEYVALUE_METADATA.
 */
int keys_set(struct bytes section, const struct key_value *set, size_t n,
    struct buf *out, struct npu_err *err);

#endif
