/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Temporary files that are removed when the program ends before they have their
 * own names: at exit, and by end_of_signal() (signals.h).
 */
#ifndef CMD_TEMPORARY_H
#define CMD_TEMPORARY_H

struct temporary {
	char *name;		/* of the caller; NULL: none */
	struct temporary *next;
};

/* An entry in the list, without a name; NULL without memory.  The name is set
 * before the file is made. */
struct temporary *temporary_new(void);
/* Frees the entry with this very pointer as its name: the file was renamed. */
void temporary_forget(const char *name);

/* Removes all of them.  Safe in a handler. */
void cmd_remove_temporaries(void);
/* For a forked copy of this process, to which the files do not belong. */
void cmd_forget_temporaries(void);

#endif
