// SPDX-License-Identifier: Apache-2.0
/* lint_path.c - finds a file that a configuration names. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "lint.h"

char *
lint_path(const struct lint *l, const char *name)
{
	const char *slash = strrchr(l->path, '/');
	char *beside;

	if (*name == '/' || slash == NULL || access(name, F_OK) == 0)
		return cmd_copy(name);
	beside = cmd_text("%.*s%s", (int)(slash - l->path + 1), l->path, name);
	if (access(beside, F_OK) == 0)
		return beside;
	free(beside);
	return cmd_copy(name);
}
