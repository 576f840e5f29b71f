/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of a configuration for single layers, which need more than 8
 * bits. */
#ifndef CIX_LINT_LAYER_RULES_H
#define CIX_LINT_LAYER_RULES_H

#include "base/buf.h"
#include "cix-lint/lint.h"

/* What follows the global value of each key: " & <{^a$}:16> <{^b$}:16>". */
struct layer_rules {
	struct buf activation_bits, weight_bits, float_op;
};

enum layer_precision { LAYER_16_BITS, LAYER_FLOAT };

/*
 * Adds a rule for each layer that findings of mixed-output or
 * embedding-collapse concern, in place of earlier rules.  Returns false if no
 * finding is such.  Free with layer_rules_free().
 */
bool layer_rules_make(struct layer_rules *r, const struct lint *l,
    enum layer_precision precision);
void layer_rules_free(struct layer_rules *r);

#endif
