// SPDX-License-Identifier: Apache-2.0
/* verify.c - npu-model verify: compares files with the sums that are known. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/json.h"
#include "cmd.h"
#include "content.h"
#include "json_error.h"
#include "known_sums.h"
#include "options.h"
#include "progress.h"
#include "store.h"

#define SCHEMA "npu-model/1"

enum { DEEPEST = 16 };		/* folders below a named folder */

enum verdict { GOOD, BAD, POINTER, UNCHECKED, FAILED };

static const char *const verdicts[] = { "good", "bad", "pointer", "unchecked",
    "failed" };

/* One file that was looked at. */
struct checked {
	enum verdict verdict;
	char why[500];
	char command[600];	/* of a pointer: what fetches the file */
	struct sum sum;
	uint64_t size;
	struct content content;
};

struct verify {
	struct model_catalogue all;
	struct json *json;	/* NULL: text */
	struct buf *text;
	uint64_t count[FAILED + 1];
};

/* ---- One file ---------------------------------------------------------- */

static void
conclude(struct checked *c, enum verdict verdict, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static void
conclude(struct checked *c, enum verdict verdict, const char *fmt, ...)
{
	va_list args;

	c->verdict = verdict;
	va_start(args, fmt);
	vsnprintf(c->why, sizeof(c->why), fmt, args);
	va_end(args);
}

/* Shows the progress after n more bytes. */
static void
count_read(size_t n)
{
	static uint64_t bytes;

	bytes += n;
	progress_update(bytes / 1000000);
}

/* Compares the size and, if that is right, the sum with each that is known. */
static void
compare(struct checked *c, const struct known_sums *known, int fd)
{
	struct npu_err err;

	for (size_t i = 0; i < known->n; i++) {
		const struct known_sum *k = &known->sum[i];

		if (k->size != 0 && k->size != c->size) {
			conclude(c, BAD, "%" PRIu64 " bytes, not the %" PRIu64
			    " of %s", c->size, k->size, k->where);
			return;
		}
	}
	if (sum_file(&c->sum, fd, count_read, &err) < 0) {
		conclude(c, FAILED, "%s", err.msg);
		return;
	}
	for (size_t i = 0; i < known->n; i++) {
		const struct known_sum *k = &known->sum[i];

		if (strcmp(k->sum.text, c->sum.text) != 0) {
			conclude(c, BAD, "its sha256 is %.12s..., not "
			    "%.12s... of %s", c->sum.text, k->sum.text,
			    k->where);
			return;
		}
	}
	if (known->n == 0)
		conclude(c, UNCHECKED, "no sum is known: sha256 %s",
		    c->sum.text);
	else
		conclude(c, GOOD, "as in %s", known->sum[0].where);
}

/* Sets the command that fetches the file of a pointer at path. */
static void
find_command(const struct verify *v, const char *path, struct checked *c)
{
	const char *slash = strrchr(path, '/');
	const struct model *m = catalogue_find_path(&v->all, path);

	if (m == NULL)
		m = catalogue_find(&v->all, slash != NULL ? slash + 1 : path);
	if (m != NULL)
		snprintf(c->command, sizeof(c->command), "npu-model get %s",
		    m->name);
	else if (c->content.sum.text[0] != '\0')
		snprintf(c->command, sizeof(c->command), "npu-model get "
		    "--sha256=%s URL", c->content.sum.text);
	else
		snprintf(c->command, sizeof(c->command), "npu-model get URL");
}

static void
check_open_file(const struct verify *v, const char *path, int fd,
    struct checked *c)
{
	struct known_sums known;
	struct npu_err err;
	struct stat st;

	if (fstat(fd, &st) < 0 ||
	    content_look_file(&c->content, path, fd, &err) < 0) {
		conclude(c, FAILED, "%s", err.msg);
		return;
	}
	c->size = (uint64_t)st.st_size;
	if (c->content.kind == CONTENT_POINTER) {
		conclude(c, POINTER, "%s", c->content.why);
		find_command(v, path, c);
		return;
	}
	known_sums_find(&known, &v->all, path);
	compare(c, &known, fd);
	known_sums_free(&known);
	/* A wrong sum says less than what the file is instead; a right sum
	 * shows that a page or an empty file is meant. */
	if (c->verdict != FAILED && !content_is_good(&c->content) &&
	    !(c->verdict == GOOD && content_can_be_meant(&c->content, path)))
		conclude(c, BAD, "%s", c->content.why);
}

/* ---- Output ------------------------------------------------------------ */

static void
put_member(struct json *j, const char *key, const char *s)
{
	json_key(j, key);
	json_str(j, s != NULL && *s != '\0' ? s : NULL);
}

static void
put_cix(struct json *j, const struct content *c)
{
	put_member(j, "builder", c->builder);
	put_member(j, "target", c->target);
	json_key(j, "runs_here");
	if (c->kind == CONTENT_CIX && c->board_known)
		json_bool(j, c->runs_here);
	else
		json_null(j);
	put_member(j, "runs_here_reason", c->runs_why);
}

static void
put_json(struct json *j, const char *path, const struct checked *c)
{
	json_object(j);
	json_member_str(j, "file", path);
	json_member_str(j, "state", verdicts[c->verdict]);
	put_member(j, "reason", c->why);
	put_member(j, "kind", c->verdict == FAILED ? NULL :
	    content_kind_name(c->content.kind));
	json_member_uint(j, "size_bytes", c->size);
	put_member(j, "sha256", c->sum.text);
	put_member(j, "command", c->command);
	put_cix(j, &c->content);
	json_end_object(j);
}

static void
put_text(struct buf *b, const char *path, const struct checked *c)
{
	size_t begin = b->n;

	buf_printf(b, "%-9s  %s: %s", verdicts[c->verdict], path, c->why);
	if (c->command[0] != '\0')
		buf_printf(b, "; %s", c->command);
	if (c->content.kind == CONTENT_CIX && c->content.board_known &&
	    !c->content.runs_here)
		buf_printf(b, "; it does not run here: %s",
		    c->content.runs_why);
	if (!b->failed)
		cmd_printable(b->p + begin, b->n - begin);
	buf_puts(b, "\n");
}

static void
report(struct verify *v, const char *path, const struct checked *c)
{
	v->count[c->verdict]++;
	if (c->verdict == FAILED)
		cmd_warn("%s: %s", path, c->why);
	if (v->json != NULL)
		put_json(v->json, path, c);
	else if (c->verdict != FAILED)
		put_text(v->text, path, c);
}

static void
check_file(struct verify *v, const char *path)
{
	struct checked c = { .verdict = FAILED };
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		conclude(&c, FAILED, "%s", strerror(errno));
	else
		check_open_file(v, path, fd, &c);
	if (fd >= 0)
		close(fd);
	report(v, path, &c);
}

/* ---- Folders ----------------------------------------------------------- */

static bool
ends_with(const char *name, const char *end)
{
	size_t n = strlen(name), k = strlen(end);

	return n > k && strcasecmp(name + n - k, end) == 0;
}

/* True if a folder's file is checked: a model, or a file with a sum. */
static bool
is_checked(const struct verify *v, const char *path, const char *name)
{
	struct known_sums known;
	bool found;

	if (name[0] == '.' || ends_with(name, ".sha256") ||
	    ends_with(name, ".pointer"))
		return false;
	if (ends_with(name, ".cix") || ends_with(name, ".onnx"))
		return true;
	known_sums_find(&known, &v->all, path);
	found = known.n > 0;
	known_sums_free(&known);
	return found;
}

static int
by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static bool
is_folder(const char *path, bool follow)
{
	struct stat st;

	return (follow ? stat(path, &st) : lstat(path, &st)) == 0 &&
	    S_ISDIR(st.st_mode);
}

static void
check_folder(struct verify *v, const char *folder, int deep)
{
	struct dirent **e;
	int n = scandir(folder, &e, NULL, by_name);
	char *path;

	if (n < 0) {
		cmd_warn("%s: %s", folder, strerror(errno));
		v->count[FAILED]++;
		return;
	}
	for (int i = 0; i < n; i++) {
		path = folder_join(folder, e[i]->d_name);
		if (!is_folder(path, false)) {
			if (is_checked(v, path, e[i]->d_name))
				check_file(v, path);
		} else if (e[i]->d_name[0] != '.' && deep < DEEPEST) {
			check_folder(v, path, deep + 1);
		}
		free(path);
		free(e[i]);
	}
	free(e);
}

static void
check_all(struct verify *v, const struct model_options *o)
{
	struct model_folders f;

	for (int i = 0; i < o->n_operands; i++)
		if (is_folder(o->operands[i], true))
			check_folder(v, o->operands[i], 0);
		else
			check_file(v, o->operands[i]);
	if (o->n_operands > 0)
		return;
	folders_open(&f);
	for (size_t i = 0; i < f.n; i++)
		if (access(f.path[i], F_OK) == 0)
			check_folder(v, f.path[i], 0);
	folders_close(&f);
}

int
verify_main(const struct model_options *o)
{
	struct json j = { .pretty = true };
	struct buf text = { 0 };
	struct verify v = { .json = o->json ? &j : NULL, .text = &text };

	if (o->json)
		json_on_failure(SCHEMA, o->output);
	catalogue_open(&v.all);
	if (o->json) {
		json_object(&j);
		json_member_str(&j, "schema", SCHEMA);
		json_key(&j, "files");
		json_array(&j);
	}
	progress_begin("MB", 0);
	check_all(&v, o);
	progress_end();
	cmd_on_exit(NULL, NULL);
	if (o->json) {
		json_end_array(&j);
		if (v.count[FAILED] > 0)
			json_error(&j, cmd_last_message(), EXIT_FAILED);
		json_end_object(&j);
		text = j.out;
		buf_puts(&text, "\n");
	}
	cmd_write_document(o->output, &text);
	catalogue_free(&v.all);
	if (v.count[FAILED] > 0)
		return EXIT_FAILED;
	return v.count[BAD] + v.count[POINTER] + v.count[UNCHECKED] > 0 ?
	    EXIT_VERDICT : EXIT_DONE;
}
