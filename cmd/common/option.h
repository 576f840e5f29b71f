/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program's command line.  Each program defines the struct program called
 * program; getopt_long()'s tables, --help and --completion are made from it, so
 * that an option is named in one place.
 */
#ifndef CMD_OPTION_H
#define CMD_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How an operand or an option's argument is completed (--completion). */
enum complete {
	COMPLETE_NONE,		/* not at all: a number, a text */
	COMPLETE_FILE,
	COMPLETE_FOLDER,
	COMPLETE_PICTURE,	/* a file, or a folder of them */
	COMPLETE_MODEL,		/* a .cix file, or an installed one's name */
	COMPLETE_CHOICE,	/* one of several words; of operands, only the
				   first */
	/* Only for an option's argument: */
	COMPLETE_TYPE,		/* of a tensor's elements */
};

/* One option, or text between options in --help. */
struct opt {
	int val;		/* the letter; from 256 on it has none */
	const char *name;	/* the long form; NULL: this is text */
	const char *arg;	/* as --help puts it after the name: "=FILE",
				   "[=FILE]" if it may be left out; NULL: it
				   takes none */
	enum complete complete;	/* its argument */
	const char *const *choices;	/* of COMPLETE_CHOICE; ends with NULL */
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

/* An option that has another letter or name now.  Wherever the old one was of
 * use, it is refused with the new one, as scripts may still have it. */
struct moved {
	const char *old;	/* "-R", "--top" */
	const char *now;	/* "--runs" */
	const char *means;	/* what the old one means in every program that
				   has it; NULL: nothing */
};

/* An environment variable that a program reads; --help shows its value. */
struct cmd_env {
	const char *name;
	const char *meaning;	/* "the vendor library (else: searched for)" */
};

/* The row of every program that takes a model. */
#define CMD_MODEL_ENV \
	{ "NPU_MODEL_PATH", "folders of models, separated by ':'" }

/* One program. */
struct program {
	const char *name;
	const char *synopsis;	/* one line after "usage: " */
	const char *examples;	/* two, first in --help (rule 14): "  cmd\n" */
	const char *help;	/* what it does; its options follow */
	const struct opt *options;	/* CMD_COMMON among them; ends with a
					   row without help */
	const struct moved *moved;	/* ends with an old of NULL; may be
					   NULL */
	enum complete operands[2];	/* the first, and those after it */
	/* The i-th word that the first can be, if it is COMPLETE_CHOICE; NULL
	 * after the last. */
	const char *(*operand_word)(size_t i);
	const struct cmd_env *env;	/* ends with a name of NULL; may be
					   NULL */
	char *(*version)(void);	/* a third line of --version, such as the
				   libnoe found (rule 13); called before
				   the others are printed, as it may claim
				   stdout; may be NULL */
};

/* Options that every program has, the last in --help. */
enum { CMD_COMPLETION = 1001 };
extern const char *const cmd_shells[];
#define CMD_COMMON \
	ONE_OF(CMD_COMPLETION, "completion", "=SHELL", cmd_shells, \
	    "write what completes this command line in bash, zsh or fish"), \
	FLAG('h', "help", "this text"), \
	FLAG('V', "version", "version")

extern const struct program program;	/* each program defines its own */

/*
 * The next option's val, or -1 at the end.  Prints --help, --version and
 * --completion itself and exits with 0.  A wrong option is a usage error that
 * suggests the nearest one.  Guards the files of -o: guarded.h.
 */
int cmd_option(int argc, char *argv[]);
/* The long form of the option that cmd_option() has returned. */
const char *cmd_option_name(int val);

/* An option's argument as a number from least to most; anything else is a
 * usage error that names the option. */
int64_t cmd_int(const char *option, const char *arg, int64_t least,
    int64_t most);
int64_t cmd_size(const char *option, const char *arg, int64_t least,
    int64_t most);
double cmd_double(const char *option, const char *arg, double least,
    double most);
int32_t cmd_duration_ms(const char *option, const char *arg);
/* The same for what repeats: not "none", and at least so many. */
int32_t cmd_interval_ms(const char *option, const char *arg, int32_t least);
/* The index of arg in names, which ends with NULL; else a usage error. */
int cmd_choice(const char *option, const char *arg, const char *const *names);
/* arg, the name of a file or folder; an empty one is a usage error. */
const char *cmd_named(const char *option, const char *arg);

#endif
