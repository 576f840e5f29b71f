// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "cmd.h"
#include "origin.h"

static char *demo, *emulator;	/* the texts to print; NULL: nothing to print */
static bool expected, emulator_noted, emulator_is_ours;

/*
 * Binds a socket to a name in the abstract namespace: only one program can bind
 * a name, which is not a file and is free again when the program ends in any
 * way.  The socket is therefore left open.
 */
bool
origin_is_first(const char *what)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	struct stat st;
	socklen_t n;
	int fd;

	if (fstat(STDERR_FILENO, &st) < 0)
		return true;
	n = (socklen_t)snprintf(a.sun_path + 1, sizeof(a.sun_path) - 1,
	    "npu-utils/%s/%jd/%jx/%jx", what, (intmax_t)getpgrp(),
	    (uintmax_t)st.st_dev, (uintmax_t)st.st_ino);
	if ((fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) < 0)
		return true;
	n += (socklen_t)offsetof(struct sockaddr_un, sun_path) + 1;
	if (bind(fd, (struct sockaddr *)&a, n) == 0)
		return true;
	n = errno == EADDRINUSE;
	close(fd);
	return n == 0;
}

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
	if (expected && !origin_is_first("both")) {
		emulator_noted = true;
		return;
	}
	if (expected)
		emulator_is_ours = origin_is_first("emulator");
	if (origin_is_first("demo"))
		demo = cmd_copy(slash != NULL ? slash + 1 : path);
}

void
origin_emulator(const char *line)
{
	if (cmd_quiet || emulator_noted)
		return;
	emulator_noted = true;
	if (emulator_is_ours || origin_is_first("emulator"))
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
