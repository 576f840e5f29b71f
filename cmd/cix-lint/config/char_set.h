/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of ASCII characters, for regular expressions. */
#ifndef CIX_LINT_CHAR_SET_H
#define CIX_LINT_CHAR_SET_H

#include <stdbool.h>
#include <stdint.h>

struct char_set {
	uint64_t bit[2];
};

void char_set_add(struct char_set *s, unsigned first, unsigned last);
bool char_set_has(const struct char_set *s, unsigned char c);
void char_set_invert(struct char_set *s);
void char_set_union(struct char_set *s, struct char_set other);
/* Stores the set of \d, \w and \s, and of \D, \W and \S.  Returns false for
 * other letters. */
bool char_set_class(struct char_set *s, char letter);

#endif
