/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every program shares: words to stderr, exit statuses, options, data to
 * stdout.  Only cmd/ prints or exits (architecture, Layout).
 */
#ifndef CMD_H
#define CMD_H

#include <getopt.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/buf.h"
#include "npu.h"

/* Exit status, the same in every program (rule 24). */
enum {
	EXIT_DONE = 0,
	EXIT_FAILED = 1,	/* it ran but something failed */
	EXIT_USAGE = 2,
	EXIT_NODEVICE = 3,	/* no usable device or runtime */
	EXIT_VERDICT = 4,	/* a negative verdict */
	EXIT_NOVERDICT = 5,
};

/* An environment variable that a program heeds; --help shows its value. */
struct cmd_env {
	const char *name;
	const char *meaning;	/* "the vendor library (else: searched for)" */
};

/* The row of every program that takes a model. */
#define CMD_MODEL_ENV \
	{ "NPU_MODEL_PATH", "folders of models, separated by ':'" }

/* How an operand or an option's argument is completed (--completion). */
enum complete {
	COMPLETE_NONE,		/* not at all: a number, a text */
	COMPLETE_FILE,
	COMPLETE_FOLDER,
	COMPLETE_PICTURE,	/* a file, or a folder of them */
	COMPLETE_MODEL,		/* a .cix file, or an installed one's name */
	/* Of an option's argument only: */
	COMPLETE_TYPE,		/* of a tensor's elements */
	COMPLETE_CHOICE,	/* one of several */
};

/*
 * One option, or words between options.  From a program's rows are made what
 * getopt_long() takes, the options of --help, and --completion, so that there
 * is one place to name an option.
 */
