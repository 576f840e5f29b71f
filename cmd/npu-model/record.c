// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/json.h"
#include "cmd.h"
#include "folder.h"
#include "record.h"
#include "relative.h"
#include "serving/json_in.h"

/* The record while it is written.  One name suffices: the writer has the lock,
 * and what a killed writer left is written over. */
#define NEW_NAME RECORD_NAME ".new"

enum { TEXT_LONGEST = 8192 };

/* ---- Entries ------------------------------------------------------------- */

static void
entry_free(struct record_entry *e)
{
	free(e->file);
	free(e->source);
	free(e->etag);
	free(e->date);
}

void
record_free(struct record *r)
{
	for (size_t i = 0; i < r->n; i++)
		entry_free(&r->entry[i]);
	free(r->entry);
	*r = (struct record){ 0 };
}

static struct record_entry *
find(const struct record *r, const char *file)
{
	for (size_t i = 0; i < r->n; i++)
		if (strcmp(r->entry[i].file, file) == 0)
			return &r->entry[i];
	return NULL;
}

const struct record_entry *
record_find(const struct record *r, const char *file)
{
	return find(r, file);
}

/* ---- Reading ------------------------------------------------------------- */

/* Returns a copy of a member that is a string; NULL if it is missing or null.
 * Fails for other values and for texts that are too long. */
static int
take_text(const struct json_in *v, const char *key, char **text,
    struct npu_err *err)
{
	const struct json_in *m = json_in_member(v, key);
	struct bytes s = json_in_string(m);

	if (json_in_kind(m) == IN_MISSING || json_in_kind(m) == IN_NULL)
		return 0;
	if (json_in_kind(m) != IN_STRING)
		return npu_fail(err, NPU_EFORMAT, "%s is %s, not a string", key,
		    json_in_kind_name(m));
	if (s.n > TEXT_LONGEST)
		return npu_fail(err, NPU_EFORMAT, "%s has %zu bytes, more than "
		    "%d", key, s.n, TEXT_LONGEST);
	*text = cmd_copy((const char *)s.p);
	cmd_printable(*text, s.n);
	return 0;
}

/* Sets *number to a member that is a whole number, 0 if it is missing. */
static int
take_number(const struct json_in *v, const char *key, int64_t *number,
    struct npu_err *err)
{
	const struct json_in *m = json_in_member(v, key);

	*number = 0;
	if (json_in_kind(m) == IN_MISSING || json_in_kind(m) == IN_NULL)
		return 0;
	if (!json_in_integer(m, number) || *number < 0)
		return npu_fail(err, NPU_EFORMAT, "%s is not a whole number "
		    "from 0", key);
	return 0;
}

/* Checks the name of a file before it is used or shown. */
static int
check_file(const struct json_in *v, struct npu_err *err)
{
	struct bytes s = json_in_string(json_in_member(v, "file"));
	const char *fault;

	if (s.p == NULL)
		return npu_fail(err, NPU_EFORMAT, "file is not a string");
	fault = relative_fault((const char *)s.p, s.n);
	return fault != NULL ? npu_fail(err, NPU_EFORMAT, "file: the path %s",
	    fault) : 0;
}

static int
check_sum(struct record_entry *e, const struct json_in *v, struct npu_err *err)
{
	struct bytes s = json_in_string(json_in_member(v, "sha256"));

	if (s.p == NULL || !sum_parse(&e->sum, (const char *)s.p, s.n))
		return npu_fail(err, NPU_EFORMAT, "sha256 is not a text of 64 "
		    "hexadecimal digits");
	return 0;
}

static int
parse_entry(struct record_entry *e, const struct json_in *v,
    struct npu_err *err)
{
	int64_t size;
	int rc;

	if (json_in_kind(v) != IN_OBJECT)
		return npu_fail(err, NPU_EFORMAT, "%s, not an object",
		    json_in_kind_name(v));
	if ((rc = check_file(v, err)) < 0 ||
	    (rc = check_sum(e, v, err)) < 0 ||
	    (rc = take_number(v, "size_bytes", &size, err)) < 0 ||
	    (rc = take_number(v, "modified_ns", &e->modified_ns, err)) < 0)
		return rc;
	e->size = (uint64_t)size;
	if ((rc = take_text(v, "file", &e->file, err)) < 0 ||
	    (rc = take_text(v, "source", &e->source, err)) < 0 ||
	    (rc = take_text(v, "etag", &e->etag, err)) < 0)
		return rc;
	return take_text(v, "date", &e->date, err);
}

