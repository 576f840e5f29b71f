// SPDX-License-Identifier: Apache-2.0
/* report.c - checks the files and the machine, and writes the results. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "check.h"
#include "check_lines.h"
#include "device/xdna/xdna.h"
#include "diagnose/xclbin/machine.h"
#include "diagnose/xclbin/xclbin.h"
#include "json_error.h"
#include "model/axlf_partition.h"
#include "model/foreign.h"
#include "xclbin/load.h"
#include "xclbin/unread.h"

enum { WIDTH = 9 };		/* columns of a check's name */

struct check_run {
	const struct check_options *o;
	const struct xclbin_stream *stream;	/* NULL: no --insts */
	struct xclbin_demands demands;		/* of all files so far */
	struct json json;	/* for text output, only json.out is used */
	bool failed;		/* a check failed */
	bool unread;		/* a file or the machine could not be read */
};

/* ---- Checks ------------------------------------------------------------- */

static void
put_json(struct json *j, const struct health_check *checks, size_t n)
{
	json_array(j);
	for (size_t i = 0; i < n; i++)
		check_json(j, &checks[i]);
	json_end_array(j);
}

/* Adds the name, with control characters replaced. */
static void
put_name(struct buf *b, const char *name)
{
	size_t at = b->n;

	buf_puts(b, name);
	if (!b->failed)
		cmd_printable(b->p + at, b->n - at);
}

/* Adds a line with the verdict (not with --plain), and a line for each
 * check. */
static void
put_lines(struct check_run *r, const char *name, const char *verdict,
    struct health_check *checks, size_t n)
{
	struct buf *b = &r->json.out;

	if (!r->o->plain) {
		put_name(b, name);
		buf_printf(b, ": %s\n", verdict);
	}
	for (size_t i = 0; i < n; i++) {
		check_make_printable(&checks[i]);
		if (cmd_quiet && checks[i].verdict != HEALTH_FAIL &&
		    checks[i].verdict != HEALTH_WARN)
			continue;
		if (r->o->plain) {
			put_name(b, name);
			buf_puts(b, "\t");
			check_plain(b, &checks[i]);
		} else {
			check_text(b, &checks[i], WIDTH, r->o->colour);
		}
	}
}

/* ---- Files -------------------------------------------------------------- */

static void
put_file(struct check_run *r, const char *name, struct health_check *checks,
    size_t n)
{
	bool runs = xclbin_runs(checks, n);
	struct json *j = &r->json;

	r->failed |= !runs;
	if (!r->o->json) {
		put_lines(r, name, runs ? "runs" : "does not run", checks, n);
		return;
	}
	json_object(j);
	json_key(j, "file"), json_str(j, name);
	json_member_str(j, "verdict", runs ? "runs" : "refused");
	json_key(j, "checks");
	put_json(j, checks, n);
	json_end_object(j);
}

static int
load_and_check(const struct check_run *r, const char *path, struct buf *b,
    struct health_check *checks, struct npu_err *err)
{
	struct bytes file;
	int rc = xclbin_load(path, b, err);

	if (rc == NPU_EFORMAT)
		return npu_prefix(err, rc, "not checked");
	if (rc < 0)
		return rc;
	file = (struct bytes){ (uint8_t *)b->p, b->n };
	return xclbin_check_with(file, cmd_input_name(path), r->stream, checks,
	    err);
}

/* Keeps in r->demands how many columns the file needs, if its partition can be
 * used and no earlier file needs as many. */
static void
note_columns(struct check_run *r, const char *name, struct bytes file,
    const struct health_check *checks)
{
	struct axlf_partition p;
	struct axlf_section s;
	struct npu_err err;
	struct axlf a;

	for (int i = 0; i < XCLBIN_CHECKS; i++)
		if (strcmp(checks[i].name, "partition") == 0 &&
		    checks[i].verdict != HEALTH_OK &&
		    checks[i].verdict != HEALTH_WARN)
			return;
	if (axlf_read(&a, file, &err) == 0 &&
	    axlf_find(&a, AXLF_AIE_PARTITION, &s) &&
	    axlf_partition_read(&p, s.data, &err) == 0 &&
	    p.columns > r->demands.columns) {
		r->demands.file = name;
		r->demands.columns = p.columns;
	}
}

