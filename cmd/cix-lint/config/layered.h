/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A value that can differ between layers:
 *
 *	GLOBAL & <[(1,3),(5,5)]:V> <[Convolution,Pooling]:V> <{regular exp.}:V>
 *
 * A layer takes the value of the ids that name it, or else of its operator, or
 * else of the expression that its name matches, or else the global value
 * (Compass_Optimizer, AIPUBuilder/Optimizer/config/cfg_fields.py).
 */
#ifndef CIX_LINT_LAYERED_H
#define CIX_LINT_LAYERED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/bytes.h"
#include "name_pattern.h"

enum selector_kind { SELECT_IDS, SELECT_TYPES, SELECT_NAME };

struct selector {
	enum selector_kind kind;
	char *what;		/* between the brackets or braces */
	char *value;
	bool single;		/* SELECT_IDS: numbers that are not ranges,
				   which the compiler takes for operators */
	struct name_pattern *pattern;	/* SELECT_NAME; NULL: not understood */
};

struct layered {
	char *global;		/* "" if absent */
	struct selector *selector;
	size_t n;
};

/* Parses the text.  Returns NULL, or why the text is not such a value; the
 * reason is static.  Free with layered_free() in both cases. */
const char *layered_parse(struct layered *v, const char *text);
void layered_free(struct layered *v);

/* Returns the value for a node of the ONNX model, without regard to ids, which
 * number the nodes of another graph.  Sets *by, unless by is NULL, to the
 * selector, or to NULL for the global value. */
const char *layered_value(const struct layered *v, struct bytes type,
    struct bytes name, const struct selector **by);

/* Returns whether a selector of SELECT_TYPES or SELECT_NAME names the node.
 * type is the ONNX operator; selectors name the types of Compass. */
bool selector_matches(const struct selector *s, struct bytes type,
    struct bytes name);

/* Takes the next word of a list with commas from *list.  Returns false at its
 * end. */
bool selector_word(const char **list, struct bytes *word);

#endif
