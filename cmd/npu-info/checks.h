/* SPDX-License-Identifier: Apache-2.0 */
/* The checks of a diagnosis, kept until all are made. */
#ifndef NPU_INFO_CHECKS_H
#define NPU_INFO_CHECKS_H

#include "info.h"

struct check_list {
	struct health_check machine;	/* what it is; not counted */
	const char *kind;		/* of the machine, for programs */
	struct health_check *check;	/* owns the names */
	size_t n;
	unsigned of[HEALTH_SKIP + 1];	/* how many, by verdict */
};

/* Copies the check, and the name. */
void checks_add(struct check_list *l, const struct health_check *c);
/* In the order of the checks as members or fields; as text, what has to be
 * done first. */
void checks_write(const struct info_form *f, struct check_list *l);
void checks_free(struct check_list *l);

#endif
