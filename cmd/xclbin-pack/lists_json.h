/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sections that are lists, from JSON as xclbinutil's --dump-section writes it:
 * xclbin(5).  A function adds the bytes of the section to *out, or nothing if
 * the list is empty.  NPU_EFORMAT says what in the document is wrong.
 */
#ifndef XCLBIN_PACK_LISTS_JSON_H
#define XCLBIN_PACK_LISTS_JSON_H

#include <jansson.h>

#include "base/buf.h"
#include "npu.h"

/* node: the member of the document, "mem_topology" or "group_topology". */
int memories_from_json(const json_t *root, const char *node, struct buf *out,
    struct npu_err *err);
/* "ip_layout" */
int ips_from_json(const json_t *root, const char *node, struct buf *out,
    struct npu_err *err);
/* "connectivity" or "group_connectivity" */
int connections_from_json(const json_t *root, const char *node,
    struct buf *out, struct npu_err *err);

/* What the 2 and 12 bits of an entry's properties can hold. */
enum { MOST_SUBTYPE = 3, MOST_FUNCTIONAL = 3, MOST_KERNEL_ID = 0xfff };

#endif
