/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sections as JSON, with the members and the values of xclbinutil's
 * --dump-section: every value is a text.  Seen in what xclbinutil 2.25.0 wrote;
 * entries of IP_LAYOUT that no NPU has: read in XRT 963c58ee,
 * tools/xclbinutil/SectionIPLayout.cxx.
 */
#ifndef CMD_XCLBIN_DUMP_H
#define CMD_XCLBIN_DUMP_H

#include "base/json.h"
#include "model/axlf.h"

/* Whether sections of that kind have such a form. */
bool xclbin_can_dump(uint32_t kind);
/* Adds the document, an object.  NPU_EFORMAT: the section is damaged, and *j
 * ends in the middle of the document. */
int xclbin_dump(struct json *j, const struct axlf_section *s,
    struct npu_err *err);

#endif
