// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/err.h"
#include "board.h"
#include "bus_error.h"
#include "cmd.h"
#include "content.h"
#include "device.h"
#include "model/cix.h"
#include "model/foreign.h"
#include "model/onnx.h"
#include "serving/json_in.h"

enum {
	POINTER_LARGEST = 1024,		/* Git LFS's specification */
	ERROR_LARGEST = 64 << 10,	/* a server's error; a vocabulary in
					   JSON is larger */
};

static const char *const names[] = {
	[CONTENT_CIX] = "cix",
	[CONTENT_ONNX] = "onnx",
	[CONTENT_OTHER] = "other",
	[CONTENT_POINTER] = "pointer",
	[CONTENT_WEB_PAGE] = "web-page",
	[CONTENT_JSON_ERROR] = "json-error",
	[CONTENT_GZIP] = "gzip",
	[CONTENT_EMPTY] = "empty",
	[CONTENT_DAMAGED] = "damaged",
};

const char *
content_kind_name(enum content_kind kind)
{
	return names[kind];
}

bool
content_is_good(const struct content *c)
{
	return c->kind < CONTENT_POINTER;
}

static bool
ends_with(const char *name, const char *end)
{
	size_t n = strlen(name), k = strlen(end);

	return n > k && strcasecmp(name + n - k, end) == 0;
}

bool
content_can_be_meant(const struct content *c, const char *name)
{
	return c->kind != CONTENT_POINTER && !ends_with(name, ".cix") &&
	    !ends_with(name, ".onnx");
}

static void
set_kind(struct content *c, enum content_kind kind, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static void
set_kind(struct content *c, enum content_kind kind, const char *fmt, ...)
{
	va_list args;

	c->kind = kind;
	va_start(args, fmt);
	vsnprintf(c->why, sizeof(c->why), fmt, args);
	va_end(args);
	cmd_printable(c->why, strlen(c->why));
}

/* Returns NPU_ESYSTEM, with *why as the reason, if memory ran out: that says
 * nothing about the file.  Otherwise returns 0. */
static int
no_memory(const struct npu_err *why, struct npu_err *err)
{
	if (why->code != NPU_ESYSTEM)
		return 0;
	return npu_fail(err, NPU_ESYSTEM, "%.300s", why->msg);
}

/* ---- Git LFS pointers ---------------------------------------------------- */

/* Returns the rest of the line that begins with key, and its length; NULL: no
 * line does. */
static const char *
pointer_line(struct bytes f, const char *key, size_t *n)
{
	const char *p = (const char *)f.p, *end = p + f.n, *next;
	size_t k = strlen(key);

	for (; p < end; p = next + 1) {
		next = memchr(p, '\n', (size_t)(end - p));
		if (next == NULL)
			next = end;
		if ((size_t)(next - p) > k && memcmp(p, key, k) == 0) {
			*n = (size_t)(next - p) - k;
			return p + k;
		}
	}
	return NULL;
}

bool
content_pointer(struct bytes file, struct sum *sum, uint64_t *size)
{
	const char *oid, *digits;
	uint64_t v = 0;
	size_t n;

	if (file.n > POINTER_LARGEST || !foreign_is_lfs_pointer(file))
		return false;
	oid = pointer_line(file, "oid sha256:", &n);
	if (oid == NULL || !sum_parse(sum, oid, n))
		return false;
	digits = pointer_line(file, "size ", &n);
	if (digits == NULL || n > 15)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (digits[i] < '0' || digits[i] > '9')
			return false;
		v = v * 10 + (uint64_t)(digits[i] - '0');
	}
	*size = v;
	return true;
}

static void
look_at_pointer(struct content *c, struct bytes file)
{
	if (content_pointer(file, &c->sum, &c->size))
		set_kind(c, CONTENT_POINTER, "a Git LFS pointer of %zu bytes, "
		    "not the file of %" PRIu64 " bytes that it stands for "
		    "(sha256 %.12s...)", file.n, c->size, c->sum.text);
	else
		set_kind(c, CONTENT_POINTER, "a Git LFS pointer, not the file "
		    "that it stands for");
}

/* ---- Errors in JSON ------------------------------------------------------ */

/* True if a member says that a request failed: "error", "Code" other than 200
 * and 0, "Success" or "success" false. */
static bool
says_error(const struct json_in *v)
{
	const struct json_in *ok = json_in_member(v, "Success");
	int64_t code;

	if (json_in_kind(v) != IN_OBJECT)
		return false;
	if (ok == NULL)
		ok = json_in_member(v, "success");
	if (json_in_kind(ok) == IN_BOOL && !json_in_true(ok))
		return true;
	if (json_in_integer(json_in_member(v, "Code"), &code) &&
	    code != 200 && code != 0)
		return true;
	return json_in_kind(json_in_member(v, "error")) > IN_NULL;
}

