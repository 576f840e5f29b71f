/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the checks of a diagnosis until all are made. */
#ifndef NPU_INFO_CHECKS_H
#define NPU_INFO_CHECKS_H

#include "info.h"

struct check_list {
	struct health_check machine;	/* describes the machine; not counted */
	const char *kind;		/* of the machine, for programs */
	struct health_check *check;	/* the list owns the names */
	size_t n;
	unsigned of[HEALTH_SKIP + 1];	/* number of checks for each verdict */
};

/* Adds a copy of the check and of its name. */
void checks_add(struct check_list *l, const struct health_check *c);
/* Writes the checks in their order as members or fields; as text, begins with
 * what has to be done first. */
void checks_write(const struct info_form *f, struct check_list *l);
void checks_free(struct check_list *l);

#endif
