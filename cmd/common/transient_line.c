// SPDX-License-Identifier: Apache-2.0
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#include "transient_line.h"

static atomic_bool shown;

void
transient_line_show(const char *text)
{
	fprintf(stderr, "\r%s \033[K", text);
	atomic_store(&shown, true);
}

void
transient_line_hide(void)
{
	if (atomic_exchange(&shown, false))
		fprintf(stderr, "\r\033[K");
}
