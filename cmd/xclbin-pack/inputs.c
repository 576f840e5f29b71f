// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/encoding.h"
#include "base/err.h"
#include "base/file.h"
#include "base/json_reason.h"
#include "cmd.h"
#include "inputs.h"

#define FILE_LIMIT ((size_t)1 << 30)
#define JSON_LIMIT ((size_t)1 << 24)

/* ---- Files ------------------------------------------------------------- */

/* Updates in->newest.  A pipe does not count: its time is the time of
 * reading. */
static void
update_newest(struct inputs *in, int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_mtime < 0)
		return;
	if (!in->any || (uint64_t)st.st_mtime > in->newest)
		in->newest = (uint64_t)st.st_mtime;
	in->any = true;
}

static void
load(struct inputs *in, const char *path, size_t limit, struct buf *out)
{
	int fd = cmd_open_input(path);
	struct npu_err err;

	update_newest(in, fd);
	if (file_read(fd, limit, out, &err) < 0)
		cmd_die_err(cmd_input_name(path), &err);
	if (fd != STDIN_FILENO)
		close(fd);
}

void
inputs_load(struct inputs *in, const char *path, struct buf *out)
{
	load(in, path, FILE_LIMIT, out);
}

json_t *
inputs_json(struct inputs *in, const char *path)
{
	struct buf whole = { 0 };
	struct npu_err err;
	struct bytes text;
	json_error_t e;
	json_t *root;

	load(in, path, JSON_LIMIT, &whole);
	text = (struct bytes){ (const uint8_t *)whole.p, whole.n };
	if (encoding_begin(&text, true, &err) < 0)
		cmd_die_err(cmd_input_name(path), &err);
	root = json_loadb((const char *)text.p, text.n,
	    JSON_REJECT_DUPLICATES, &e);
	if (root == NULL && json_error_code(&e) == json_error_numeric_overflow)
		cmd_die("%s: line %d: a number needs more than 63 bits; write "
		    "it as text, in quotes", cmd_input_name(path), e.line);
	if (root == NULL)
		cmd_die("%s: not JSON: line %d: %s", cmd_input_name(path),
		    e.line, json_reason(&e));
	buf_free(&whole);
	return root;
}

/* ---- PDIs -------------------------------------------------------------- */

/* Opens a file in the document's folder.  Returns -1 and sets errno on
 * failure. */
static int
open_beside(const struct pdi_folder *f, const char *name)
{
	const char *slash = strrchr(f->document, '/');
	char *path = cmd_text("%.*s%s", slash != NULL ?
	    (int)(slash - f->document) + 1 : 0, f->document, name);
	int fd = cmd_try_open_file(path), saved = errno;

	free(path);
	errno = saved;
	return fd;
}

/* Opens the PDI at the first path that exists; see pdi_folder_load().  Returns
 * -1 and sets errno on failure. */
static int
open_pdi(const struct pdi_folder *f, const char *name)
{
	const char *slash = strrchr(name, '/');
	int fd = -1;

	errno = ENOENT;
	if (*name != '/')
		fd = open_beside(f, name);
	if (fd < 0 && errno == ENOENT)
		fd = cmd_try_open_file(name);
	if (fd < 0 && errno == ENOENT && slash != NULL && slash[1] != '\0')
		fd = open_beside(f, slash + 1);
	return fd;
}

int
pdi_folder_load(void *folder, const char *name, size_t limit,
    struct buf *out, struct npu_err *err)
{
	const struct pdi_folder *f = folder;
	int fd, rc;

	if ((fd = open_pdi(f, name)) < 0)
		return npu_fail_detail(err, NPU_ESYSTEM, errno, "\"file_name\""
		    ": '%.400s': %s", name, strerror(errno));
	update_newest(f->in, fd);
	if ((rc = file_read(fd, limit, out, err)) < 0)
		npu_prefix(err, rc, "\"file_name\": '%.400s'", name);
	close(fd);
	return rc;
}
