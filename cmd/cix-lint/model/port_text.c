// SPDX-License-Identifier: Apache-2.0
/* port_text.c - names and shapes of a model's inputs as text. */
#include <inttypes.h>
#include <stdlib.h>

#include "cmd.h"
#include "model/names.h"
#include "port_text.h"

char *
shown_name(struct bytes name)
{
	char shown[80];

	names_copy(shown, sizeof(shown), name);
	return cmd_copy(shown);
}

void
put_port_shape(struct buf *b, const struct onnx_port *p)
{
	char *name;

	buf_puts(b, "[");
	for (uint32_t i = 0; i < p->ndim; i++) {
		if (i > 0)
			buf_puts(b, ",");
		if (p->dim[i] >= 0) {
			buf_printf(b, "%" PRId64, p->dim[i]);
			continue;
		}
		name = shown_name(p->dim_name[i]);
		buf_puts(b, *name != '\0' ? name : "?");
		free(name);
	}
	buf_puts(b, "]");
}
