/* SPDX-License-Identifier: Apache-2.0 */
/* The operators whose shapes are calculated, or that do not multiply. */
#ifndef MODEL_SHAPES_RULES_H
#define MODEL_SHAPES_RULES_H

#include "model/shapes/step.h"

struct shape_rule {
	void (*infer)(struct step *s);	/* NULL: shapes are not calculated */
	/* Counts multiply-accumulates.  Returns false if the number cannot be
	 * known.  NULL: the operator has none that count. */
	bool (*count)(const struct step *s, uint64_t *macs);
	unsigned weights;	/* an input: struct step */
	const char *const *types;	/* the operators, then NULL */
};

/* Returns the rule of an operator; NULL: unknown. */
const struct shape_rule *rules_find(struct bytes domain, struct bytes type);

#endif
