// SPDX-License-Identifier: Apache-2.0
/* xclbin-check - whether an AMD NPU can run a container, and if not, why. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "check.h"
#include "check_lines.h"
#include "colour.h"
#include "diagnose/xclbin/xclbin.h"
#include "json_error.h"
#include "xclbin/load.h"

#define SCHEMA "xclbin-check/1"

enum { WIDTH = 9 };		/* columns of a check's name */

enum { OPT_JSON = 256, OPT_PLAIN, OPT_COLOUR, OPT_MACHINE, OPT_ROOT,
    OPT_DIAGNOSE };

static const char *const machine_words[] = { "auto", "none", NULL };

static const struct opt options[] = {
	FLAG(OPT_JSON, "json", "write JSON: xclbin-check/1"),
	FLAG(OPT_PLAIN, "plain", "lines of fields between TABs"),
	COLOUR_OPTION(OPT_COLOUR),
	ONE_OF(OPT_MACHINE, "machine", "=WHEN", machine_words,
	    "check this machine, too: auto (default) or none"),
	TAKES(OPT_ROOT, "root", "=DIR", COMPLETE_FOLDER,
	    "check the machine below DIR: DIR/sys, DIR/proc, DIR/dev"),
	TAKES(OPT_DIAGNOSE, "diagnose", "=TEXT", COMPLETE_NONE,
	    "explain a message of a program or of the kernel's log; '-': the "
	    "lines on stdin"),
	TAKES('o', "output", "=FILE", COMPLETE_FILE, "write to FILE"),
	FLAG('q', "quiet", "what fails and what is odd alone"),
	FLAG('v', "verbose", "say which files are read"),
	CMD_COMMON,
	{ 0 },
};

static const struct cmd_env environment[] = {
	COLOUR_ENV,
	{ 0 },
};

const struct program program = {
	.name = "xclbin-check",
	.synopsis = "xclbin-check [OPTION]... [FILE]...",
	.examples =
	"  xclbin-check main.xclbin\n"
	"  xclbin-check --diagnose='load_axlf: Operation not supported'\n",
	.help =
	"Says whether an xclbin file runs on an AMD NPU, and if not, why, and\n"
	"what to type next.\n",
	.options = options,
	.operands = { COMPLETE_FILE, COMPLETE_FILE },
	.env = environment,
};

/* ---- Options ----------------------------------------------------------- */

struct check_options {
	bool json, plain, colour, colour_given, machine_given, no_machine;
	const char *root;		/* NULL: this machine */
	const char *diagnose;		/* a text, or "-"; NULL: not given */
	const char *output;		/* NULL: stdout */
};

/* --diagnose reads a text alone.  file: the first operand, or NULL. */
static void
check_diagnosis(const struct check_options *o, const char *file)
{
	if (file != NULL)
		cmd_usage("--diagnose explains a text, and checks no file: "
		    "leave out '%s'", file);
	if (o->json || o->colour_given || o->machine_given || o->root != NULL)
		cmd_usage("--diagnose explains a text: leave out --%s",
		    o->json ? "json" : o->colour_given ? "color" :
		    o->machine_given ? "machine" : "root");
}

static void
read_options(struct check_options *o, int argc, char *argv[])
{
	enum colour when = COLOUR_AUTO;
	int opt;

	while ((opt = cmd_option(argc, argv)) != -1)
		switch (opt) {
		case 'o': o->output = optarg; break;
		case 'q': cmd_quiet = true; break;
		case 'v': cmd_verbose = true; break;
		case OPT_JSON: o->json = true; break;
		case OPT_PLAIN: o->plain = true; break;
		case OPT_MACHINE:
			o->machine_given = true;
			o->no_machine = cmd_choice("--machine", optarg,
			    machine_words) == 1;
			break;
		case OPT_DIAGNOSE: o->diagnose = optarg; break;
		case OPT_ROOT: o->root = cmd_named("--root", optarg); break;
		default: when = colour_read(optarg), o->colour_given = true;
			break;				/* OPT_COLOUR */
		}
	if (o->json && o->plain)
		cmd_usage("--json and --plain contradict each other");
	if (o->colour_given && (o->json || o->plain))
		cmd_usage("--color is for text, not for --%s",
		    o->json ? "json" : "plain");
	o->colour = colour_wanted(when);
	if (o->diagnose != NULL)
		check_diagnosis(o, argv[optind]);
	else
		cmd_name_operands(argv + optind);
}

