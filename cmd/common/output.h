/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes data to stdout or a file.  A file of -o is written to a temporary file
 * beside it, made with O_EXCL, which cmd_close_output() syncs and renames: a
 * file with its final name is complete.  Symbolic links are followed first.
 * The file that they lead to, whether it exists or not, is replaced, unless it
 * is an input of the program (guarded.h).  Devices, pipes and files below /dev
 * and /proc are written in place.
 */
#ifndef CMD_OUTPUT_H
#define CMD_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct stat;

struct output {
	int fd;
	const char *path;	/* as the user wrote it; NULL: stdout */
	char *target;		/* owned: path with links followed */
	char *temporary;	/* owned; NULL: written in place */
	char *buf;		/* owned */
	size_t n;		/* bytes waiting in buf */
	size_t whole;		/* bytes in buf up to the end of the last
				   record */
	bool record_flush;	/* not a regular file: flush after each
				   record */
	bool terminal;		/* hide a transient line before writing */
	bool threaded;		/* a thread writes, which must not end the
				   program: keep an error instead */
	int error;		/* errno of the error that was kept */
	bool cut;		/* a signal stopped a write */
};

/* Opens path; NULL or "-" is stdout.  binary: refuses a terminal (rule 16)
 * unless path is "-".  Dies. */
void cmd_open_output(struct output *o, const char *path, bool binary);
/* Writes n bytes.  Dies with "prog: write error: reason".  Returns false only
 * if cmd_stop is set or the error was kept. */
bool cmd_write(struct output *o, const void *p, size_t n);
/* Dies if *b failed because memory ran out. */
void cmd_check_buf(const struct buf *b);
/* Writes and frees *b.  Dies for the reasons of both functions above. */
void cmd_write_buf(struct output *o, struct buf *b);

/* Ends a record and flushes it, unless the output is a regular file. */
bool cmd_end_record(struct output *o);
/* Ends a record that is followed immediately by another.  Does not flush, which
 * saves calls of write() for many small records. */
void cmd_mark_record(struct output *o);

/* Dies if a write error was kept. */
void cmd_check_output(const struct output *o);
/* Flushes, syncs and renames.  Dies with "prog: write error: reason".  Removes
 * the file instead if a signal stopped a write. */
void cmd_close_output(struct output *o);
/* Before an error message: writes the complete records to stdout, if possible
 * without a part of the last record.  Does not rename a file. */
void cmd_abandon_output(struct output *o);
/* Registers cmd_abandon_output(o) for every way the program may end. */
void cmd_abandon_output_on_exit(struct output *o);
/* Opens the output at path, writes and frees *b, and closes the output. */
void cmd_write_document(const char *path, struct buf *b);

/* True if a file appears under the name only when it is closed and complete:
 * false for stdout, a device and a pipe. */
bool cmd_output_appears(const char *path);

/* True if two outputs are the same file, where the later would replace the
 * earlier, or are both stdout; NULL also means stdout. */
bool cmd_same_output(const char *a, const char *b);

/*
 * Moves stdout to a private descriptor, which is returned and which
 * cmd_open_output() uses from then on.  Descriptor 1 becomes a file in memory
 * that keeps the output of a vendor library (noe-abi 1.9).  Call before
 * dlopen() and before cmd_open_output().  The program's own fprintf(stdout) is
 * checked at exit.
 */
int cmd_claim_stdout(void);
/* True if stdout, even if it was moved, is a terminal. */
bool cmd_stdout_is_terminal(void);
/* True if *st describes stdout, even if it was moved.  Reading a folder does
 * not take it for a picture, and no other output replaces it. */
bool cmd_is_stdout(const struct stat *st);
/*
 * Returns the last 64 KiB printed to descriptor 1 since the last call; NULL for
 * no output.  The caller owns the result.
 */
char *cmd_captured(void);

#endif
