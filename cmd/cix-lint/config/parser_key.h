/* SPDX-License-Identifier: Apache-2.0 */
/* The keys of the parser, in configurations of both forms. */
#ifndef CIX_LINT_PARSER_KEY_H
#define CIX_LINT_PARSER_KEY_H

#include "cix-lint/ini.h"

/* Returns a key of [Parser], or of [Common], which has the parser's keys in old
 * configurations; NULL: it is absent or empty. */
const struct ini_key *parser_key(const struct ini *ini, const char *name);

#endif
