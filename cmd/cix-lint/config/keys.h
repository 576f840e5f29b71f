/* SPDX-License-Identifier: Apache-2.0 */
/* The keys of each section of a configuration, and their values. */
#ifndef CIX_LINT_KEYS_H
#define CIX_LINT_KEYS_H

#include <stdbool.h>
#include <stddef.h>

enum section { SECTION_COMMON, SECTION_PARSER, SECTION_OPTIMIZER,
    SECTION_GBUILDER, SECTION_RUNTIME, SECTION_N };

enum key_kind {
	KEY_ANY,		/* any text */
	KEY_WORD,		/* one of words */
	KEY_WORDS,		/* some of words, with commas */
	KEY_FORM,		/* matches form */
	KEY_METRIC,		/* words, which may have arguments */
	KEY_TARGET,		/* a target of the builder */
};

enum {
	KEY_LAYERED = 1,	/* the value may differ between layers */
	KEY_ANY_CASE = 2,
	KEY_LENIENT = 4,	/* the compiler ignores a bad value */
	KEY_IS_DATASET = 8,	/* the rule is RULE_DATASET */
};

struct key_type {
	const char *name;
	enum key_kind kind;
	unsigned flags;
	const char *words;	/* with blanks between them; of KEY_FORM: some
				   values, or NULL */
	const char *form;	/* POSIX extended regular expression, which the
				   whole value matches */
	const char *noun;	/* what a value of this form is */
};

/* Returns the name, such as "GBuilder". */
const char *section_name(enum section s);
/* Returns the section with this name, with the names of older releases and
 * "Optimizer_1"; or SECTION_N. */
enum section section_by_name(const char *name);

/* Returns the key of the section, or NULL.  SECTION_RUNTIME has none: its keys
 * are not known. */
const struct key_type *key_by_name(enum section s, const char *name);
/* Returns the i-th key of the section, or NULL at the end. */
const struct key_type *key_at(enum section s, size_t i);
/* Returns the key that is meant by a frequent mistake, or NULL. */
const char *key_meant(enum section s, const char *name);

/* Returns whether the key is one that only [AutoQuantizationTool] had, the
 * section of older releases. */
bool key_is_old(const char *section, const char *name);

/* Takes the next of words with blanks between them from *words, and returns its
 * length; 0 at the end. */
size_t next_word(const char **words, const char **word);

#endif
