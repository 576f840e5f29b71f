// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/err.h"
#include "cmd.h"
#include "fetch.h"
#include "part_file.h"
#include "store.h"

enum {
	/* An answer of the wrong size is read if it is as small as this, to
	 * say what it is. */
	SMALL_ANSWER = 1 << 20,
};

#define LARGEST (UINT64_C(1) << 40)	/* bytes in a file of unknown size */

/* One fetch at work. */
struct fetch_work {
	struct fetch *f;
	const struct fetch_options *options;
	struct part_file part;
	uint64_t limit;		/* bytes that the part may have */
	bool replace;		/* path may be replaced */
	bool continued;		/* bytes are from an earlier run */
	bool asked_rest;	/* the last request began at part.size */
};

void
fetch_free(struct fetch *f)
{
	free(f->url);
	free(f->shown);
	free(f->file);
	free(f->path);
}

static bool
is_known(const struct sum *sum)
{
	return sum->text[0] != '\0';
}

static bool
is_same(const struct sum *a, const struct sum *b)
{
	return strcmp(a->text, b->text) == 0;
}

/* Looks at a file's content; the NPU that is asked there takes one question at
 * a time. */
static int
look(struct content *c, const struct fetch *f, int fd, struct npu_err *err)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	int rc;

	pthread_mutex_lock(&lock);
	rc = content_look_file(c, f->file, fd, err);
	pthread_mutex_unlock(&lock);
	return rc;
}

/* ---- A file that is here ------------------------------------------------- */

/* A pointer stands for the file that is fetched, and names its sum. */
static void
take_pointer(struct fetch_work *w, const struct content *c)
{
	struct fetch *f = w->f;

	w->replace = true;
	if (is_known(&f->sum) || !is_known(&c->sum))
		return;
	f->sum = c->sum;
	f->size = c->size;
	f->has_size = true;
	f->known_by = "the Git LFS pointer";
}

/* Sets sum and size from the record, if the file has not changed since it was
 * recorded. */
static bool
is_recorded(struct fetch *f, const struct record *r)
{
	const struct record_entry *e = record_find(r, f->file);

	if (e == NULL || !store_is_unchanged(f->path, e))
		return false;
	f->got = e->sum;
	f->got_size = e->size;
	return true;
}

static int
add_record(const struct fetch_work *w)
{
	const struct fetch *f = w->f;
	struct record_entry e = { .file = f->file, .source = f->shown,
	    .etag = f->etag[0] != '\0' ? (char *)f->etag : NULL,
	    .size = f->got_size, .sum = f->got };

	return record_add(w->options->folder, &e, 1, &w->f->err);
}

/* Compares the sum of the file that is here with the known sum. */
static int
compare_existing(struct fetch_work *w, int fd)
{
	struct fetch *f = w->f;
	struct stat st;
	int rc;

	if (fstat(fd, &st) < 0)
		return npu_fail(&f->err, NPU_ESYSTEM, "%s", strerror(errno));
	if (!is_recorded(f, w->options->record) || !is_same(&f->got, &f->sum)) {
		if ((rc = sum_file(&f->got, fd, NULL, &f->err)) < 0)
			return rc;
		f->got_size = (uint64_t)st.st_size;
		if (is_same(&f->got, &f->sum) && (rc = add_record(w)) < 0)
			return rc;
	}
	if (is_same(&f->got, &f->sum))
		return 1;
	w->replace = true;
	return w->options->force ? 0 : npu_fail(&f->err, NPU_EUSAGE,
	    "is here, but its sha256 is %.12s..., not the %.12s... of %s; "
	    "--force replaces it", f->got.text, f->sum.text, f->known_by);
}

