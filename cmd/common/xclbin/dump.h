/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes sections as JSON, with the members and values of xclbinutil's
 * --dump-section: every value is a text.  The form was observed in output of
 * xclbinutil 2.25.0; for entries of IP_LAYOUT that no NPU has, it comes from
 * the source, XRT 963c58ee, tools/xclbinutil/SectionIPLayout.cxx.
 */
#ifndef CMD_XCLBIN_DUMP_H
#define CMD_XCLBIN_DUMP_H

#include "base/json.h"
#include "model/axlf.h"

/* True if sections of that kind can be written in this form. */
bool xclbin_can_dump(uint32_t kind);
/* Adds the document, an object.  Fails with NPU_EFORMAT if the section is
 * damaged; *j then ends in the middle of the document. */
int xclbin_dump(struct json *j, const struct axlf_section *s,
    struct npu_err *err);

#endif
