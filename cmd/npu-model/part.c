// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "cmd.h"
#include "part.h"

static char *
hidden(const char *path, const char *end)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash != NULL ? slash + 1 : path;

	return cmd_text("%.*s.%s%s", (int)(name - path), path, name, end);
}

char *
part_name(const char *path)
{
	return hidden(path, PART_END);
}

char *
part_note_name(const char *path)
{
	return hidden(path, PART_NOTE_END);
}

static bool
ends_with(const char *name, const char *end)
{
	size_t n = strlen(name), k = strlen(end);

	/* A '.' in front, and a name in between. */
	return n > k + 1 && strcmp(name + n - k, end) == 0;
}

bool
part_is_name(const char *name)
{
	return name[0] == '.' &&
	    (ends_with(name, PART_END) || ends_with(name, PART_NOTE_END));
}

/* Removes the part, whose lock is held, and its note. */
static int
remove_both(const char *part)
{
	char *note = cmd_text("%s%s", part, ".json");
	int rc = 1;

	if ((unlink(note) < 0 && errno != ENOENT) ||
	    (unlink(part) < 0 && errno != ENOENT))
		rc = -1;
	free(note);
	return rc;
}

int
part_remove(const char *part)
{
	int fd = open(part, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	int rc, saved;

	/* A link has no lock: a fetch never makes one. */
	if (fd < 0)
		return errno == ENOENT || errno == ELOOP ? remove_both(part) :
		    -1;
	if (flock(fd, LOCK_EX | LOCK_NB) == 0)
		rc = remove_both(part);
	else
		rc = errno == EWOULDBLOCK ? 0 : -1;
	saved = errno;
	close(fd);
	errno = saved;
	return rc;
}
