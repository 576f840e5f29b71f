/* SPDX-License-Identifier: Apache-2.0 */
/* Parses KIND[LABEL]:JSON:FILE and KIND:RAW:FILE, the names of sections in
 * options. */
#ifndef XCLBIN_PACK_SECTION_SPEC_H
#define XCLBIN_PACK_SECTION_SPEC_H

#include <stdbool.h>
#include <stdint.h>

struct section_spec {
	uint32_t kind;		/* enum axlf_kind */
	char *label;		/* owned; "" without a label */
	bool json;
	const char *file;
};

/* Parse an option's argument; section_spec_parse_kind() parses KIND[LABEL]
 * alone, for --remove-section.  A wrong argument is a usage error.  Free the
 * result with section_spec_free(). */
struct section_spec section_spec_parse(const char *option, const char *arg);
struct section_spec section_spec_parse_kind(const char *option,
    const char *arg);
void section_spec_free(struct section_spec *s);

/* Returns "AIE_PARTITION" or "AIE_PARTITION[label]", owned by the caller. */
char *section_spec_name(const struct section_spec *s);

#endif