/* Decides about a file that is here if its sum is not known. */
static int
judge_existing(struct fetch_work *w)
{
	struct fetch *f = w->f;

	w->replace = true;
	if (w->options->force)
		return 0;
	if (is_recorded(f, w->options->record) || w->options->trust)
		return 1;
	return npu_fail(&f->err, NPU_EUSAGE, "is here, and no sum is known to "
	    "check it with; give --sha256, or replace it with --force");
}

/* Decides about a path that cannot be opened, with the reason in errno. */
static int
judge_unopened(struct fetch_work *w)
{
	struct fetch *f = w->f;
	struct stat st;

	if (errno != ENOENT)
		return npu_fail(&f->err, NPU_ESYSTEM, "%s", strerror(errno));
	w->replace = w->options->force;
	/* Another fetch may have brought the file since. */
	if (w->replace || lstat(f->path, &st) < 0 || !S_ISLNK(st.st_mode))
		return 0;
	return npu_fail(&f->err, NPU_EUSAGE, "is a symbolic link to a file "
	    "that does not exist; --force replaces the link");
}

/* Returns 1 if the file is here, 0 if it is to be fetched. */
static int
check_existing(struct fetch_work *w)
{
	struct fetch *f = w->f;
	int fd = open(f->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), rc;
	struct content c;

	w->replace = false;
	if (fd < 0)
		return judge_unopened(w);
	if ((rc = look(&c, f, fd, &f->err)) == 0) {
		f->content = c;
		if (c.kind == CONTENT_POINTER)
			take_pointer(w, &c);
		else
			rc = is_known(&f->sum) ? compare_existing(w, fd) :
			    judge_existing(w);
	}
	close(fd);
	return rc;
}

/* ---- The transfer -------------------------------------------------------- */

/* Checks that the folder has room for the bytes up to total. */
static int
check_room(const struct fetch_work *w, uint64_t total, struct npu_err *err)
{
	struct statvfs vfs;
	uint64_t room;

	if (total <= w->part.size || fstatvfs(w->part.fd, &vfs) < 0)
		return 0;
	room = (uint64_t)vfs.f_bavail * vfs.f_frsize;
	if (room >= total - w->part.size)
		return 0;
	return npu_fail(err, NPU_ESYSTEM, "needs %" PRIu64 " bytes, and %.80s "
	    "has room for %" PRIu64 "; name another folder with -o",
	    total - w->part.size, w->options->folder, room);
}

/* Checks the size that the answer announces. */
static int
check_length(struct fetch_work *w, const struct response *r,
    struct npu_err *err)
{
	const struct fetch *f = w->f;
	uint64_t total;

	w->limit = f->has_size ? f->size : LARGEST;
	if (f->has_size && f->size < SMALL_ANSWER)
		w->limit = SMALL_ANSWER;
	if (r->length < 0)
		return 0;
	total = w->part.size + (uint64_t)r->length;
	if (f->has_size && total != f->size && r->length > SMALL_ANSWER)
		return npu_fail(err, NPU_EFORMAT, "the server announces %"
		    PRIu64 " bytes, not the %" PRIu64 " of %s", total, f->size,
		    f->known_by);
	if (!f->has_size)
		w->limit = total;
	return check_room(w, total, err);
}

/* Starts over: the server sends the file from its first byte. */
static int
start_over(struct fetch_work *w, const struct response *r, struct npu_err *err)
{
	struct part_note note = { .sum = w->f->sum };

	if (r != NULL)
		memcpy(note.etag, r->etag, sizeof(note.etag));
	w->continued = false;
	return part_begin(&w->part, &note, err);
}

