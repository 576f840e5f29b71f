// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stdio.h>

#include "emu/xdna/say.h"

void
xemu_say(const char *format, ...)
{
	char text[1200];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	fprintf(stderr, "libxdna-emu: %s\n", text);
}
