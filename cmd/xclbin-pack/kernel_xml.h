/* SPDX-License-Identifier: Apache-2.0 */
/* Writes kernels as XML, in the form of xclbinutil 2.25.0. */
#ifndef XCLBIN_PACK_KERNEL_XML_H
#define XCLBIN_PACK_KERNEL_XML_H

#include <jansson.h>

#include "base/buf.h"
#include "npu.h"

void kernel_xml_begin(struct buf *xml);
/* Adds a kernel; the object must have a "name". */
int kernel_xml_add(struct buf *xml, const json_t *kernel,
    struct npu_err *err);
void kernel_xml_end(struct buf *xml);

#endif
