/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages for the user on stderr, one write a line; and, where NPU_EMU_NOISE
 * is 1, lines as the vendor's library prints them to stdout through the
 * process's own stdio (noe-abi 1.9).
 */
#ifndef EMU_MESSAGE_H
#define EMU_MESSAGE_H

#include <stdbool.h>

/* "libnoe-emu: TEXT" on stderr */
void emu_message(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * Where the vendor's library would crash: prints "libnoe-emu: CALL: TEXT; the
 * vendor's library crashes here, see libnoe-emu(7)" and aborts.  call has no
 * prefix: "load_graph", or "exit".
 */
_Noreturn void emu_crash(const char *call, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* The same where it would read out of bounds, which may end in any way. */
_Noreturn void emu_misread(const char *call, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Where it would spin for ever: prints a message and sleeps for ever. */
_Noreturn void emu_hang(const char *call);

/* "[UMD ERR] ..." on stdout.  Silent until emu_noise_on. */
void emu_noise_error(const char *fmt, ...)
    __attribute__((format(printf, 1, 2)));
void emu_noise_warning(const char *fmt, ...)
    __attribute__((format(printf, 1, 2)));
extern bool emu_noise_on;

#endif
