// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "origin.h"
#include "pipe_claim.h"

static char *demo, *emulator;	/* the texts to print; NULL: nothing to print */
static bool expected, emulator_noted, emulator_is_ours;

void
origin_expect_emulator(void)
{
	expected = true;
}

/*
 * Claim both notes at once.  Otherwise a later program of the pipeline, which
 * only reads the model's file, could claim one.  If several programs may print
 * both, one does.
 */
void
origin_demo_model(const char *path)
{
	static bool noted;	/* the first of two models is enough */
	const char *slash = strrchr(path, '/');

	if (cmd_quiet || noted)
		return;
	noted = true;
	if (expected && !pipe_claim("both")) {
		emulator_noted = true;
		return;
	}
	if (expected)
		emulator_is_ours = pipe_claim("emulator");
	if (pipe_claim("demo"))
		demo = cmd_copy(slash != NULL ? slash + 1 : path);
}

void
origin_emulator(const char *line)
{
	if (cmd_quiet || emulator_noted)
		return;
	emulator_noted = true;
	if (emulator_is_ours || pipe_claim("emulator"))
		emulator = cmd_copy(line);
}

void
origin_print(void)
{
	if (demo != NULL && emulator != NULL)
		cmd_note("emulator, demo model %s", demo);
	else if (demo != NULL)
		cmd_note("demo model %s", demo);
	else if (emulator != NULL)
		cmd_note("%s", emulator);
	free(demo);
	free(emulator);
	demo = emulator = NULL;
}
