/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The repair of mojibake where it takes many rounds.  A text can be made so
 * that each round of fix_encoding() changes one place only and so makes the
 * next one possible; going through all of it each time would take time in
 * proportion to its square.  Here a round looks only at what the one before
 * changed.
 */
#ifndef TEXT_MOJIBAKE_LIST_H
#define TEXT_MOJIBAKE_LIST_H

#include <stdbool.h>

#include "text/mojibake.h"

/* As mojibake_fix(). */
bool rounds_fix(struct mojibake *m, struct codepoints *text);

#endif
