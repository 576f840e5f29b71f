/* SPDX-License-Identifier: Apache-2.0 */
/* KIND[LABEL]:JSON:FILE and KIND:RAW:FILE, as options name a section. */
#ifndef XCLBIN_PACK_SECTION_SPEC_H
#define XCLBIN_PACK_SECTION_SPEC_H

#include <jansson.h>

#include "base/buf.h"
#include "npu.h"

struct section_spec {
	uint32_t kind;		/* enum axlf_kind */
	char *label;		/* owned; "" if there is none */
	bool json;
	const char *file;
};

/* Parse an option's argument, of which --remove-section's is KIND[LABEL] alone;
 * die of wrong usage.  Free with section_spec_free(). */
struct section_spec section_spec_parse(const char *option, const char *arg);
struct section_spec section_spec_parse_kind(const char *option,
    const char *arg);
void section_spec_free(struct section_spec *s);

/* "AIE_PARTITION" or "AIE_PARTITION[label]", owned by the caller. */
char *section_spec_name(const struct section_spec *s);

/* How JSON becomes a section of the kind; NULL: not by a list of
 * lists_json.h. */
struct list_form {
	uint32_t kind;
	const char *node;
	int (*from_json)(const json_t *root, const char *node, struct buf *out,
	    struct npu_err *err);
};
const struct list_form *list_form_of(uint32_t kind);

#endif
