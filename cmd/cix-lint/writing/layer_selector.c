// SPDX-License-Identifier: Apache-2.0
/* layer_selector.c - writes a selector of one layer. */
#include <ctype.h>
#include <string.h>

#include "cix-lint/config/layer_name.h"
#include "layer_selector.h"

/* Adds the name, as the parser spells it (name_pattern.h).  '.' stands for ':',
 * which an expression cannot contain. */
static void
put_name(struct buf *b, struct bytes name)
{
	for (size_t i = 0; i < name.n; i++) {
		char c = (char)name.p[i];

		if (isalnum((unsigned char)c) ||
		    (c != '\0' && strchr("/_;'\"", c) != NULL))
			buf_add(b, &c, 1);
		else if (c == '.' || c == ':')
			buf_puts(b, c == '.' ? "\\." : ".");
		else if ((name.p[i] & 0xc0) != 0x80)
			buf_puts(b, "_");	/* a character of UTF-8 */
	}
}

void
layer_selector_put(struct buf *b, const struct onnx_node *n, const char *value)
{
	buf_puts(b, "<{^");
	put_name(b, layer_name(n));
	buf_printf(b, "$}:%s>", value);
}
