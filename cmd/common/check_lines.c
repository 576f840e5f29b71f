// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "check_lines.h"
#include "cmd.h"

void
check_make_printable(struct health_check *c)
{
	cmd_printable(c->finding, strlen(c->finding));
	cmd_printable(c->next, strlen(c->next));
}

/* The colour of each verdict, as an SGR parameter. */
static const char *const colours[] = {
	[HEALTH_OK] = "32", [HEALTH_WARN] = "33", [HEALTH_FAIL] = "1;31",
	[HEALTH_SKIP] = "2",
};

void
check_text(struct buf *b, const struct health_check *c, int width, bool colour)
{
	const char *verdict = health_verdict_name(c->verdict);

	if (colour)
		buf_printf(b, "\033[%sm%-4s\033[m", colours[c->verdict],
		    verdict);
	else
		buf_printf(b, "%-4s", verdict);
	buf_printf(b, "  %-*s %s\n", width, c->name, c->finding);
	if (c->next[0] != '\0')
		buf_printf(b, "%*snext: %s\n", width + 7, "", c->next);
}

void
check_plain(struct buf *b, const struct health_check *c)
{
	buf_printf(b, "%s\t%s\t%s\t%s\n", c->name,
	    health_verdict_name(c->verdict), c->finding, c->next);
}

void
check_json(struct json *j, const struct health_check *c)
{
	json_object(j);
	json_member_str(j, "name", c->name);
	json_member_str(j, "verdict", health_verdict_name(c->verdict));
	json_member_str(j, "finding", c->finding);
	json_member_str(j, "next", c->next);
	json_end_object(j);
}
