// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "cmd.h"
#include "transient_line.h"

#define BUFFER 65536

/* True if path is written in place: a rename onto a device, or onto a link to a
 * device, would replace it. */
static bool
in_place(const char *path)
{
	struct stat st;

	if (strncmp(path, "/proc/", 6) == 0 || (strncmp(path, "/dev/", 5) == 0
	    && strncmp(path, "/dev/shm/", 9) != 0))
		return true;
	return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

static char *
temporary_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t dir = slash != NULL ? (size_t)(slash - path) + 1 : 0;
	uint64_t r = 0;
	char *name;

	if (getrandom(&r, sizeof(r), GRND_NONBLOCK) != sizeof(r))
		r = (uint64_t)getpid();
	if (asprintf(&name, "%.*s.npu-%016llx", (int)dir, path,
	    (unsigned long long)r) < 0)
		cmd_die("out of memory");
	return name;
}

/* Makes a new file beside o->target, with the mode of the file that it will
 * replace. */
static void
open_temporary(struct output *o)
{
	struct temporary *t;
	struct stat st;

	cmd_refuse_input(o->path);
	if (stat(o->path, &st) < 0 && (errno != ENOENT || *o->path == '\0'))
		cmd_die("%s: %s", cmd_visible_name(o->path), strerror(errno));
	/* Get the entry in the list first: without it no file is made. */
	if ((t = temporary_new()) == NULL)
		cmd_die("out of memory: %zu bytes wanted", sizeof(*t));
	for (int tries = 0; tries < 100; tries++) {
		char *name = temporary_name(o->target);

		/*
		 * Set before the file is made: a handler may run right after.
		 */
		t->name = name;
		o->fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
		    0666);
		if (o->fd >= 0) {
			o->temporary = name;
			break;
		}
		t->name = NULL;
		free(name);
		if (errno != EEXIST)
			break;
	}
	if (o->fd < 0)
		cmd_die("%s: %s", o->path, strerror(errno));
	if (stat(o->target, &st) == 0)
		fchmod(o->fd, st.st_mode & 0777);
}

/* ---- Standard output -------------------------------------------------- */

static int stdout_fd = STDOUT_FILENO;	/* for data */
static int captured_fd = -1;		/* a file with the library's output */
enum { CAPTURED = 65536 };

int
cmd_claim_stdout(void)
{
	int fd, memory;

	if (stdout_fd != STDOUT_FILENO)
		return stdout_fd;
	fflush(stdout);
	if ((fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)) < 0)
		cmd_die("standard output: %s", strerror(errno));
	memory = memfd_create("printed", MFD_CLOEXEC);
	/* On an old kernel the library's output goes to stderr immediately. */
	if (dup2(memory >= 0 ? memory : STDERR_FILENO, STDOUT_FILENO) < 0)
		cmd_die("standard output: %s", strerror(errno));
	captured_fd = memory;
	stdout_fd = fd;
	return fd;
}

bool
cmd_stdout_is_terminal(void)
{
	return isatty(stdout_fd);
}

bool
cmd_is_stdout(const struct stat *st)
{
	struct stat out;

	return fstat(stdout_fd, &out) == 0 &&
	    out.st_dev == st->st_dev && out.st_ino == st->st_ino;
}

char *
cmd_captured(void)
{
	struct stat st;
	off_t from = 0;
	ssize_t n;
	char *p;

	if (captured_fd < 0)
		return NULL;
	fflush(stdout);
	if (fstat(captured_fd, &st) < 0 || st.st_size == 0)
		return NULL;
	if (st.st_size > CAPTURED)
		from = st.st_size - CAPTURED;
	p = cmd_alloc(CAPTURED + 1);
	n = pread(captured_fd, p, CAPTURED, from);
	p[n < 0 ? 0 : n] = '\0';
	/* Descriptor 1 shares the offset and also restarts at 0. */
	if (ftruncate(captured_fd, 0) < 0 ||
	    lseek(captured_fd, 0, SEEK_SET) < 0)
		cmd_die("standard output: %s", strerror(errno));
	return p;
}

/* ---- Opening and comparing -------------------------------------------- */

static void
open_stdout(struct output *o, bool refuse_terminal)
{
	o->fd = stdout_fd;
	o->path = NULL;
	if (refuse_terminal && isatty(o->fd))
		cmd_usage("output is binary and stdout is a terminal; "
		    "redirect it (> file), pipe it, or say '--output=-'");
}

/* True for any name of descriptor 1 as it was before cmd_claim_stdout(). */
static bool
is_stdout(const char *path)
{
	return path == NULL || cmd_is_dash(path) ||
	    strcmp(path, "/dev/stdout") == 0 ||
	    strcmp(path, "/dev/fd/1") == 0 ||
	    strcmp(path, "/proc/self/fd/1") == 0;
}

/* Calls stat() for the directory of a path; false if it does not exist. */
static bool
directory(const char *path, struct stat *st)
{
	const char *slash = strrchr(path, '/');
	char *name = slash == NULL ? cmd_copy(".") :
	    cmd_text("%.*s", (int)(slash - path) + 1, path);
	bool there = stat(name, st) == 0;

	free(name);
	return there;
}

