// SPDX-License-Identifier: Apache-2.0
/* target.c - the NPU for which the builder makes code. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cmd.h"
#include "config_parts.h"

/* The same names in Compass_Onnxruntime and in guide 000. */
static const char *const ours[] = { "X2_1204MP3", "X2_1204", "npu" };
static const char *const others[] = { "Z1", "Z2", "Z3", "Z4", "Z5", "X1",
    "X3" };

/* Returns whether the target is of this family, such as Z3 or Z3_1204. */
static bool
is_family(const char *target, const char *family)
{
	size_t n = strlen(family);

	return strncasecmp(target, family, n) == 0 && (target[n] == '\0' ||
	    target[n] == '_' || target[n] == 'P' || target[n] == 'S');
}

static char *
why_not(const char *target)
{
	char *shown, *text = NULL;

	shown = shown_text(target, strlen(target));
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (text == NULL && is_family(target, others[i]))
			text = cmd_text("%s is another NPU's target: the "
			    "kernel gate refuses operators ('Unsupport node "
			    "type: Convolution'), or the board refuses the "
			    "model", shown);
	if (text == NULL)
		text = cmd_text("'%s' is not a target of this NPU", shown);
	free(shown);
	return text;
}

void
check_target(struct lint *l, const char *where, unsigned line,
    const char *target)
{
	for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++)
		if (strcmp(target, ours[i]) == 0)
			return;
	findings_add(&l->findings, RULE_TARGET, LEVEL_ERROR, line,
	    cmd_copy(where), why_not(target), cmd_copy("write X2_1204MP3 for "
	    "the three cores of this NPU, or X2_1204 for one"));
}

void
check_target_option(struct lint *l)
{
	if (l->o->target != NULL)
		check_target(l, "--target", 0, l->o->target);
}
