/* SPDX-License-Identifier: Apache-2.0 */
/*
 * KEYVALUE_METADATA: {"key_values":[{"key":"..","value":".."}]}, parsed by
 * jansson.  base/json.h and jansson.h define the same names, and therefore this
 * file is separate from dump.h.
 */
#ifndef CMD_XCLBIN_KEY_VALUES_H
#define CMD_XCLBIN_KEY_VALUES_H

#include "base/bytes.h"
#include "npu.h"

/*
 * Calls fn for each pair in order; an empty section has no pairs.  Fails with
 * NPU_EFORMAT if the section is not such a document, or is larger than 1 MiB;
 * fn may have been called for the pairs before the error.  Dies without memory.
 */
int key_values_read(struct bytes section, void (*fn)(void *arg,
    const char *key, const char *value), void *arg, struct npu_err *err);

#endif
