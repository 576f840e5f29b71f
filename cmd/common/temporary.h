/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Temporary files that are removed when the program ends before they have their
 * own names: at exit, and by end_of_signal() (signals.h).
 */
#ifndef CMD_TEMPORARY_H
#define CMD_TEMPORARY_H

struct temporary {
	char *name;		/* owned by the caller; NULL: unused */
	struct temporary *next;
};

/* Returns an entry in the list without a name, or NULL without memory.  Set the
 * name before making the file. */
struct temporary *temporary_new(void);
/* Frees the entry whose name is this pointer: the file was renamed. */
void temporary_forget(const char *name);

/* Removes all temporary files.  Safe in a handler. */
void cmd_remove_temporaries(void);
/* For a forked child: forgets the parent's files. */
void cmd_forget_temporaries(void);

#endif
