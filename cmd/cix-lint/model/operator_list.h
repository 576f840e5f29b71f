/* SPDX-License-Identifier: Apache-2.0 */
/* Searches tables of operators. */
#ifndef CIX_LINT_OPERATOR_LIST_H
#define CIX_LINT_OPERATOR_LIST_H

#include <stddef.h>

#include "base/bytes.h"

/*
 * Returns the row whose name is the type, for ai.onnx, or "DOMAIN:TYPE"; NULL:
 * the table does not have it.  A row has size bytes and begins with the name;
 * the n rows are in the order of strcmp().
 */
const void *operator_find(const void *table, size_t size, size_t n,
    struct bytes domain, struct bytes type);

#endif
