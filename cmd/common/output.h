/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data to stdout or a file.  A file of -o is written to a temporary beside it,
 * made with O_EXCL, which cmd_close_output() syncs and renames: what has its
 * own name is whole.  Symbolic links are followed first: the file that they
 * lead to, if it exists or not, is what is replaced, unless it is an input of
 * the program (guarded.h).  Devices, pipes and files below /dev and /proc are
 * written in place.
 */
#ifndef CMD_OUTPUT_H
#define CMD_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct stat;

struct output {
	int fd;
	const char *path;	/* as the user names it; NULL: stdout */
	char *target;		/* owned: where its links lead */
	char *temporary;	/* owned; NULL: written in place */
	char *buf;		/* owned */
	size_t n;		/* bytes waiting in buf */
	size_t whole;		/* of them, up to the end of the last record */
	bool record_flush;	/* not a regular file: flush each record */
	bool terminal;		/* a transient line gives way to it */
	bool threaded;		/* a thread writes, which may not end the
				   program: an error is kept instead */
	int error;		/* the errno that was kept */
	bool cut;		/* a signal stopped a write */
};

/* path NULL or "-": stdout.  binary: refuses a terminal (rule 16) unless path
 * is "-".  Dies. */
void cmd_open_output(struct output *o, const char *path, bool binary);
/* Dies as "prog: write error: reason"; false only when cmd_stop is set, or the
 * error was kept. */
bool cmd_write(struct output *o, const void *p, size_t n);
/* Dies if *b has failed for want of memory. */
void cmd_check_buf(const struct buf *b);
/* Writes and frees *b; dies as both. */
void cmd_write_buf(struct output *o, struct buf *b);

/* Ends a record, which is flushed unless the output is a regular file. */
bool cmd_end_record(struct output *o);
/* Ends a record when the next one follows at once: it is not flushed, so that
 * many small records cost few writes. */
void cmd_mark_record(struct output *o);

/* Dies if an error was kept. */
void cmd_check_output(const struct output *o);
/* Flushes, syncs and renames; dies as "prog: write error: reason".  Removes the
 * file instead if a signal stopped a write. */
void cmd_close_output(struct output *o);
/* Before an error message: writes the whole records to stdout, without a part
 * of the last one as far as possible; makes no file. */
void cmd_abandon_output(struct output *o);
/* However the program ends, this is done before. */
void cmd_abandon_output_on_exit(struct output *o);
/* Opens, writes *b, which is freed, and closes. */
void cmd_write_document(const char *path, struct buf *b);

/* Whether a file appears under the name only when it is closed, whole: not so
 * stdout, a device, a pipe. */
bool cmd_output_appears(const char *path);

/* Whether two outputs would be one file, so that the later would replace the
 * earlier, or both stdout; NULL is stdout, too. */
bool cmd_same_output(const char *a, const char *b);

/*
 * Moves stdout to a descriptor of our own, which cmd_open_output() uses from
 * then on and which is returned; 1 becomes a file in memory that keeps what a
 * vendor library prints (noe-abi 1.9).  Call before dlopen() and before
 * cmd_open_output().  The program's own fprintf(stdout) is checked at exit.
 */
int cmd_claim_stdout(void);
/* Whether stdout, even if it was moved, is a terminal. */
bool cmd_stdout_is_terminal(void);
/* Whether *st is of stdout, even if it was moved: no walk takes it for one of
 * the pictures of a folder, and no other output replaces it. */
bool cmd_is_stdout(const struct stat *st);
/*
 * The last 64 KiB that were printed to 1 since the last call; NULL: nothing.
 * Owned by the caller.
 */
char *cmd_captured(void);

#endif
