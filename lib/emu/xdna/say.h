/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EMU_XDNA_SAY_H
#define EMU_XDNA_SAY_H

/* Prints "libxdna-emu: TEXT" on stderr: information for the program's author,
 * and messages that the kernel would write to its log. */
void xemu_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