static int
on_begin(void *arg, const struct response *r, struct npu_err *err)
{
	struct fetch_work *w = arg;
	struct fetch *f = w->f;
	int rc;

	if (!is_known(&f->sum) && is_known(&r->linked)) {
		f->sum = r->linked;
		f->known_by = "the hub";
	}
	if (r->status == 206 && (!w->asked_rest || r->end != r->total))
		return npu_fail(err, NPU_EFORMAT, "the server sends a piece of "
		    "the file, not %s", w->asked_rest ? "the rest" : "all"),
		    TRANSFER_RETRY;
	if (r->status == 206 && (r->offset != w->part.size ||
	    strcmp(r->etag, w->part.note.etag) != 0)) {
		rc = start_over(w, NULL, err);
		return rc < 0 ? rc : (npu_fail(err, NPU_EFORMAT, "the server "
		    "continues another file; starting over"), TRANSFER_RETRY);
	}
	if (r->status != 206 && (rc = start_over(w, r, err)) < 0)
		return rc;
	memcpy(f->etag, w->part.note.etag, sizeof(f->etag));
	return check_length(w, r, err);
}

static int
on_body(void *arg, const void *p, size_t n, struct npu_err *err)
{
	struct fetch_work *w = arg;
	int rc;

	if (w->part.size > w->limit || n > w->limit - w->part.size)
		return npu_fail(err, NPU_EFORMAT, "the server sends more than "
		    "the %" PRIu64 " bytes of %s", w->f->has_size ?
		    w->f->size : w->limit, w->f->has_size ? w->f->known_by :
		    "its announcement");
	if ((rc = part_append(&w->part, p, n, err)) < 0)
		return rc;
	atomic_store(&w->f->here, w->part.size);
	return 0;
}

/* True if the part has bytes of this file that the server can continue. */
static bool
can_continue(const struct fetch_work *w)
{
	const struct part_file *p = &w->part;
	const struct fetch *f = w->f;

	if (p->size == 0 || p->note.etag[0] == '\0' ||
	    (is_known(&f->sum) && is_known(&p->note.sum) &&
	    !is_same(&f->sum, &p->note.sum)))
		return false;
	return !f->has_size || p->size < f->size;
}

/* True if the part seems to be the whole file: an earlier fetch ended before
 * its checks, or it had no sum to check. */
static bool
is_whole(const struct fetch_work *w)
{
	const struct part_file *p = &w->part;
	const struct fetch *f = w->f;

	if (is_known(&p->note.sum) && !is_same(&p->note.sum, &f->sum))
		return false;
	return p->note.whole || (f->has_size && is_known(&f->sum) &&
	    p->size == f->size);
}

static int
transfer_once(struct fetch_work *w, struct response *r)
{
	struct fetch *f = w->f;
	struct transfer_request q = { .url = f->url, .begin = on_begin,
	    .body = on_body, .arg = w };
	int rc;

	w->asked_rest = can_continue(w);
	if (w->asked_rest) {
		q.offset = w->part.size;
		q.etag = w->part.note.etag;
		w->continued = true;
	}
	rc = transfer_get(&q, &w->options->transfer, r, &f->err);
	if (rc < 0 && q.offset > 0 && r->status == 416)
		rc = start_over(w, NULL, &f->err) < 0 ? NPU_ESYSTEM :
		    TRANSFER_RETRY;
	return rc;
}

/* Fetches the bytes that the part lacks.  Bytes that arrived count as success:
 * only failures without progress use up the tries. */
static int
transfer(struct fetch_work *w)
{
	struct transfer_tries tries = { .options = &w->options->transfer };
	uint64_t most = w->part.size;
	struct response r;
	int rc;

	if (w->f->has_size &&
	    (rc = check_room(w, w->f->size, &w->f->err)) < 0)
		return rc;
	for (;;) {
		rc = transfer_once(w, &r);
		if (rc != TRANSFER_RETRY)
			return rc;
		if (w->part.size > most) {
			most = w->part.size;
			tries.failed = 0;
		}
		if (!transfer_again(&tries, &r, w->f->file, &w->f->err))
			return NPU_ESYSTEM;
	}
}

/* ---- Checks before the file gets its name -------------------------------- */

/* True if the content is bad, and not what the listing says the file is: a
 * known sum excuses an odd file, but not an odd model. */
