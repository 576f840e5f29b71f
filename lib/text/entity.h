/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HTML character references.  The names are HTML's (entity_data.h).
 */
#ifndef TEXT_ENTITY_H
#define TEXT_ENTITY_H

#include <stdbool.h>

#include "text/codepoints.h"

/*
 * unescape_html() of ftfy 6.3.1: names and numbers that end with a semicolon,
 * also some names in capitals.  *out becomes the result; *changed: whether it
 * differs from in.  False when there is no memory.
 */
bool entity_fix(const struct codepoints *in, struct codepoints *out,
    bool *changed);

/*
 * *out = the result of entity_fix() repeated until it changes nothing, in one
 * pass, so that "&amp;amp;amp;" does not take as many passes as it is long.
 * *ascii: whether all replacements on the way were ASCII and not suspect
 * (characters.h).  If the rest of the text is so too, no other step of
 * fix_text() could have intervened, and *out is its result.  False when there
 * is no memory.
 */
bool entity_fix_nested(const struct codepoints *in, struct codepoints *out,
    bool *ascii);

/* html.unescape() of Python 3.11, which follows HTML's parser; a decimal number
 * that is too long for Python is U+FFFD. */
bool entity_unescape(const struct codepoints *in, struct codepoints *out,
    bool *changed);

#endif
