// SPDX-License-Identifier: Apache-2.0
/* sections.c - headings of a report, and its last section, the unread parts. */
#include "info.h"

void
info_section(const struct info_form *f, const char *title)
{
	if (f->json == NULL)
		buf_printf(f->text, "\n== %s\n\n", title);
}

void
info_unread(const struct info_form *f)
{
	if (f->json != NULL) {
		json_member_str(f->json, "unread", f->unread->msg);
	} else if (f->unread->code != 0) {
		info_section(f, "Not read");
		buf_printf(f->text, "%s\n", f->unread->msg);
	}
}
