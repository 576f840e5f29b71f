// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/json.h"
#include "cmd.h"
#include "part.h"
#include "part_file.h"
#include "serving/json_in.h"

#define SCHEMA "npu-model-part/1"

enum { NOTE_LARGEST = 4096 };

static int
fail(const char *name, struct npu_err *err)
{
	return npu_fail(err, NPU_ESYSTEM, "%s: %s", name, strerror(errno));
}

void
part_close(struct part_file *p)
{
	if (p->fd >= 0)
		close(p->fd);
	free(p->name);
	free(p->note_name);
	*p = (struct part_file){ .fd = -1 };
}

/* ---- The note ------------------------------------------------------------ */

/* Takes what a note says.  One that is damaged says nothing: the fetch then
 * starts over. */
static void
parse_note(struct part_note *note, struct bytes text)
{
	struct json_in *v = json_in_parse(text, 64, NULL);
	struct bytes etag = json_in_string(json_in_member(v, "etag"));
	struct bytes sum = json_in_string(json_in_member(v, "sha256"));

	if (etag.p != NULL && etag.n < sizeof(note->etag))
		memcpy(note->etag, etag.p, etag.n + 1);
	if (sum.p != NULL)
		sum_parse(&note->sum, (const char *)sum.p, sum.n);
	note->whole = json_in_true(json_in_member(v, "whole"));
	json_in_free(v);
}

static void
read_note(struct part_file *p)
{
	struct buf b = { 0 };

	if (file_load(p->note_name, NOTE_LARGEST, &b, NULL) == 0)
		parse_note(&p->note, (struct bytes){ (void *)b.p, b.n });
	buf_free(&b);
}

static void
put_note(struct buf *b, const struct part_note *note)
{
	struct json j = { 0 };

	json_object(&j);
	json_member_str(&j, "schema", SCHEMA);
	json_member_str(&j, "etag", note->etag);
	json_member_str(&j, "sha256", note->sum.text);
	json_key(&j, "whole");
	json_bool(&j, note->whole);
	json_end_object(&j);
	buf_puts(&j.out, "\n");
	*b = j.out;
	cmd_check_buf(b);
}

/* Replaces the note; a fetch that is killed leaves the old or the new one. */
static int
write_note(const struct part_file *p, struct npu_err *err)
{
	char *name = cmd_text("%s.new", p->note_name);
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW |
	    O_CLOEXEC, 0666), rc = 0;
	struct buf b;

	put_note(&b, &p->note);
	if (fd < 0 || write(fd, b.p, b.n) != (ssize_t)b.n ||
	    rename(name, p->note_name) < 0)
		rc = fail(name, err);
	if (fd >= 0)
		close(fd);
	if (rc < 0)
		unlink(name);
	buf_free(&b);
	free(name);
	return rc;
}

/* ---- Opening ------------------------------------------------------------- */

static int
lock(const struct part_file *p, const char *path, struct npu_err *err)
{
	if (flock(p->fd, LOCK_EX | LOCK_NB) == 0)
		return 0;
	if (errno == EWOULDBLOCK) {
		cmd_note("%s: waiting for another fetch of this file", path);
		while (flock(p->fd, LOCK_EX) < 0)
			if (errno != EINTR)
				return fail(p->name, err);
		return 0;
	}
	return fail(p->name, err);
}

/* Returns 0 if the file that is open still has its name, 1 if it has not. */
static int
check_name(const struct part_file *p, struct stat *st, struct npu_err *err)
{
	struct stat named;

	if (fstat(p->fd, st) < 0)
		return fail(p->name, err);
	if (lstat(p->name, &named) < 0)
		return errno == ENOENT ? 1 : fail(p->name, err);
	return st->st_dev != named.st_dev || st->st_ino != named.st_ino;
}

int
part_open(struct part_file *p, const char *path, struct npu_err *err)
{
	struct stat st;
	int rc;

	*p = (struct part_file){ .name = part_name(path),
	    .note_name = part_note_name(path) };
	p->fd = open(p->name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (p->fd < 0)
		rc = fail(p->name, err);
	else if ((rc = lock(p, path, err)) == 0)
		rc = check_name(p, &st, err);
	if (rc != 0) {
		part_close(p);
		return rc;
	}
	p->size = (uint64_t)st.st_size;
	read_note(p);
	return 0;
}

/* ---- Writing ------------------------------------------------------------- */

int
part_begin(struct part_file *p, const struct part_note *note,
    struct npu_err *err)
{
	/* First the bytes go, then the note that describes them. */
	if (ftruncate(p->fd, 0) < 0)
		return fail(p->name, err);
	p->size = 0;
	p->note = *note;
	return write_note(p, err);
}

int
part_append(struct part_file *p, const void *bytes, size_t n,
    struct npu_err *err)
{
	const char *from = bytes;
	ssize_t k;

	for (; n > 0; from += k, n -= (size_t)k, p->size += (uint64_t)k) {
		k = pwrite(p->fd, from, n, (off_t)p->size);
		if (k < 0 && errno == EINTR)
			k = 0;
		else if (k < 0)
			return fail(p->name, err);
	}
	return 0;
}

int
part_is_whole(struct part_file *p, struct npu_err *err)
{
	p->note.whole = true;
	return write_note(p, err);
}

void
part_drop(struct part_file *p)
{
	unlink(p->name);
	unlink(p->note_name);
}

/* ---- The end ------------------------------------------------------------- */

static int
rename_part(const char *from, const char *to, bool replace)
{
	if (replace)
		return rename(from, to);
	if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
		return 0;
	/* Some file systems cannot do this. */
	if (errno != EINVAL && errno != ENOSYS)
		return -1;
	if (access(to, F_OK) == 0) {
		errno = EEXIST;
		return -1;
	}
	return rename(from, to);
}

/* Without this, a crash of the machine may undo the rename. */
static void
sync_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder = cmd_text("%.*s", slash == NULL ? 1 : slash == path ? 1 :
	    (int)(slash - path), slash == NULL ? "." : path);
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
	free(folder);
}

int
part_finish(struct part_file *p, const char *path, bool replace,
    struct npu_err *err)
{
	if (fsync(p->fd) < 0)
		return fail(p->name, err);
	if (rename_part(p->name, path, replace) < 0)
		return fail(path, err);
	sync_folder(path);
	unlink(p->note_name);
	return 0;
}
