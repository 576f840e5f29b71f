/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of a configuration, as Python's text files and str.strip() see them. */
#ifndef CIX_LINT_INI_LINE_H
#define CIX_LINT_INI_LINE_H

#include <stdbool.h>
#include <stddef.h>

struct ini_line {
	char *p;		/* without white space at both ends */
	size_t n;
	unsigned number;	/* from 1 */
	size_t indent;		/* characters of white space before p */
};

/* Reads the next line of at..end, which ends with LF, CR, or CR LF.  Begin with
 * l->number 0.  Returns false at the end. */
bool ini_next_line(struct ini_line *l, char **at, char *end);
/* Returns whether the line is a comment. */
bool ini_is_comment(const struct ini_line *l);

/* Removes white space of Unicode from an end of a text. */
char *ini_skip_space(char *p, const char *end, size_t *characters);
char *ini_trim_end(const char *p, char *end);

#endif
