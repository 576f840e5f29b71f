/* SPDX-License-Identifier: Apache-2.0 */
/* xclbinutil's names for the numbers in a container. */
#ifndef MODEL_AXLF_NAMES_H
#define MODEL_AXLF_NAMES_H

#include <stdint.h>

struct axlf_names {
	const char *const *name;
	uint32_t n;
};

extern const struct axlf_names axlf_kinds;	/* section kinds */
extern const struct axlf_names axlf_memories;	/* m_type of a memory */
extern const struct axlf_names axlf_ips;	/* m_type of an IP */
extern const struct axlf_names axlf_controls;	/* for IP_KERNEL */
extern const struct axlf_names axlf_groups;	/* type of a PDI's group */
extern const struct axlf_names axlf_subtypes;	/* for IP_PS_KERNEL */
extern const struct axlf_names axlf_functionals;
extern const struct axlf_names axlf_qualifiers;	/* argument qualifiers */

/* Returns the name of the number, or NULL. */
const char *axlf_name(const struct axlf_names *of, uint32_t number);
/* Returns the number with the name, or -1. */
int axlf_number(const struct axlf_names *of, const char *name);

#endif