static int
parse_entries(struct record *r, const struct json_in *list,
    struct npu_err *err)
{
	size_t n = json_in_length(list);
	int rc;

	if (json_in_kind(list) != IN_LIST)
		return npu_fail(err, NPU_EFORMAT, "files is %s, not a list",
		    json_in_kind_name(list));
	if (n > RECORD_MOST)
		return npu_fail(err, NPU_EFORMAT, "%zu files, more than %d", n,
		    RECORD_MOST);
	r->entry = cmd_alloc((n + 1) * sizeof(*r->entry));
	while (r->n < n) {
		/* Counted first: record_free() frees a part of it as well. */
		struct record_entry *e = &r->entry[r->n++];

		rc = parse_entry(e, json_in_at(list, r->n - 1), err);
		if (rc < 0)
			return npu_prefix(err, rc, "file %zu", r->n);
	}
	return 0;
}

int
record_parse(struct record *r, struct bytes text, struct npu_err *err)
{
	struct json_in *v = json_in_parse(text, RECORD_MOST * 8 + 8, err);
	struct bytes schema = json_in_string(json_in_member(v, "schema"));
	int rc;

	*r = (struct record){ 0 };
	if (v == NULL)
		return err->code;
	if (schema.p == NULL ||
	    strcmp((const char *)schema.p, RECORD_SCHEMA) != 0)
		rc = npu_fail(err, NPU_EFORMAT, "its schema is not "
		    RECORD_SCHEMA);
	else
		rc = parse_entries(r, json_in_member(v, "files"), err);
	json_in_free(v);
	return rc;
}

int
record_read(struct record *r, const char *folder, struct npu_err *err)
{
	char *path = folder_join(folder, RECORD_NAME);
	struct buf text = { 0 };
	int rc = 0;

	*r = (struct record){ 0 };
	if (access(path, F_OK) == 0 || errno != ENOENT) {
		rc = file_load(path, RECORD_LARGEST, &text, err);
		if (rc == 0)
			rc = record_parse(r, (struct bytes){ (void *)text.p,
			    text.n }, err);
	}
	if (rc < 0 && err->code == NPU_EFORMAT) {
		char reason[300];

		snprintf(reason, sizeof(reason), "%.299s", err->msg);
		npu_fail(err, NPU_EFORMAT, "%s: %s; move it away to begin a "
		    "new record", path, reason);
	} else if (rc < 0) {
		npu_prefix(err, rc, "%s", path);
	}
	if (rc < 0)
		record_free(r);
	buf_free(&text);
	free(path);
	return rc;
}

/* ---- Writing ------------------------------------------------------------- */

static void
put_text(struct json *j, const char *key, const char *s)
{
	json_key(j, key);
	json_str(j, s);
}

static void
put_entry(struct json *j, const struct record_entry *e)
{
	json_object(j);
	put_text(j, "file", e->file);
	put_text(j, "source", e->source);
	json_member_uint(j, "size_bytes", e->size);
	put_text(j, "sha256", e->sum.text);
	put_text(j, "etag", e->etag);
	put_text(j, "date", e->date);
	json_key(j, "modified_ns");
	json_int(j, e->modified_ns);
	json_end_object(j);
}

static void
put_record(struct buf *b, const struct record *r)
{
	struct json j = { .pretty = true };

	json_object(&j);
	put_text(&j, "schema", RECORD_SCHEMA);
	json_key(&j, "files");
	json_array(&j);
	for (size_t i = 0; i < r->n; i++)
		put_entry(&j, &r->entry[i]);
	json_end_array(&j);
	json_end_object(&j);
	buf_puts(&j.out, "\n");
	*b = j.out;
	cmd_check_buf(b);
}

/* Writes all bytes; sets errno. */
static bool
write_all(int fd, const char *p, size_t n)
{
	ssize_t k;

	for (; n > 0; p += k, n -= (size_t)k) {
		k = write(fd, p, n);
		if (k < 0 && errno == EINTR)
			k = 0;
		else if (k < 0)
			return false;
	}
	return true;
}

/* Writes a new file at path, and its bytes to the disk; sets errno. */
static bool
write_new(const char *path, const struct buf *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW |
	    O_CLOEXEC, 0666), saved;
	bool done;

	if (fd < 0)
		return false;
	done = write_all(fd, text->p, text->n) && fsync(fd) == 0;
	saved = errno;
	if (close(fd) < 0 && done)
		return false;
	errno = saved;
	return done;
}

