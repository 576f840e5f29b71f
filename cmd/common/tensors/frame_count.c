// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>
#include <unistd.h>

#include "frame_count.h"
#include "stream.h"

/* Returns the name of a regular file that can be opened without moving the
 * position of stdin; else NULL. */
static const char *
second_name(const char *path, struct stat *st)
{
	const bool is_stdin = path == NULL || cmd_is_dash(path);

	if (is_stdin && lseek(STDIN_FILENO, 0, SEEK_CUR) != 0)
		return NULL;
	if (is_stdin)
		path = "/proc/self/fd/0";
	return stat(path, st) == 0 && S_ISREG(st->st_mode) ? path : NULL;
}

/* Moves to the last tensor of the first frame. */
static bool
read_first(struct stream *s, uint32_t inputs)
{
	for (uint32_t i = 0; i < inputs; i++)
		if (stream_next(s, NULL) <= 0)
			return false;
	return true;
}

static uint64_t
count_in(const char *path, const struct npu_tensor *input, uint32_t inputs)
{
	uint64_t n = 0, used, batch = 1;
	struct npu_err err;
	struct stream s;
	struct stat st;

	if ((path = second_name(path, &st)) == NULL ||
	    stream_try_open(&s, path, &err) < 0)
		return 0;
	stream_frames(&s, input, (uint16_t)inputs);
	if (s.archive == NULL && read_first(&s, inputs)) {
		used = s.total + s.left;
		if (inputs == 1 && input->size > 0 && s.left > input->size)
			batch = s.left / input->size;
		n = (uint64_t)st.st_size / used * batch;
	}
	stream_close(&s);
	return n;
}

uint64_t
frame_count(char *const *files, int n, const struct npu_tensor *input,
    uint32_t inputs)
{
	uint64_t all = 0, some = 1;

	for (int i = 0; i < n && some > 0; i++)
		all += some = count_in(files[i], input, inputs);
	return some > 0 ? all : 0;
}