static void
check_file(struct check_run *r, const char *path)
{
	const char *name = cmd_input_name(path);
	struct health_check checks[XCLBIN_CHECKS + 1];
	struct npu_err err;
	struct buf b = { 0 };

	cmd_detail("%s: reading", name);
	if (load_and_check(r, path, &b, checks, &err) < 0) {
		xclbin_unread(r->o->json ? &r->json : NULL, name, &err);
		r->unread = true;
	} else {
		note_columns(r, name, (struct bytes){ (uint8_t *)b.p, b.n },
		    checks);
		put_file(r, name, checks, XCLBIN_CHECKS +
		    (r->stream != NULL));
	}
	buf_free(&b);
}

/* ---- The machine -------------------------------------------------------- */

static void
put_machine(struct check_run *r, struct health_check *checks)
{
	bool fails = !xclbin_runs(checks, XCLBIN_MACHINE_CHECKS);

	r->failed |= fails;
	if (r->o->json)
		put_json(&r->json, checks, XCLBIN_MACHINE_CHECKS);
	else
		put_lines(r, "machine", fails ? "not ready" :
		    checks[0].verdict == HEALTH_SKIP ? "no AMD NPU" : "ready",
		    checks, XCLBIN_MACHINE_CHECKS);
}

/* Checks the machine whose files are below root; "" means this machine. */
static void
check_machine(struct check_run *r, const char *root)
{
	struct health_check checks[XCLBIN_MACHINE_CHECKS];
	struct npu_err err;

	cmd_detail("machine: reading %s/sys and %s/proc", root, root);
	if (xclbin_check_machine(root, *root == '\0' ? &xdna_kernel :
	    NULL, &r->demands, checks, &err) == 0) {
		put_machine(r, checks);
		return;
	}
	cmd_warn("%s", err.msg);
	r->unread = true;
	if (!r->o->json)
		return;
	put_json(&r->json, NULL, 0);
	json_error(&r->json, cmd_last_message(), EXIT_FAILED);
}

/* ---- All ---------------------------------------------------------------- */

static void
put_all(struct check_run *r, char *const *files, const char *root)
{
	struct json *j = &r->json;

	if (r->o->json) {
		json_object(j);
		json_member_str(j, "schema", CHECK_SCHEMA);
		json_key(j, "files");
		json_array(j);
	}
	for (; *files != NULL; files++)
		check_file(r, *files);
	if (r->o->json) {
		json_end_array(j);
		json_key(j, "machine");
	}
	if (!r->o->no_machine)
		check_machine(r, root);
	else if (r->o->json)
		put_json(j, NULL, 0);
	if (r->o->json) {
		json_end_object(j);
		buf_puts(&j->out, "\n");
	}
}

/* Reads the stream of --insts.  Sets *file to its bytes, which *s points into;
 * the caller frees it. */
static void
read_stream(struct xclbin_stream *s, const char *path, void **file)
{
	size_t n;

	cmd_detail("%s: reading", cmd_input_name(path));
	*file = cmd_read_file(path, TXN_LARGEST, &n);
	s->lfs_pointer = foreign_is_lfs_pointer((struct bytes){ *file, n });
	if (txn_read(&s->txn, (struct bytes){ *file, n }, &s->broken) == 0)
		s->broken.code = 0;
	else if (s->broken.code == NPU_ESYSTEM)
		cmd_die("%s: %s", cmd_input_name(path), s->broken.msg);
}

int
check_all(const struct check_options *o, char *const *files)
{
	struct check_run r = { .o = o, .json = { .pretty = true } };
	struct xclbin_stream stream = { .broken = { .msg = "" } };
	const char *root = cmd_root(o->root != NULL ? o->root : "/");
	void *file = NULL;

	if (o->insts != NULL) {
		read_stream(&stream, o->insts, &file);
		r.stream = &stream;
		r.demands.stream_name = cmd_input_name(o->insts);
		r.demands.stream = stream.broken.code == 0 ? &stream.txn :
		    NULL;
	}
	put_all(&r, files, root);
	txn_free(&stream.txn);
	free(file);
	cmd_on_exit(NULL, NULL);
	cmd_write_document(o->output, &r.json.out);
	json_free(&r.json);
	return r.unread ? EXIT_FAILED : r.failed ? EXIT_VERDICT : EXIT_DONE;
}
