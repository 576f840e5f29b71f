// SPDX-License-Identifier: Apache-2.0
/* report.c - npu-info --report: writes everything to one file without private
 * data. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "device.h"
#include "diagnose/vendor.h"
#include "host/host.h"
#include "host/kernlog.h"
#include "host/packages.h"
#include "host/redact.h"
#include "info.h"

struct info_report {
	struct redact secrets;
	struct host_kernlog log;
	struct host_packages packages;
};

/* ---- Sections --------------------------------------------------------- */

void
info_section(const struct info_form *f, const char *title)
{
	if (f->json == NULL)
		buf_printf(f->text, "\n== %s\n\n", title);
}

void
info_unread(const struct info_form *f)
{
	if (f->json != NULL) {
		json_member_str(f->json, "unread", f->unread->msg);
	} else if (f->unread->code != 0) {
		info_section(f, "Not read");
		buf_printf(f->text, "%s\n", f->unread->msg);
	}
}

/* ---- Private data ------------------------------------------------------ */

/* Hides the folder of a file, or a folder itself. */
static void
hide_folder_of(struct redact *p, const char *path)
{
	const char *slash = path != NULL ? strrchr(path, '/') : NULL;
	struct stat st;
	char *folder;

	if (path == NULL)
		return;
	if (stat(path, &st) < 0)
		host_note_error(&p->trouble, "", path, errno);
	else if (S_ISDIR(st.st_mode))
		redact_add_folder(p, path);
	if (slash == NULL)
		return;
	folder = cmd_text("%.*s", (int)(slash - path), path);
	redact_add_folder(p, folder);
	free(folder);
}

/* Hides the folders of a variable, "a:b:c". */
static void
hide_folders(struct redact *p, const char *variable)
{
	const char *value = getenv(variable);
	char *all = value != NULL ? cmd_copy(value) : NULL, *rest = all;

	while (rest != NULL)
		redact_add_folder(p, strsep(&rest, ":"));
	free(all);
}

static void
hide_all(struct redact *p, const char *root, char **names, int n)
{
	char *cwd = getcwd(NULL, 0);

	redact_read_machine(p, root);
	if (*root != '\0')
		redact_add_folder(p, root);
	if (cwd != NULL)
		redact_add_folder(p, cwd);
	else
		host_note_error(&p->trouble, "", ".", errno);
	free(cwd);
	hide_folders(p, "NPU_MODEL_PATH");
	hide_folders(p, "LD_LIBRARY_PATH");
	hide_folder_of(p, cmd_device.library);
	hide_folder_of(p, cmd_device.node);
	hide_folder_of(p, getenv("NPU_LIBRARY"));
	hide_folder_of(p, getenv("AIPU_LIB_PATH"));
	for (int i = 0; i < n; i++)
		hide_folder_of(p, names[i]);
	if (p->failed)
		cmd_die("out of memory");
	if (p->trouble.code != 0)
		cmd_die("%s: what is private cannot be known", p->trouble.msg);
}

static void
rewrite(const void *secrets, const char *s, size_t n, struct buf *out)
{
	redact_text(secrets, s, n, out);
}

/* ---- Beginning --------------------------------------------------------- */

struct info_report *
info_report_begin(struct info_form *f, const char *root, char **names, int n)
{
	struct info_report *r = cmd_alloc(sizeof(*r));
	time_t now = time(NULL);
	struct tm utc;
	char date[40];

	hide_all(&r->secrets, root, names, n);
	f->all = true;
	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ",
	    gmtime_r(&now, &utc));
	if (f->json != NULL) {
		json_member_str(f->json, "date", date);
		f->json->rewrite = rewrite;
		f->json->rewrite_arg = &r->secrets;
	} else {
		buf_printf(f->text, "npu-report/1 of npu-utils %s, %s\n"
		    "Names, folders, serial numbers and addresses were left "
		    "out.\n", NPU_VERSION, date);
		info_section(f, "Device");
	}
	return r;
}

/* ---- The kernel's log -------------------------------------------------- */

