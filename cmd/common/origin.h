/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A note of where results come from, where that may surprise: the emulator, a
 * demonstration model.  It is one line, of the first program of a pipeline
 * that has such a note: programs of one process group with the same stderr.
 */
#ifndef CMD_ORIGIN_H
#define CMD_ORIGIN_H

/* A device is opened next, which may be the emulator without being asked
 * for. */
void origin_expect_emulator(void);
/* The installed model at path is used; for the next origin_print(). */
void origin_demo_model(const char *path);
/* The emulator is used; line says so at length. */
void origin_emulator(const char *line);
/* Prints what is known and was not yet printed here or by another program. */
void origin_print(void);

#endif
