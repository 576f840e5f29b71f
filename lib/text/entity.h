/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HTML character references, with HTML's names (entity_data.h).
 */
#ifndef TEXT_ENTITY_H
#define TEXT_ENTITY_H

#include <stdbool.h>

#include "text/codepoints.h"

/*
 * unescape_html() of ftfy 6.3.1: replaces names and numbers that end with a
 * semicolon, also some names in capitals.  *out is the result; *changed:
 * whether it differs from in.  Returns false if out of memory.
 */
bool entity_fix(const struct codepoints *in, struct codepoints *out,
    bool *changed);

/*
 * Sets *out to the result of repeating entity_fix() until it changes nothing.
 * This takes one pass, where "&amp;amp;amp;" would otherwise take as many
 * passes as it has levels.  *ascii: whether all replacements on the way were
 * ASCII and not suspect (characters.h).  If this also holds for the rest of the
 * text, no other step of fix_text() could have intervened, and *out is the
 * result of fix_text().  Returns false if out of memory.
 */
bool entity_fix_nested(const struct codepoints *in, struct codepoints *out,
    bool *ascii);

/* html.unescape() of Python 3.11, which follows HTML's parser.  A decimal
 * number that is too long for Python becomes U+FFFD. */
bool entity_unescape(const struct codepoints *in, struct codepoints *out,
    bool *changed);

#endif
