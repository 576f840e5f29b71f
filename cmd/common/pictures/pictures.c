// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "cmd.h"
#include "fd_source.h"
#include "pictures.h"

enum {
	NAME = 1 << 16,			/* most bytes of a name in a list */
	JPEG_LIMIT = 64 << 20,		/* most bytes of a picture in a
					   stream */
	PPM_LIMIT = 1 << 30,
	PPM_PIXEL = 18,			/* most bytes of a pixel: 65535 in
					   text */
};

/* ---- Options ----------------------------------------------------------- */

const char *const pictures_streams[] = { "mjpeg", "ppm", NULL };

static void
take_stream(struct pictures *p, const char *arg)
{
	p->streams = true;
	p->kind = (enum picture_stream_kind)
	    cmd_choice("--stream", arg, pictures_streams);
}

bool
pictures_option(struct pictures *p, int opt, const char *arg)
{
	switch (opt) {
	case '0':
		p->null = true;
		return true;
	case 'R':
		p->recursive = true;
		return true;
	case PICTURES_FILES_FROM:
		p->files_from = arg;
		return true;
	case PICTURES_MAX_PIXELS:
		p->max_pixels = (uint64_t)cmd_size("--max-pixels", arg, 1,
		    (int64_t)1 << 40);
		return true;
	case PICTURES_STREAM:
		take_stream(p, arg);
		return true;
	}
	return false;
}

static void
check(const struct pictures *p)
{
	unsigned readers = p->files_from != NULL && cmd_is_dash(p->files_from);

	if (p->streams && (p->recursive || p->files_from != NULL))
		cmd_usage("a stream is a file or stdin; leave --recursive, "
		    "--files-from and --null out");
	for (size_t i = 0; p->operands[i] != NULL; i++)
		readers += cmd_is_dash(p->operands[i]);
	if (readers > 1)
		cmd_usage("stdin can be read only once; name files for the "
		    "rest");
}

/* A user does not type pictures, or names that end with NUL. */
static void
check_terminal(const struct pictures *p)
{
	if (p->lone && isatty(STDIN_FILENO))
		cmd_usage("input is a terminal; name a picture, or redirect "
		    "one (< file)");
	if (p->null && p->files_from == NULL && isatty(STDIN_FILENO))
		cmd_usage("-0 reads a list of names, and input is a terminal; "
		    "redirect one (< list), or say --files-from");
}

void
pictures_open(struct pictures *p, char *const *operands)
{
	if (p->max_pixels == 0)
		p->max_pixels = PICTURE_MAX_PIXELS;
	p->operands = operands;
	p->lone = operands[0] == NULL && p->files_from == NULL && !p->null;
	p->fd = -1;
	check_terminal(p);
	if (p->null && p->files_from == NULL)
		p->files_from = "-";
	check(p);
	if (p->files_from == NULL)
		return;
	lines_open(&p->list, cmd_open_input(p->files_from),
	    cmd_input_name(p->files_from), p->null ? '\0' : '\n', NAME);
	p->list.pause = p->pause;
	p->list.arg = p->arg;
	p->listing = true;
}

/* ---- Names ------------------------------------------------------------- */

/* Before the program ends: lets the caller finish the pictures of earlier
 * names, whose results would otherwise be lost. */
static void
finish_earlier(const struct pictures *p)
{
	if (p->pause != NULL)
		p->pause(p->arg);
}

void
pictures_trim_cr(const struct lines *list, char *name)
{
	size_t n = strlen(name);

	if (list->delimiter == '\n' && n > 0 && name[n - 1] == '\r' &&
	    access(name, F_OK) < 0)
		name[n - 1] = '\0';
}

static bool
next_listed(struct pictures *p, const char **name)
{
	char *line;
	size_t n;

	while (p->listing && lines_next_name(&p->list, &line, &n)) {
		if (n == 0)
			continue;
		if (memchr(line, '\0', n) != NULL) {
			finish_earlier(p);
			cmd_die("%s: line %" PRIu64 ": a NUL in a name; "
			    "--null reads names that end with one",
			    p->list.name, p->list.number);
		}
		free(p->name);
		if ((p->name = strndup(line, n)) == NULL)
			cmd_die("out of memory");
		pictures_trim_cr(&p->list, p->name);
		if (p->name[0] == '\0')
			continue;
		*name = p->name;
		return true;
	}
	if (p->listing) {
		finish_earlier(p);
		lines_close(&p->list);
	}
	p->listing = false;
	return false;
}

/* Returns the next name of operands and list; stdin if both are missing. */
static bool
next_name(struct pictures *p, const char **name)
{
	if (p->lone) {
		p->lone = false;
		*name = "-";
		return true;
	}
	if (*p->operands != NULL) {
		*name = *p->operands++;
		return true;
	}
	return next_listed(p, name);
}

static void
file_item(struct picture_item *item, const char *path)
{
	*item = (struct picture_item){ .name = cmd_input_name(path),
	    .unnamed = cmd_is_dash(path), .path = path };
}

static void
error_item(struct pictures *p, struct picture_item *item, const char *name,
    const char *why)
{
	npu_fail(&p->err, NPU_ESYSTEM, "%s", why);
	*item = (struct picture_item){ .name = name, .error = p->err.msg };
}

