/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The matches of ftfy's UTF8_DETECTOR_RE (chardata.py) in a list, kept as
 * labels of its nodes.
 */
#ifndef TEXT_MOJIBAKE_MATCH_H
#define TEXT_MOJIBAKE_MATCH_H

#include "text/mojibake_list.h"

/* Labels the nodes that are not labelled.  Sets l->starts to the start nodes of
 * the matches that have changed since the last call. */
void mojibake_match_find(struct mojibake_list *l);

/* Sets *out to the code points of the match that starts at node i.  Returns
 * false if out of memory. */
bool mojibake_match_text(const struct mojibake_list *l, uint32_t i,
    struct codepoints *out);

#endif
