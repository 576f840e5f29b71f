// SPDX-License-Identifier: Apache-2.0
/*
 * A kernel module's file: a refused file leaves no values, and accepted values
 * are texts of one line.
 */
#include <stdlib.h>
#include <string.h>

#include "model/kmodule.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static void
printable(const char *s, size_t size)
{
	if (strnlen(s, size) == size)
		abort();
	for (; *s != '\0'; s++)
		if (*s < ' ' || *s > '~')
			abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct kmodule m = { .vermagic = "as before" };

	kmodule_compression((struct bytes){ p, n });
	if (kmodule_parse((struct bytes){ p, n }, &m, NULL) < 0) {
		if (strcmp(m.vermagic, "as before") != 0)
			abort();
		return 0;
	}
	printable(m.vermagic, sizeof(m.vermagic));
	printable(m.license, sizeof(m.license));
	printable(m.imports, sizeof(m.imports));
	return 0;
}