/* ---- A file ------------------------------------------------------------ */

struct check_run {
	const struct check_options *o;
	struct json json;	/* or a text, in json.out */
	bool failed;		/* a check */
	bool unread;		/* a file */
};

static void
put_json(struct json *j, const char *name, struct health_check *checks,
    size_t n)
{
	json_object(j);
	json_key(j, "file"), json_str(j, name);
	json_member_str(j, "verdict", xclbin_runs(checks, n) ? "runs" :
	    "refused");
	json_key(j, "checks");
	json_array(j);
	for (size_t i = 0; i < n; i++)
		check_json(j, &checks[i]);
	json_end_array(j);
	json_end_object(j);
}

/* Adds the name, printable. */
static void
put_name(struct buf *b, const char *name)
{
	size_t at = b->n;

	buf_puts(b, name);
	if (!b->failed)
		cmd_printable(b->p + at, b->n - at);
}

static void
put_lines(struct check_run *r, const char *name, struct health_check *checks,
    size_t n)
{
	struct buf *b = &r->json.out;

	if (!r->o->plain) {
		put_name(b, name);
		buf_puts(b, xclbin_runs(checks, n) ? ": runs\n" :
		    ": does not run\n");
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

static void
put_failure(struct check_run *r, const char *name, const struct npu_err *err)
{
	cmd_warn("%s: %s", name, err->msg);
	r->unread = true;
	if (!r->o->json)
		return;
	json_object(&r->json);
	json_key(&r->json, "file"), json_str(&r->json, name);
	json_error(&r->json, cmd_last_message(), EXIT_FAILED);
	json_end_object(&r->json);
}

static void
check_file(struct check_run *r, const char *path)
{
	const char *name = cmd_input_name(path);
	struct health_check checks[XCLBIN_CHECKS];
	struct npu_err err;
	struct buf b = { 0 };

	cmd_detail("%s: reading", name);
	if (xclbin_load(path, &b, &err) < 0 ||
	    xclbin_check((struct bytes){ (uint8_t *)b.p, b.n }, name, checks,
	    &err) < 0) {
		put_failure(r, name, &err);
	} else {
		r->failed |= !xclbin_runs(checks, XCLBIN_CHECKS);
		if (r->o->json)
			put_json(&r->json, name, checks, XCLBIN_CHECKS);
		else
			put_lines(r, name, checks, XCLBIN_CHECKS);
	}
	buf_free(&b);
}

static void
check_files(struct check_run *r, char *const *files)
{
	if (r->o->json) {
		json_object(&r->json);
		json_member_str(&r->json, "schema", SCHEMA);
		json_key(&r->json, "files");
		json_array(&r->json);
	}
	for (; *files != NULL; files++)
		check_file(r, *files);
	if (r->o->json) {
		json_end_array(&r->json);
		json_end_object(&r->json);
		buf_puts(&r->json.out, "\n");
	}
}

int
main(int argc, char *argv[])
{
	struct check_options o = { .json = false };
	struct check_run r = { .o = &o, .json = { .pretty = true } };

	cmd_start();
	read_options(&o, argc, argv);
	if (o.diagnose != NULL)
		cmd_exit(check_diagnose(o.diagnose, o.plain, o.output));
	if (o.json)
		json_on_failure(SCHEMA, o.output);
	check_files(&r, argv + optind);
	cmd_on_exit(NULL, NULL);
	cmd_write_document(o.output, &r.json.out);
	json_free(&r.json);
	cmd_exit(r.unread ? EXIT_FAILED : r.failed ? EXIT_VERDICT : EXIT_DONE);
}
