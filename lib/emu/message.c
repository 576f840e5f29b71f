// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "emu/message.h"

enum { TEXT = 1200 };	/* bytes for the reason of a crash */

bool emu_noise_on;

/* Prints one line with one write(), as otherwise lines of other threads and of
 * the program could mix with it.  The buffers of all callers are shorter. */
static void
put_line(const char *head, const char *text, const char *tail)
{
	char line[1600];
	int n = snprintf(line, sizeof(line), "libnoe-emu: %s%s%s\n", head, text,
	    tail);
	ssize_t done;

	done = write(2, line, (size_t)n);
	(void)done;	/* stderr failed: nowhere left to report */
}

void
emu_message(const char *fmt, ...)
{
	char text[1400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	put_line("", text, "");
}

_Noreturn static void
die(const char *call, const char *vendors, const char *text)
{
	char head[40], tail[100];

	snprintf(head, sizeof(head), "%s%s: ",
	    strcmp(call, "exit") == 0 ? "" : "noe_", call);
	snprintf(tail, sizeof(tail), "; the vendor's library %s, see "
	    "libnoe-emu(7)", vendors);
	put_line(head, text, tail);
	abort();
}

void
emu_crash(const char *call, const char *fmt, ...)
{
	char text[TEXT];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	die(call, "crashes here", text);
}

void
emu_misread(const char *call, const char *fmt, ...)
{
	char text[TEXT];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	die(call, "reads past its end, and may crash or answer anything",
	    text);
}

void
emu_hang(const char *call)
{
	put_line("noe_", call, ": the vendor's library never returns here, "
	    "see libnoe-emu(7)");
	for (;;)
		pause();
}

/* Prints a line in the vendor's format.  The vendor's lines have a source file
 * and line where this prints "libnoe-emu:0". */
static void
put_noise(const char *level, const char *fmt, va_list ap)
{
	char text[400];

	if (!emu_noise_on)
		return;
	vsnprintf(text, sizeof(text), fmt, ap);
	printf("[UMD %s] libnoe-emu:0:<tid:%ld>: %s\n\n", level,
	    (long)syscall(SYS_gettid), text);
}

void
emu_noise_error(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put_noise("ERR", fmt, ap);
	va_end(ap);
}

void
emu_noise_warning(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put_noise("WAR", fmt, ap);
	va_end(ap);
}