static bool
is_excused(const struct fetch *f)
{
	return is_known(&f->sum) && is_same(&f->sum, &f->got) &&
	    content_can_be_meant(&f->content, f->file);
}

static int
check_bytes(struct fetch_work *w)
{
	struct fetch *f = w->f;
	int rc;

	if ((rc = look(&f->content, f, w->part.fd, &f->err)) < 0)
		return rc;
	if (lseek(w->part.fd, 0, SEEK_SET) < 0)
		return npu_fail(&f->err, NPU_ESYSTEM, "%s", strerror(errno));
	f->got_size = w->part.size;
	if ((rc = sum_file(&f->got, w->part.fd, NULL, &f->err)) < 0)
		return rc;
	if (!content_is_good(&f->content) && !is_excused(f))
		return npu_fail(&f->err, NPU_EFORMAT, "not kept: %s",
		    f->content.why);
	if (f->has_size && f->size != f->got_size)
		return npu_fail(&f->err, NPU_EFORMAT, "not kept: %" PRIu64
		    " bytes came, not the %" PRIu64 " of %s", f->got_size,
		    f->size, f->known_by);
	if (is_known(&f->sum) && !is_same(&f->sum, &f->got))
		return npu_fail(&f->err, NPU_EFORMAT, "not kept: its sha256 is "
		    "%.12s..., not the %.12s... of %s", f->got.text,
		    f->sum.text, f->known_by);
	return 0;
}

/* Gets the whole file into the part and checks it.  Bytes of an earlier run
 * that fail are not the last word: the file is fetched again from the start. */
static int
bring(struct fetch_work *w)
{
	int rc;

	for (;;) {
		w->continued = is_whole(w);
		if (!w->continued && (rc = transfer(w)) < 0)
			return rc;
		rc = check_bytes(w);
		if (rc != NPU_EFORMAT)
			return rc;
		if (!w->continued) {
			part_drop(&w->part);
			return rc;
		}
		cmd_note("%s: %s; starting over", w->f->file, w->f->err.msg);
		if ((rc = start_over(w, NULL, &w->f->err)) < 0)
			return rc;
	}
}

static int
finish(struct fetch_work *w)
{
	struct fetch *f = w->f;
	int rc;

	if (!is_known(&f->sum) && !w->options->trust) {
		f->state = FETCH_UNTRUSTED;
		return part_is_whole(&w->part, &f->err);
	}
	if ((rc = part_finish(&w->part, f->path, w->replace, &f->err)) < 0)
		return rc;
	f->state = FETCH_DONE;
	return add_record(w);
}

/* ---- One file ------------------------------------------------------------ */

/* Works on the part, whose lock is held. */
static int
work_on_part(struct fetch_work *w)
{
	int rc = check_existing(w);

	/* Another fetch may have brought the file before the lock was had. */
	if (rc == 1) {
		part_drop(&w->part);
		w->f->state = FETCH_HERE;
	}
	if (rc != 0)
		return rc < 0 ? rc : 0;
	atomic_store(&w->f->here, w->part.size);
	rc = bring(w);
	if (rc == 0)
		return finish(w);
	if (w->part.size == 0)
		part_drop(&w->part);
	return rc;
}

static int
fetch(struct fetch_work *w)
{
	int rc;

	do {
		rc = check_existing(w);
		if (rc == 1)
			w->f->state = FETCH_HERE;
		if (rc != 0)
			return rc;
		rc = part_open(&w->part, w->f->path, &w->f->err);
	} while (rc == 1);
	if (rc == 0)
		rc = work_on_part(w);
	part_close(&w->part);
	return rc;
}

void
fetch_file(struct fetch *f, const struct fetch_options *o)
{
	struct fetch_work w = { .f = f, .options = o, .part = { .fd = -1 } };

	f->state = FETCH_FAILED;
	if (fetch(&w) < 0)
		f->state = FETCH_FAILED;
}