struct opt {
	int val;		/* the letter; from 256 on it has none */
	const char *name;	/* the long form; NULL: these are words */
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
/* A heading, or a remark; its lines are printed as they are. */
#define BETWEEN(text) \
	{ 0, NULL, NULL, COMPLETE_NONE, NULL, text }

/* One program. */
struct program {
	const char *name;
	const char *synopsis;	/* one line after "usage: " */
	const char *examples;	/* two, first in --help (rule 14): "  cmd\n" */
	const char *help;	/* what it does; its options follow */
	const struct opt *options;	/* CMD_COMMON among them; the last has
					   no help */
	enum complete operands[2];	/* the first, and those after it */
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

/* ---- Start and end ---------------------------------------------------- */

/*
 * First call of every main(): makes sure that descriptors 0 to 2 are open
 * (rule 21), and that a failed write to stdout is told at the end.
 */
void cmd_start(void);

/*
 * The next option's val, or -1 at the end.  -h and -V are answered here (and
 * exit 0), a wrong option is a usage error that suggests the nearest one.
 */
int cmd_option(int argc, char *argv[]);
/* The long form of the option that cmd_option() has returned. */
const char *cmd_option_name(int val);

/*
 * The way out of every program: what must be done before the handlers of
 * exit(), then exit().  main() ends with it too.
 */
_Noreturn void cmd_exit(int status);
/* Called once by cmd_exit(); NULL: nothing.  A loaded model is closed here,
 * because the destructors of its library may run before our exit handlers. */
extern void (*cmd_at_exit)(void);
/* The end when cmd_stop was set, of cmd_exit(), too: by that signal, what is
 * not whole removed.  No exit handler runs. */
_Noreturn void cmd_die_of_signal(void);

/* ---- Words on stderr -------------------------------------------------- */

/* utf8_printable() of our own words. */
void cmd_printable(char *p, size_t n);
/* "prog: subject: reason" */
void cmd_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Silenced by cmd_quiet. */
void cmd_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* What this thread has said last, without the program's name: for the end of a
 * document that has an error instead of the rest.  Something was said. */
const char *cmd_last_message(void);
extern bool cmd_quiet;		/* -q */
extern bool cmd_verbose;	/* -v */

/* warn, then exit with EXIT_FAILED. */
_Noreturn void cmd_die(const char *fmt, ...)
    __attribute__((format(printf, 1, 2)));
/* The line plus "Try 'prog --help' for more information."; EXIT_USAGE. */
_Noreturn void cmd_usage(const char *fmt, ...)
    __attribute__((format(printf, 1, 2)));
/* The exit status that err->code means. */
int cmd_status(const struct npu_err *err);
/* "prog: subject: err->msg", exit by err->code.  subject may be NULL. */
_Noreturn void cmd_die_err(const char *subject, const struct npu_err *err);

/* Option arguments: checked whole, or a usage error naming the option. */
int64_t cmd_int(const char *option, const char *arg, int64_t least,
    int64_t most);
double cmd_double(const char *option, const char *arg, double least,
    double most);
int32_t cmd_duration_ms(const char *option, const char *arg);
/* Which of names, which end with NULL, arg is; or a usage error with them. */
int cmd_choice(const char *option, const char *arg, const char *const *names);

/* Zeroed; these die when there is no memory. */
void *cmd_alloc(size_t n);
void *cmd_realloc(void *p, size_t n);
/* Of the caller, and likewise. */
char *cmd_copy(const char *s);
char *cmd_text(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* ---- Data in ---------------------------------------------------------- */

/*
 * The signal that asked for an end, 0 so far.  Set by a handler of the
 * program's (without SA_RESTART); cmd_read() and cmd_write() end early then.
 */
extern volatile sig_atomic_t cmd_stop;

/* A whole file or stdin ("-"), at most limit bytes; dies naming both. */
void *cmd_read_file(const char *path, size_t limit, size_t *n);
/* read() until n bytes, the end, or cmd_stop; dies on errors. */
size_t cmd_read(int fd, const char *name, void *p, size_t n);
/*
 * Open for reading; dies.  "-" is stdin; NULL is stdin that nobody named, where
 * a terminal is a usage error instead of a program that seems to hang (rule
 * 12).  -1 only when cmd_stop was set while it waited for a pipe's writer.
 */
int cmd_open_input(const char *path);
/* Its parts, for a thread, which may not end the program: the terminal is
 * refused before, by the first thread; -1 with errno instead of dying. */
void cmd_refuse_terminal(const char *path);
int cmd_try_open_input(const char *path);
/* Whether path may be a text by mistake: no such file, and it has blanks. */
bool cmd_text_for_name(const char *path);
int64_t cmd_try_read(int fd, void *p, size_t n);
/* The name used in messages: "stdin" for "-" and NULL. */
const char *cmd_input_name(const char *path);

/* ---- Data out --------------------------------------------------------- */

/*
 * Where data goes: stdout, or with -o a temporary file beside the target,
 * made with O_EXCL, that cmd_close_output() syncs and renames.  Devices, pipes
 * and what lies under /dev or /proc are written in place.
 */
struct output {
	int fd;
	const char *path;	/* NULL: stdout */
	char *temporary;	/* owned; NULL: written in place */
	char *buf;		/* owned */
	size_t n;		/* bytes waiting in buf */
	size_t whole;		/* of them, up to the end of the last record */
	bool record_flush;	/* not a regular file: flush each record */
	bool threaded;		/* a thread writes, which may not end the
				   program: an error is kept instead */
	int error;		/* the errno that was kept */
	bool cut;		/* a signal has kept a part of it back */
};

/* path NULL or "-": stdout.  binary: refuses a terminal (rule 16) unless "-"
 * was said. */
void cmd_open_output(struct output *o, const char *path, bool binary);
/* Whether two outputs would be one file, the later in the earlier's place, or
 * both stdout; as in cmd_open_output(), NULL is stdout, too. */
bool cmd_same_output(const char *a, const char *b);
/* Of the real one, whatever descriptor it has by now: cmd_claim_stdout(). */
bool cmd_stdout_is_terminal(void);
/* Dies as "prog: write error: reason"; false only when cmd_stop was set, or
 * the error was kept. */
bool cmd_write(struct output *o, const void *p, size_t n);
/* Dies if *b has failed. */
void cmd_need_whole(const struct buf *b);
/* What is in *b, which is freed; likewise. */
void cmd_write_buf(struct output *o, struct buf *b);
/* One whole record is done: flushed unless the output is a regular file. */
bool cmd_end_record(struct output *o);
/* The same, when the next is at hand and will be written at once: not flushed,
 * so that many small records cost few writes. */
void cmd_mark_record(struct output *o);
/* Dies of an error that was kept. */
void cmd_check_output(const struct output *o);
/* Flush, check, sync, rename.  Dies as "prog: write error: reason".  What a
 * signal has cut is removed instead: what has its own name is whole. */
void cmd_close_output(struct output *o);
/* All of a program's output: text in *b, which is freed. */
void cmd_write_document(const char *path, struct buf *b);
/*
 * Before a failure is said: whole records still go to stdout, the part of one
 * does not if it can be helped; a file is not made.
 */
void cmd_abandon_output(struct output *o);
/*
 * Removes the temporary of every output that is still open.  Done at exit, and
 * on SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGABRT while they have their default
 * action; a program
 * with handlers of its own calls it before it raises the signal again.  Safe
 * in a handler.
 */
void cmd_remove_temporaries(void);
/* In a copy of this process, whose files they are not. */
void cmd_forget_temporaries(void);

/*
 * Moves stdout to a descriptor of our own, which cmd_open_output() uses from
 * then on and which is returned; 1 becomes a file in memory that keeps what a
 * vendor library prints (noe-abi 1.9).  Call before dlopen() and before
 * cmd_open_output().
 */
int cmd_claim_stdout(void);
/*
 * What was printed to 1 since the last call, its last 64 KiB; NULL: nothing.
 * Owned by the caller.
 */
char *cmd_captured(void);

/* fprintf to stdout is checked at exit in the same way. */

/* ---- Places ----------------------------------------------------------- */

/*
 * path of a data file of ours ("share/npu-utils/NAME", "lib/npu-utils/NAME"),
 * relative to the place of the running program first, then to the PREFIX it
 * was built with.  NULL when it is nowhere.  Owned by the caller.
 */
char *cmd_data_path(const char *relative);
/* Whether --root names the files of this machine. */
bool cmd_own_root(const char *path);
/* The folder that --root names, "" for that of this machine; dies where it
 * cannot be read, as all in it would be taken for absent. */
const char *cmd_root(const char *path);
/* The same of *path, for a program that goes on. */
int cmd_try_root(const char **path, struct npu_err *err);
/*
 * The file meant by a model name: with a slash as it is; else the working
 * directory, NPU_MODEL_PATH, the installed models (said on stderr, unless
 * -q).  Dies with every place tried.  Owned by the caller.
 */
char *cmd_model_path(const char *name);
/* The same, for a program that goes on: NULL with the places in *err. */
char *cmd_find_model(const char *name, struct npu_err *err);

#endif
