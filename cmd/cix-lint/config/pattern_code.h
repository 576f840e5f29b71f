/* SPDX-License-Identifier: Apache-2.0 */
/* The code of a regular expression, which name_pattern.c writes and
 * name_match.c runs. */
#ifndef CIX_LINT_PATTERN_CODE_H
#define CIX_LINT_PATTERN_CODE_H

#include "char_set.h"

enum {
	MOST_CODE = 2000,	/* instructions */
	LONGEST_TEXT = 4096,	/* of an expression, and of a name */
};

enum op { OP_SET, OP_SPLIT, OP_JUMP, OP_BEGIN, OP_END, OP_WORD, OP_NO_WORD,
    OP_MATCH };

struct code {
	enum op op;
	struct char_set set;	/* of OP_SET */
	unsigned to, or;	/* of OP_SPLIT; to of OP_JUMP */
};

struct name_pattern {
	struct code *code;
	unsigned n;
};

#endif
