/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Regular expressions that select layers by name, as Python's re.match() finds
 * them: from the first byte of the name, and not necessarily to its end.  The
 * time is linear in the name, unlike Python's.
 */
#ifndef CIX_LINT_NAME_PATTERN_H
#define CIX_LINT_NAME_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/bytes.h"

struct name_pattern;

/*
 * Returns NULL for an expression with parts that are not supported: references
 * to groups, conditions on the text around, flags, characters that are not
 * ASCII; or that is not an expression, or too large.  Free with
 * name_pattern_free().
 */
struct name_pattern *name_pattern_new(const char *text, size_t n);
void name_pattern_free(struct name_pattern *p);

/*
 * Returns whether the pattern matches the name of an ONNX node, of which only
 * the first 4096 bytes are looked at.  The compiler's parser replaces
 * characters other than letters, digits and .:/_;'" by '_'.
 */
bool name_pattern_matches(const struct name_pattern *p, struct bytes name);

#endif
