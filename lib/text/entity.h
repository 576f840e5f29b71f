/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HTML character references.  The names are HTML's, made into a table when
 * the project is built, by gen/entities.c from Debian's w3c-sgml-lib.
 */
#ifndef TEXT_ENTITY_H
#define TEXT_ENTITY_H

#include <stdbool.h>

#include "text/points.h"

/*
 * unescape_html() of ftfy 6.3.1: names and numbers that end with a semicolon,
 * also some names in capitals.  *out becomes the result; *changed says whether
 * it differs from in.  False when there is no memory.
 */
bool entity_fix(const struct points *in, struct points *out, bool *changed);

/* html.unescape() of Python 3.11, which follows HTML's parser. */
bool entity_unescape(const struct points *in, struct points *out,
    bool *changed);

#endif
