/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages for the user on stderr, each line with one write().  If
 * NPU_EMU_NOISE is 1, also lines like those that the vendor's library prints to
 * stdout through the process's own stdio (noe-abi 1.9).
 */
#ifndef EMU_MESSAGE_H
#define EMU_MESSAGE_H

#include <stdbool.h>

/* Prints "libnoe-emu: TEXT" on stderr. */
void emu_message(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * Reports a call with which the vendor's library would crash: prints
 * "libnoe-emu: CALL: TEXT; the vendor's library crashes here, see
 * libnoe-emu(7)" and aborts.  call is a name without prefix, as "load_graph",
 * or "exit".
 */
_Noreturn void emu_crash(const char *call, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Does the same for a call with which the library would read out of bounds; the
 * effect of such a read is undefined. */
_Noreturn void emu_misread(const char *call, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Reports a call in which the library would loop forever: prints a message and
 * sleeps forever. */
_Noreturn void emu_hang(const char *call);

/* Print "[UMD ERR] ..." and "[UMD WAR] ..." on stdout if emu_noise_on is set;
 * otherwise print nothing. */
void emu_noise_error(const char *fmt, ...)
    __attribute__((format(printf, 1, 2)));
void emu_noise_warning(const char *fmt, ...)
    __attribute__((format(printf, 1, 2)));
extern bool emu_noise_on;

#endif
