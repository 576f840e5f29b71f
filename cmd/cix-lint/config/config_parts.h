/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of check_config(). */
#ifndef CIX_LINT_CONFIG_PARTS_H
#define CIX_LINT_CONFIG_PARTS_H

#include "cix-lint/lint.h"
#include "keys.h"

/* Reports comments behind values, and keys that are lines of another key's
 * value because they are indented; and cuts both off. */
void clean_values(struct lint *l);

/* Reports a value that the key cannot have, and numbers of layers. */
void check_value(struct lint *l, const struct ini_key *k,
    const struct key_type *t);

/* Reports required sections and keys that are not there. */
void check_required(struct lint *l);

/* Reports a target that is not this NPU.  where is the key or the option. */
void check_target(struct lint *l, const char *where, unsigned line,
    const char *target);

/* Returns whether the file has the section, under any of its names. */
bool has_section(const struct ini *ini, enum section s);

/* Returns a text from a file for a message, shortened if it is long. */
char *shown_text(const char *p, size_t n);

#endif