static const char *
last_component(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

/* True if two names, with links followed, are the same file. */
static bool
same_target(const char *a, const char *b)
{
	struct stat s, t;

	if (is_stdout(a) || is_stdout(b))
		return is_stdout(a) && is_stdout(b);
	return strcmp(last_component(a), last_component(b)) == 0 &&
	    !in_place(a) && directory(a, &s) && directory(b, &t) &&
	    s.st_dev == t.st_dev && s.st_ino == t.st_ino;
}

bool
cmd_same_output(const char *a, const char *b)
{
	char *s = a != NULL ? file_target(a) : NULL;
	char *t = b != NULL ? file_target(b) : NULL;
	/* If links cannot be followed, opening the file reports the reason. */
	bool same = (s != NULL || a == NULL) && (t != NULL || b == NULL) &&
	    same_target(s, t);

	free(s);
	free(t);
	return same;
}

bool
cmd_output_appears(const char *path)
{
	char *target = path != NULL ? file_target(path) : NULL;
	/* If links cannot be followed, opening the file reports the reason. */
	bool appears = target != NULL && !is_stdout(path) &&
	    !is_stdout(target) && !in_place(target);

	free(target);
	return appears;
}

void
cmd_open_output(struct output *o, const char *path, bool binary)
{
	struct stat st;

	*o = (struct output){ .fd = -1, .path = path };
	if (path != NULL && (o->target = file_target(path)) == NULL)
		cmd_die("%s: %s", cmd_visible_name(path), strerror(errno));
	if (is_stdout(path) || is_stdout(o->target))
		open_stdout(o, binary && !cmd_is_dash(path));
	else if (!in_place(o->target))
		open_temporary(o);
	else if ((o->fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY |
	    O_CREAT | O_TRUNC, 0666)) < 0)
		cmd_die("%s: %s", cmd_visible_name(path), strerror(errno));
	/* Not cmd_alloc(): to zero the buffer would touch all of its pages. */
	o->buf = cmd_realloc(NULL, BUFFER);
	if (fstat(o->fd, &st) < 0)
		st.st_mode = 0;
	o->terminal = S_ISCHR(st.st_mode) && isatty(o->fd);
	o->record_flush = o->temporary == NULL && !S_ISREG(st.st_mode);
	fcntl(o->fd, F_SETPIPE_SZ, 1 << 20);	/* the same size as in
						   cmd_open_input() */
}

static _Noreturn void
write_error(const struct output *o, int e)
{
	if (o->path != NULL)
		cmd_die("%s: write error: %s", o->path, strerror(e));
	cmd_die("write error: %s", strerror(e));
}

/* Keeps or reports a write error, with the reason in errno. */
static bool
cannot_write(struct output *o)
{
	if (!o->threaded)
		write_error(o, errno);
	o->error = errno;
	return false;
}

void
cmd_check_output(const struct output *o)
{
	if (o->error != 0)
		write_error(o, o->error);
}

/* Records that output was cut here. */
static bool
cut(struct output *o)
{
	o->cut = true;
	return false;
}

static bool
write_all(struct output *o, const char *p, size_t n)
{
	ssize_t r;

	if (o->terminal)
		transient_line_hide();
	while (n > 0) {
		if (cmd_stop != 0)
			return cut(o);
		r = write(o->fd, p, n);
		if (r < 0 && errno == EINTR)
			continue;
		/* SIGPIPE was caught, and its handler has set cmd_stop. */
		if (r < 0 && errno == EPIPE && cmd_stop != 0)
			return cut(o);
		if (r < 0)
			return cannot_write(o);
		p += r;
		n -= (size_t)r;
	}
	return true;
}

static bool
flush(struct output *o)
{
	size_t n = o->n;

	o->n = o->whole = 0;
	return write_all(o, o->buf, n);
}

bool
cmd_write(struct output *o, const void *p, size_t n)
{
	if (n == 0)
		return true;	/* p may be NULL, which memcpy() does not
				   allow */
	if (n > BUFFER - o->n && !flush(o))
		return false;
	if (n >= BUFFER)
		return write_all(o, p, n);
	memcpy(o->buf + o->n, p, n);
	o->n += n;
	return true;
}

void
cmd_check_buf(const struct buf *b)
{
	if (b->failed)
		cmd_die("out of memory");
}

void
cmd_write_buf(struct output *o, struct buf *b)
{
	cmd_check_buf(b);
	cmd_write(o, b->p, b->n);
	buf_free(b);
}

bool
cmd_end_record(struct output *o)
{
	o->whole = o->n;
	return o->record_flush ? flush(o) : true;
}

void
cmd_mark_record(struct output *o)
{
	o->whole = o->n;
}

void
cmd_abandon_output(struct output *o)
{
	if (o->temporary == NULL && o->buf != NULL)
		write_all(o, o->buf, o->whole);
	o->n = o->whole = 0;
}

static void
abandon_on_exit(void *output)
{
	cmd_abandon_output(output);
}

void
cmd_abandon_output_on_exit(struct output *o)
{
	cmd_on_exit(abandon_on_exit, o);
}

/* Sync only files that will be renamed; EINVAL: not on a disk. */
static void
put_in_place(struct output *o)
{
	/* Inputs may have been opened since cmd_open_output(). */
	if (o->temporary != NULL)
		cmd_refuse_input(o->path);
	if (o->temporary != NULL && fsync(o->fd) < 0 && errno != EINVAL)
		write_error(o, errno);
	if (o->fd != STDOUT_FILENO && close(o->fd) < 0)
		write_error(o, errno);
	if (o->temporary != NULL && rename(o->temporary, o->target) < 0)
		write_error(o, errno);
}

void
cmd_close_output(struct output *o)
{
	flush(o);
	free(o->buf);
	o->buf = NULL;
	if (o->cut && o->temporary != NULL) {
		unlink(o->temporary);
		close(o->fd);
	} else {
		put_in_place(o);
	}
	if (o->temporary != NULL)
		temporary_forget(o->temporary);
	free(o->temporary);
	free(o->target);
	o->temporary = o->target = NULL;
	o->fd = -1;
}

void
cmd_write_document(const char *path, struct buf *b)
{
	struct output o;

	cmd_open_output(&o, path, false);
	cmd_write_buf(&o, b);
	cmd_close_output(&o);
}