static void
json_log(struct json *j, const struct host_kernlog *log,
    const struct npu_err *err)
{
	json_key(j, "log");
	json_object(j);
	json_member_str(j, "hidden", log->hidden);
	json_member_str(j, "error", err->msg);
	json_member_uint(j, "left_out", log->left_out);
	json_key(j, "lines");
	json_array(j);
	for (size_t i = 0; i < log->n; i++) {
		json_object(j);
		json_key(j, "seconds");
		if (log->line[i].timed)
			json_double(j, (double)log->line[i].us / 1e6);
		else
			json_null(j);
		json_member_str(j, "text", log->line[i].text);
		json_end_object(j);
	}
	json_end_array(j);
	json_end_object(j);
}

static void
text_log(struct buf *t, const struct host_kernlog *log,
    const struct npu_err *err)
{
	if (log->hidden[0] != '\0')
		buf_printf(t, "n/a (%s)\n", log->hidden);
	else if (err->code != 0)
		buf_printf(t, "unknown (%s)\n", err->msg);
	else if (log->n == 0)
		buf_puts(t, "no line mentions the NPU\n");
	for (size_t i = 0; i < log->n; i++) {
		const struct host_kernlog_line *l = &log->line[i];

		if (log->left_out > 0 && i == log->n / 2)
			buf_printf(t, "... %zu lines were left out ...\n",
			    log->left_out);
		if (l->timed)
			buf_printf(t, "[%5llu.%06llu] ",
			    (unsigned long long)(l->us / 1000000),
			    (unsigned long long)(l->us % 1000000));
		buf_printf(t, "%s\n", l->text);
	}
}

static void
put_log(struct info_report *r, const struct info_form *f, const char *root)
{
	struct npu_err err = { .msg = "" };

	if (host_read_kernlog(root, vendor_log_words, &r->log, &err) < 0)
		host_note(f->unread, &err);
	info_section(f, "Kernel log");
	if (f->json != NULL)
		json_log(f->json, &r->log, &err);
	else
		text_log(f->text, &r->log, &err);
}

/* ---- Packages ---------------------------------------------------------- */

static void
json_packages(struct json *j, const struct host_packages *all, bool known)
{
	json_key(j, "packages");
	if (!known) {
		json_null(j);
		return;
	}
	json_array(j);
	for (size_t i = 0; i < all->n; i++) {
		json_object(j);
		json_member_str(j, "name", all->package[i].name);
		json_member_str(j, "version", all->package[i].version);
		json_member_str(j, "want", all->package[i].want);
		json_member_str(j, "flag", all->package[i].flag);
		json_member_str(j, "state", all->package[i].state);
		json_end_object(j);
	}
	json_end_array(j);
}

static void
put_packages(struct info_report *r, const struct info_form *f,
    const char *root)
{
	const struct host_packages *all = &r->packages;
	struct npu_err err = { .msg = "" };
	int rc = host_read_packages(root, vendor_packages, &r->packages,
	    &err);

	if (rc < 0)
		host_note(f->unread, &err);
	info_section(f, "Packages");
	if (f->json != NULL) {
		json_packages(f->json, all, rc == 0);
		return;
	}
	if (rc < 0)
		buf_printf(f->text, "unknown (%s)\n", err.msg);
	else if (all->n == 0)
		buf_puts(f->text, "none of the vendor's\n");
	for (size_t i = 0; i < all->n; i++)
		buf_printf(f->text, "%s %s: %s %s %s\n", all->package[i].name,
		    all->package[i].version, all->package[i].want,
		    all->package[i].flag, all->package[i].state);
	if (all->left_out > 0)
		buf_printf(f->text, "and %zu more\n", all->left_out);
}

/* ---- End --------------------------------------------------------------- */

void
info_report_end(struct info_report *r, const struct info_form *f,
    const char *root)
{
	struct buf clean = { 0 };

	put_log(r, f, root);
	put_packages(r, f, root);
	info_unread(f);
	if (f->json != NULL) {
		f->json->rewrite = NULL;
	} else {
		if (f->text->n > 0)
			redact_text(&r->secrets, f->text->p, f->text->n,
			    &clean);
		clean.failed |= f->text->failed;
		buf_free(f->text);
		*f->text = clean;
	}
	redact_free(&r->secrets);
	free(r);
}
