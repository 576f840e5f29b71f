/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The repairs of ftfy 6.3.1 that handle single characters, from fix_c1_controls
 * to remove_control_chars (fix_and_explain(), in its order): C1 controls, Latin
 * ligatures, character width, quotes, line breaks, terminal escapes, control
 * characters.  Surrogates cannot occur.
 */
#ifndef TEXT_CHARACTERS_H
#define TEXT_CHARACTERS_H

#include <stdbool.h>

#include "text/codepoints.h"
#include "text/ucd.h"

/* Returns whether characters_fix() changes or drops c.  It changes a text if
 * and only if the text has such a code point. */
static inline bool
character_suspect(uint32_t c)
{
	return ucd_is(c, UCD_FIX);
}

/* Sets *out to in, repaired, and *changed to whether it differs.  Returns false
 * if out of memory. */
bool characters_fix(const struct codepoints *in, struct codepoints *out,
    bool *changed);

#endif
