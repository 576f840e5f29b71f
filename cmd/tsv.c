// SPDX-License-Identifier: Apache-2.0
#include "tsv.h"

void
tsv_text(struct buf *b, const char *s)
{
	for (; *s != '\0'; s++) {
		const unsigned char c = (unsigned char)*s;

		if (c == '\\')
			buf_puts(b, "\\\\");
		else if (c == '\t')
			buf_puts(b, "\\t");
		else if (c == '\n')
			buf_puts(b, "\\n");
		else if (c < 0x20 || c == 0x7f)
			buf_printf(b, "\\x%02x", c);
		else
			buf_add(b, s, 1);
	}
}
