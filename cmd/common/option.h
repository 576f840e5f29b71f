/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program's command line.  Each program defines a struct program with the
 * name program.  The tables of getopt_long(), --help and --completion are made
 * from it: an option is named in one place.
 */
#ifndef CMD_OPTION_H
#define CMD_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How an operand or an option's argument is completed (--completion). */
enum complete {
	COMPLETE_NONE,		/* not completed: a number, a text */
	COMPLETE_FILE,
	COMPLETE_FOLDER,
	COMPLETE_PICTURE,	/* a picture file, or a folder of pictures */
	COMPLETE_MODEL,		/* a .cix file, or the name of an installed
				   model */
	COMPLETE_CHOICE,	/* one of several words; for operands, only
				   the first */
	/* Only for an option's argument: */
	COMPLETE_TYPE,		/* a type of a tensor's elements */
};

/* One option, or text between options in --help. */
struct opt {
	int val;		/* the letter; an option with 256 or more has
				   only its long form */
	const char *name;	/* the long form; NULL: this row is text */
	const char *arg;	/* as --help prints it after the name:
				   "=FILE", "[=FILE]" if it is optional;
				   NULL: the option does not take an argument */
	enum complete complete;	/* how the argument is completed */
	const char *const *choices;	/* for COMPLETE_CHOICE; ends with
					   NULL */
	const char *help;	/* one paragraph; --help breaks its lines */
};

#define FLAG(val, name, help) \
	{ val, name, NULL, COMPLETE_NONE, NULL, help }
#define TAKES(val, name, arg, complete, help) \
	{ val, name, arg, complete, NULL, help }
#define ONE_OF(val, name, arg, choices, help) \
	{ val, name, arg, COMPLETE_CHOICE, choices, help }
/* A heading or a remark, printed as it is. */
#define BETWEEN(text) \
	{ 0, NULL, NULL, COMPLETE_NONE, NULL, text }

/* An option that was renamed.  The old name is refused, with the new name in
 * the message, because scripts may still use the old name. */
struct moved {
	const char *old;	/* "-R", "--top" */
	const char *now;	/* "--runs" */
	const char *means;	/* what the old name means in every program
				   that has it; NULL: nothing */
};

/* An environment variable that a program reads; --help shows its value. */
struct cmd_env {
	const char *name;
	const char *meaning;	/* "the vendor library (else: searched for)" */
};

/* The row of NPU_MODEL_PATH, for every program that takes a model. */
#define CMD_MODEL_ENV \
	{ "NPU_MODEL_PATH", "folders of models, separated by ':'" }

/* One program. */
struct program {
	const char *name;
	const char *synopsis;	/* one line after "usage: " */
	const char *examples;	/* two, first in --help (rule 14): "  cmd\n" */
	const char *help;	/* what it does; its options follow */
	const struct opt *options;	/* includes CMD_COMMON; ends with a
					   row without help */
	const struct moved *moved;	/* ends with a row whose old is NULL;
					   may be NULL */
	enum complete operands[2];	/* of the first operand, and of later
					   operands */
	/* Returns the i-th word that the first operand can be, if it is
	 * COMPLETE_CHOICE; NULL after the last. */
	const char *(*operand_word)(size_t i);
	/* Returns the i-th word that a later operand can be, besides what its
	 * enum complete says; may be NULL. */
	const char *(*later_word)(size_t i);
	const struct cmd_env *env;	/* ends with a row whose name is
					   NULL; may be NULL */
	char *(*version)(void);	/* returns a third line for --version, such
				   as the libnoe found (rule 13); called
				   before the other lines are printed,
				   because it may claim stdout; may be NULL */
};

/* Options that every program has, listed last by --help. */
enum { CMD_COMPLETION = 1001 };
extern const char *const cmd_shells[];
#define CMD_COMMON \
	ONE_OF(CMD_COMPLETION, "completion", "=SHELL", cmd_shells, \
	    "print a completion script for bash, zsh or fish"), \
	FLAG('h', "help", "print this help"), \
	FLAG('V', "version", "print the version")

extern const struct program program;	/* each program defines its own */

/*
 * Returns the next option's val, or -1 at the end.  Prints --help, --version
 * and --completion itself and exits with 0.  A wrong option is a usage error
 * that suggests the nearest option.  Guards the files of -o: guarded.h.
 */
int cmd_option(int argc, char *argv[]);
/* Returns the long form of the option that cmd_option() has returned. */
const char *cmd_option_name(int val);

/* Parses an option's argument as a number from least to most; anything else is
 * a usage error that names the option. */
int64_t cmd_int(const char *option, const char *arg, int64_t least,
    int64_t most);
int64_t cmd_size(const char *option, const char *arg, int64_t least,
    int64_t most);
double cmd_double(const char *option, const char *arg, double least,
    double most);
int32_t cmd_duration_ms(const char *option, const char *arg);
/* Parses an interval: "none" is refused, and so is less than the minimum. */
int32_t cmd_interval_ms(const char *option, const char *arg, int32_t least);
/* Returns the index of arg in names, which ends with NULL; a word that is not
 * in names is a usage error. */
int cmd_choice(const char *option, const char *arg, const char *const *names);
/* Returns arg, the name of a file or folder; an empty name is a usage error. */
const char *cmd_named(const char *option, const char *arg);

#endif