static bool
next_in_tree(struct pictures *p, struct picture_item *item)
{
	const char *path, *why;

	if (!picture_tree_next(&p->tree, &path, &why))
		return false;
	if (why != NULL)
		error_item(p, item, path, why);
	else
		file_item(item, path);
	return true;
}

/* ---- Streams ----------------------------------------------------------- */

static int64_t
read_stream(void *arg, void *to, size_t n, struct npu_err *err)
{
	struct pictures *p = arg;
	struct pollfd poll_fd = { .fd = p->fd, .events = POLLIN };
	struct picture_source s = fd_source(&p->fd);

	if (p->pause != NULL && poll(&poll_fd, 1, 0) <= 0)
		p->pause(p->arg);
	return cmd_stop != 0 ? 0 : s.read(s.arg, to, n, err);
}

static int
open_stream(struct pictures *p, const char *path)
{
	uint64_t limit = JPEG_LIMIT;
	int rc;

	if (p->kind == PICTURE_STREAM_PPM)
		limit = p->max_pixels < PPM_LIMIT / PPM_PIXEL ?
		    p->max_pixels * PPM_PIXEL + 256 : PPM_LIMIT;
	p->stream_name = cmd_input_name(path);
	p->number = 0;
	if ((p->fd = fd_source_open(path, &p->err)) < 0)
		return p->fd;
	if ((rc = picture_stream_open(&p->stream, p->kind,
	    (struct picture_source){ read_stream, p }, limit, &p->err)) < 0) {
		fd_source_close(p->fd);
		p->fd = -1;
	}
	return rc;
}

static void
close_stream(struct pictures *p)
{
	picture_stream_close(p->stream);
	p->stream = NULL;
	if (p->fd >= 0)
		fd_source_close(p->fd);
	p->fd = -1;
}

/* Reports a stream that is something else, such as an error page. */
static void
no_picture(struct pictures *p, struct picture_item *item)
{
	npu_fail(&p->err, NPU_EFORMAT, "no %s in its %" PRIu64 " bytes",
	    p->kind == PICTURE_STREAM_PPM ? "PPM" : "JPEG",
	    picture_stream_skipped(p->stream));
	item->error = p->err.msg;
}

static bool
next_in_stream(struct pictures *p, struct picture_item *item)
{
	int rc;

	*item = (struct picture_item){ .name = p->stream_name,
	    .unnamed = p->fd == STDIN_FILENO };
	rc = picture_stream_next(p->stream, &item->bytes, &p->err);
	if (rc == 0 && p->number == 0 &&
	    picture_stream_skipped(p->stream) > 0) {
		no_picture(p, item);
		close_stream(p);
		return true;
	}
	if (rc == 0) {
		close_stream(p);
		return false;
	}
	item->number = ++p->number;
	if (rc < 0) {
		item->error = p->err.msg;
		if (rc != NPU_EFORMAT)
			close_stream(p);
	}
	return true;
}

/* ---- Pictures ---------------------------------------------------------- */

/* Opens a name that was given.  Returns false if what it names, such as a
 * folder, is now being read. */
static bool
take_name(struct pictures *p, const char *name, struct picture_item *item)
{
	struct stat st;

	if (p->streams) {
		if (open_stream(p, name) == 0)
			return false;
		*item = (struct picture_item){ .name = p->stream_name,
		    .error = p->err.msg };
		return true;
	}
	if (cmd_is_dash(name) || stat(name, &st) < 0 || !S_ISDIR(st.st_mode)) {
		file_item(item, name);
		return true;
	}
	if (p->recursive) {
		picture_tree_open(&p->tree, name);
		return false;
	}
	error_item(p, item, name, "is a directory; -R takes the "
	    "pictures in it");
	return true;
}

bool
pictures_next(struct pictures *p, struct picture_item *item)
{
	const char *name;

	while (cmd_stop == 0) {
		if (p->tree.fts != NULL && next_in_tree(p, item))
			return true;
		if (p->stream != NULL && next_in_stream(p, item))
			return true;
		if (!next_name(p, &name))
			return false;
		if (take_name(p, name, item))
			return true;
	}
	return false;
}

void
pictures_close(struct pictures *p)
{
	close_stream(p);
	picture_tree_close(&p->tree);
	free(p->name);
	p->name = NULL;
}

char *
picture_item_name(const struct picture_item *item)
{
	struct buf b = { 0 };

	buf_puts(&b, cmd_visible_name(item->name));
	if (item->number > 0)
		buf_printf(&b, ": picture %" PRIu64, item->number);
	buf_add(&b, "", 1);
	if (b.failed)
		cmd_die("out of memory");
	return b.p;
}

const char *
picture_item_file(const struct picture_item *item)
{
	return item->unnamed ? NULL : item->name;
}

/* ---- The bytes of a picture -------------------------------------------- */

int
picture_input(struct picture_input *in, const char *path,
    struct bytes bytes, struct npu_err *err)
{
	*in = (struct picture_input){ .bytes = bytes, .fd = -1 };
	if (path == NULL) {
		in->source = source_bytes(&in->bytes);
		return 0;
	}
	if ((in->fd = fd_source_open(path, err)) < 0)
		return in->fd;
	in->source = fd_source(&in->fd);
	return 0;
}

void
picture_input_close(struct picture_input *in)
{
	if (in->fd >= 0)
		fd_source_close(in->fd);
	in->fd = -1;
}
