/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints a note where the origin of results may be a surprise: the emulator, or
 * a demonstration model.  The note is one line, from the first program of a
 * pipeline that has such a note.  A pipeline is the programs of one process
 * group with the same stderr.
 */
#ifndef CMD_ORIGIN_H
#define CMD_ORIGIN_H

/* Announces that a device is opened next, which may be the emulator although
 * the user did not ask for it. */
void origin_expect_emulator(void);
/* Records that the installed model at path is used, for origin_print(). */
void origin_demo_model(const char *path);
/* Records that the emulator is used; line is the full note. */
void origin_emulator(const char *line);
/* Prints the notes recorded so far, unless this or another program did. */
void origin_print(void);

#endif