/* Replaces the record of the folder, which is also open as dir; sets errno. */
static bool
replace(int dir, const char *folder, const struct buf *text)
{
	char *new = folder_join(folder, NEW_NAME);
	char *path = folder_join(folder, RECORD_NAME);
	bool done = write_new(new, text) && rename(new, path) == 0;
	int saved = errno;

	if (!done)
		unlink(new);
	free(new);
	free(path);
	errno = saved;
	/* Without fsync(), a crash of the machine may bring the old record
	 * back.  Some file systems do not have it for folders. */
	return done && (fsync(dir) == 0 || errno == EINVAL || errno == EROFS);
}

/* ---- Changing ------------------------------------------------------------ */

/* Opens the folder and locks it; -1 with *err. */
static int
lock_folder(const char *folder, struct npu_err *err)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	while (fd >= 0 && flock(fd, LOCK_EX) < 0) {
		if (errno == EINTR && cmd_stop == 0)
			continue;
		int saved = errno;

		close(fd);
		errno = saved;
		fd = -1;
	}
	if (fd < 0)
		npu_fail(err, NPU_ESYSTEM, "%s: cannot lock the folder: %s",
		    folder, strerror(errno));
	return fd;
}

static char *
copy_or_null(const char *s)
{
	return s != NULL ? cmd_copy(s) : NULL;
}

/* Fills in what record_add() knows better than its caller. */
static void
stamp(struct record_entry *e, const char *folder)
{
	char *path = folder_join(folder, e->file), date[32];
	time_t now = time(NULL);
	struct stat st;
	struct tm tm;

	if (stat(path, &st) == 0)
		e->modified_ns = (int64_t)st.st_mtim.tv_sec * 1000000000 +
		    st.st_mtim.tv_nsec;
	gmtime_r(&now, &tm);
	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", &tm);
	e->date = cmd_copy(date);
	free(path);
}

static void
put_in(struct record *r, const char *folder, const struct record_entry *e)
{
	struct record_entry *old = find(r, e->file);
	struct record_entry own = { .file = cmd_copy(e->file),
	    .source = copy_or_null(e->source), .etag = copy_or_null(e->etag),
	    .size = e->size, .sum = e->sum };

	stamp(&own, folder);
	if (old != NULL) {
		entry_free(old);
		*old = own;
		return;
	}
	r->entry[r->n++] = own;
}

static void
take_out(struct record *r, const char *file)
{
	struct record_entry *e = find(r, file);

	if (e == NULL)
		return;
	entry_free(e);
	memmove(e, e + 1, (size_t)(r->entry + r->n - (e + 1)) * sizeof(*e));
	r->n--;
}

/* Reads the record, adds n entries and removes the entry of gone, and writes
 * it; the lock is held. */
static int
change_locked(int dir, const char *folder, const struct record_entry *e,
    size_t n, const char *gone, struct npu_err *err)
{
	struct buf text = { 0 };
	struct record r;
	int rc;

	if ((rc = record_read(&r, folder, err)) < 0)
		return rc;
	r.entry = cmd_realloc(r.entry, (r.n + n + 1) * sizeof(*r.entry));
	for (size_t i = 0; i < n; i++)
		put_in(&r, folder, &e[i]);
	if (gone != NULL)
		take_out(&r, gone);
	if (r.n > RECORD_MOST) {
		rc = npu_fail(err, NPU_EFORMAT, "%s/%s: it would have more "
		    "than %d files; use another folder", folder, RECORD_NAME,
		    RECORD_MOST);
	} else {
		put_record(&text, &r);
		if (!replace(dir, folder, &text))
			rc = npu_fail(err, NPU_ESYSTEM, "%s/%s: %s", folder,
			    RECORD_NAME, strerror(errno));
	}
	buf_free(&text);
	record_free(&r);
	return rc;
}

static int
change(const char *folder, const struct record_entry *e, size_t n,
    const char *gone, struct npu_err *err)
{
	int dir = lock_folder(folder, err), rc;

	if (dir < 0)
		return NPU_ESYSTEM;
	rc = change_locked(dir, folder, e, n, gone, err);
	close(dir);
	return rc;
}

int
record_add(const char *folder, const struct record_entry *e, size_t n,
    struct npu_err *err)
{
	return change(folder, e, n, NULL, err);
}

int
record_remove(const char *folder, const char *file, struct npu_err *err)
{
	return change(folder, NULL, 0, file, err);
}