/* Returns the text that explains an error; "" if the server gives no text. */
static const char *
error_text(const struct json_in *v)
{
	static const char *const keys[] = { "Message", "message", "error" };
	struct bytes s = { NULL, 0 };

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys) && s.n == 0; i++)
		s = json_in_string(json_in_member(v, keys[i]));
	return s.p != NULL ? (const char *)s.p : "";
}

/* Returns 1 if the file is a server's error, and then describes it; else 0, or
 * NPU_ESYSTEM without memory. */
static int
look_for_json_error(struct content *c, struct bytes file, struct npu_err *err)
{
	struct npu_err bad = { 0 };
	struct json_in *v;
	size_t at = 0;
	bool found;

	while (at < file.n && strchr(" \t\r\n", file.p[at]) != NULL &&
	    file.p[at] != 0)
		at++;
	if (at == file.n || file.p[at] != '{' || file.n > ERROR_LARGEST)
		return 0;
	if ((v = json_in_parse(file, 4096, &bad)) == NULL)
		return no_memory(&bad, err);
	found = says_error(v);
	if (found)
		set_kind(c, CONTENT_JSON_ERROR, "a server's error in JSON, not "
		    "the file: %.200s", error_text(v));
	json_in_free(v);
	return found;
}

/* ---- Models -------------------------------------------------------------- */

static const struct board *
this_board(void)
{
	static struct board board;
	static bool asked;

	if (asked)
		return &board;
	asked = true;
	cmd_device_resolve();
	board_find(&board, "");
	return &board;
}

static int
look_at_cix(struct content *c, struct bytes file, struct npu_err *system)
{
	const struct board *board;
	struct npu_err err = { 0 };
	struct cix_model m;

	if (cix_parse(file, &m, &err) < 0) {
		set_kind(c, CONTENT_DAMAGED, "not a sound .cix: %.300s",
		    err.msg);
		return no_memory(&err, system);
	}
	board = this_board();
	c->kind = CONTENT_CIX;
	snprintf(c->builder, sizeof(c->builder), "%s", m.builder);
	snprintf(c->target, sizeof(c->target), "%s", m.graphs[0].target);
	err = board->why;
	c->board_known = board->known;
	c->runs_here = board->known && board_runs_model(&m, board, &err) == 0;
	if (!c->runs_here)
		snprintf(c->runs_why, sizeof(c->runs_why), "%.199s", err.msg);
	cix_free(&m);
	return 0;
}

static int
look_at_onnx(struct content *c, struct bytes file, struct npu_err *system)
{
	struct npu_err err = { 0 };
	struct bytes none;

	if (onnx_begins(file) && onnx_metadata(file, "", &none, &err) >= 0)
		c->kind = CONTENT_ONNX;
	else
		set_kind(c, CONTENT_DAMAGED, "not a whole ONNX file%s%.300s",
		    err.msg[0] != '\0' ? ": " : "", err.msg);
	return no_memory(&err, system);
}

int
content_look(struct content *c, const char *name, struct bytes file,
    struct npu_err *err)
{
	int rc = 0;

	*c = (struct content){ .kind = CONTENT_OTHER };
	if (file.n == 0)
		set_kind(c, CONTENT_EMPTY, "empty");
	else if (foreign_is_lfs_pointer(file))
		look_at_pointer(c, file);
	else if (foreign_is_web_page(file) && !ends_with(name, ".html") &&
	    !ends_with(name, ".htm"))
		set_kind(c, CONTENT_WEB_PAGE, "a web page, not the file; "
		    "servers send one for a file that they do not have");
	else if (bytes_start(file, "\x1f\x8b") && !ends_with(name, ".gz") &&
	    !ends_with(name, ".tgz"))
		set_kind(c, CONTENT_GZIP, "compressed by gzip, which the file "
		    "itself is not");
	else if ((rc = look_for_json_error(c, file, err)) != 0)
		return rc < 0 ? rc : 0;
	else if (ends_with(name, ".cix"))
		rc = look_at_cix(c, file, err);
	else if (ends_with(name, ".onnx"))
		rc = look_at_onnx(c, file, err);
	return rc;
}

int
content_look_file(struct content *c, const char *name, int fd,
    struct npu_err *err)
{
	struct stat st;
	void *p;
	int rc;

	if (fstat(fd, &st) < 0)
		return npu_fail(err, NPU_ESYSTEM, "%s", strerror(errno));
	if (!S_ISREG(st.st_mode))
		return npu_fail(err, NPU_ESYSTEM, "not a regular file");
	if (st.st_size == 0)
		return content_look(c, name, (struct bytes){ NULL, 0 }, err);
	cmd_catch_bus_error();
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return npu_fail(err, NPU_ESYSTEM, "%s", strerror(errno));
	rc = content_look(c, name, (struct bytes){ p, (size_t)st.st_size },
	    err);
	munmap(p, (size_t)st.st_size);
	return rc;
}
