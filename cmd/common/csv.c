// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "csv.h"

void
csv_text(struct buf *b, const char *s)
{
	if (strpbrk(s, ",\"\r\n") == NULL) {
		buf_puts(b, s);
		return;
	}
	buf_puts(b, "\"");
	for (; *s != '\0'; s++)
		buf_puts(b, *s == '"' ? "\"\"" : (char[]){ *s, '\0' });
	buf_puts(b, "\"");
}
