// SPDX-License-Identifier: Apache-2.0
/* npu-info - shows this machine's NPU and what a model file contains. */
#include "base/err.h"
#include "base/json.h"
#include "colour.h"
#include "device.h"
#include "info.h"
#include "json_error.h"

enum { OPT_COLOR = 256, OPT_DOCTOR, OPT_JSON, OPT_PLAIN, OPT_REPORT, OPT_ROOT };

static const char *const formats[] = { "text", "plain", "json", "jsonl", "csv",
    "tsv", NULL };

static const struct opt options[] = {
	CMD_DEVICE_OPTIONS,
	COLOUR_OPTION(OPT_COLOR),
	FLAG(OPT_DOCTOR, "doctor",
	    "check the board or the models (status 4: not ok)"),
	ONE_OF('F', "format", "=FORMAT", formats,
	    "text, plain, json; jsonl: a line for each model; csv or tsv: a "
	    "row for each tensor"),
	FLAG(OPT_JSON, "json", "one JSON document, schema npu-info/1"),
	FLAG(OPT_PLAIN, "plain", "lines of fields between TABs"),
	TAKES(OPT_REPORT, "report", "[=FILE]", COMPLETE_FILE,
	    "write what a bug report needs, without private data"),
	TAKES(OPT_ROOT, "root", "=DIR", COMPLETE_FOLDER,
	    "describe the machine whose files are below DIR"),
	TAKES('o', "output", "=FILE", COMPLETE_FILE, "write to FILE"),
	FLAG('q', "quiet", "no notes on stderr"),
	FLAG('v', "verbose", "also print what the vendor's library prints"),
	CMD_COMMON,
	{ 0 },
};

static const struct cmd_env env[] = {
	CMD_DEVICE_ENV,
	{ "AIPU_LIB_PATH", "libaipudrv.so for library 3.x (else beside it)" },
	CMD_MODEL_ENV,
	COLOUR_ENV,
	{ 0 },
};

const struct program program = {
	.name = "npu-info",
	.synopsis = "npu-info [options] [MODEL|FOLDER...]",
	.examples = "  npu-info\n"
	    "  npu-info --json clip_txt.cix | jq '.models[0].inputs'\n"
	    "  npu-info --plain | cut -f 1,3\n",
	.help =
	"Describes the NPU, driver and library (status 3: no NPU) or, given\n"
	"models, what they contain; the latter needs neither device nor\n"
	"library.\n",
	.options = options,
	.operands = { COMPLETE_MODEL, COMPLETE_MODEL },
	.env = env,
	.version = cmd_device_version,
};

/* ---- Options ------------------------------------------------------------ */

enum format { UNSET, TEXT, PLAIN, JSON, JSONL, CSV, TSV };

struct npu_info_options {
	enum format format;
	const char *root;
	const char *output;
	const char *file;	/* the output or report file; NULL: stdout */
	bool doctor, json, plain, report;
	enum colour colour;	/* for --doctor */
	bool colour_given;
};

static void
parse_option(struct npu_info_options *o, int opt)
{
	switch (opt) {
	case OPT_COLOR:
		o->colour = colour_read(optarg);
		o->colour_given = true;
		break;
	case OPT_DOCTOR: o->doctor = true; break;
	case 'F':
		o->format = TEXT + cmd_choice("--format", optarg, formats);
		break;
	case OPT_JSON: o->json = true; break;
	case OPT_PLAIN: o->plain = true; break;
	case OPT_REPORT:
		o->report = true;
		o->file = optarg;
		break;
	case OPT_ROOT: o->root = cmd_named("--root", optarg); break;
	case 'o': o->output = optarg; break;
	case 'q': cmd_quiet = true; break;
	case 'v': cmd_verbose = true; break;
	default: cmd_device_option(opt, optarg); break;
	}
}

/* Resolves what --format, --json and --plain mean together. */
static void
resolve_format(struct npu_info_options *o, int operands)
{
	enum format flag = o->json ? JSON : o->plain ? PLAIN : UNSET;

	if (o->json && o->plain)
		cmd_usage("--json and --plain contradict each other");
	if (o->format != UNSET && flag != UNSET && o->format != flag)
		cmd_usage("--format=%s and --%s contradict each other",
		    formats[o->format - TEXT], formats[flag - TEXT]);
	if (o->format == UNSET)
		o->format = flag;
	if (o->format >= JSONL && (operands == 0 || o->doctor || o->report))
		cmd_usage("--format=%s describes models: name one, without "
		    "--doctor and --report", formats[o->format - TEXT]);
	o->json = o->format == JSON;
	o->plain = o->format == PLAIN;
}

/* Refuses options that contradict each other. */
static void
check_options(const struct npu_info_options *o)
{
	if (o->report && (o->doctor || o->plain))
		cmd_usage("--report has the checks, as text or with --json: "
		    "leave out --%s", o->doctor ? "doctor" : "plain");
	if (o->file != NULL && *o->file == '\0')
		cmd_usage("--report=: a file has a name; without '=', the "
		    "report is written to standard output");
	if (o->file != NULL && o->output != NULL)
		cmd_usage("--report=%s and --output name two files for one "
		    "report", o->file);
	if (o->report && cmd_device.device == NPU_DEVICE_EMU)
		cmd_usage("--report describes a board: leave out "
		    "--device=emu");
	if (o->colour_given && (!o->doctor || o->json || o->plain))
		cmd_usage("--color needs --doctor, and text as output");
	if (cmd_own_root(o->root))
		return;
	if (cmd_device.device == NPU_DEVICE_EMU || cmd_device.library != NULL)
		cmd_usage("--root looks at files alone: leave out "
		    "--library and --device=emu");
}

static void
read_options(struct npu_info_options *o, int argc, char *argv[])
{
	int opt;

	while ((opt = cmd_option(argc, argv)) != -1)
		parse_option(o, opt);
	resolve_format(o, argc - optind);
	check_options(o);
	if (o->output != NULL)
		o->file = o->output;
	if (cmd_is_dash(o->file))
		o->file = NULL;
	if (o->file != NULL && o->colour == COLOUR_AUTO)
		o->colour = COLOUR_NEVER;
}

/* ---- Models ------------------------------------------------------------- */

/* Writes a separate line with --format=jsonl: begin_line(), a description, and
 * end_line(). */
static struct info_form
begin_line(const struct info_form *form, struct json *line)
{
	struct info_form f = *form;

	*line = (struct json){ .pretty = false };
	if (f.schema != NULL)
		f.json = line;
	return f;
}

static void
end_line(const struct info_form *form, struct json *line)
{
	if (form->schema == NULL)
		return;
	buf_add(form->text, line->out.p, line->out.n);
	buf_puts(form->text, "\n");
	form->text->failed |= line->out.failed;
	json_free(line);
}

static bool
describe_model(void *form, const char *name)
{
	struct json line;
	struct info_form f = begin_line(form, &line);
	bool sound = info_model(&f, name);

	end_line(form, &line);
	return sound;
}

static void
refuse_folder(void *form, const char *name, const struct npu_err *err)
{
	struct json line;
	struct info_form f = begin_line(form, &line);

	info_refuse(&f, name, err);
	end_line(form, &line);
}

/* Describes each model separately: a bad model does not hide the others. */
static int
describe_models(const struct info_form *form, const char *root, char **names,
    int n)
{
	struct info_form f = *form;
	struct info_visitor visitor = { describe_model, refuse_folder, &f };
	struct board board;
	int status = EXIT_DONE;

	board_find(&board, root);
	health_note_driver(f.unread, &board.why);
	f.board = &board;
	if (f.json != NULL) {
		json_key(f.json, "models");
		json_array(f.json);
	}
	for (int i = 0; i < n; i++) {
		if (!info_visit(&visitor, names[i]))
			status = EXIT_FAILED;
	}
	if (f.json != NULL)
		json_end_array(f.json);
	return status;
}

/* ---- Documents ---------------------------------------------------------- */

static const char *
schema_of(const struct npu_info_options *o)
{
	return o->report ? "npu-report/1" : "npu-info/1";
}

static void
json_head(struct json *j, const struct npu_info_options *o)
{
	json_object(j);
	json_key(j, "schema");
	json_str(j, schema_of(o));
	json_key(j, "npu_utils");
	json_str(j, NPU_VERSION);
}

/* Handles a tree of --root that cannot be read. */
static int
refuse_root(const struct npu_info_options *o, const struct npu_err *err)
{
	struct json j = { .pretty = true };

	cmd_warn("%s", err->msg);
	if (o->json) {
		json_head(&j, o);
		json_error(&j, err->msg, cmd_status(err));
		json_end_object(&j);
		buf_puts(&j.out, "\n");
		cmd_write_document(o->file, &j.out);
	} else if (o->report && o->file != NULL) {
		/* Write a file: an earlier report must not be taken for this
		 * machine's.  The path may be private. */
		buf_puts(&j.out, "No report: the folder of --root cannot be "
		    "read\n");
		cmd_write_document(o->file, &j.out);
	}
	return EXIT_FAILED;
}

/* Errors are part of the report, which is written in any case. */
static int
write_report(struct info_form *f, const char *root, char **names, int n)
{
	struct info_report *r = info_report_begin(f, root, names, n);
	int status = EXIT_DONE;

	if (info_device(f, root) != EXIT_DONE && f->json == NULL)
		buf_printf(f->text, "\n%s\n", cmd_last_message());
	info_section(f, "Checks");
	info_doctor(f, root, names, n);
	if (n > 0) {
		info_section(f, "Models");
		status = describe_models(f, root, names, n);
	}
	info_report_end(r, f, root);
	return status;
}

/* Writes what the options request; returns the exit status. */
static int
run(const struct npu_info_options *o, char **names, int n)
{
	struct json j = { .pretty = true };
	struct buf t = { 0 };
	struct npu_err unread = { .msg = "" };
	bool reported = false;
	struct info_form f = { .json = o->json ? &j : NULL, .text = &t,
	    .plain = o->plain,
	    .separator = (char)(o->format == CSV ? ',' :
	    o->format == TSV ? '\t' : 0),
	    .schema = o->format == JSONL ? schema_of(o) : NULL,
	    .colour = o->doctor && colour_wanted(o->colour),
	    .unread_reported = &reported, .unread = &unread };
	int status;

	if (o->json) {
		json_on_failure(schema_of(o), o->file);
		json_head(&j, o);
	}
	if (f.separator != '\0')
		info_rows_head(&t, f.separator);
	if (o->report)
		status = write_report(&f, o->root, names, n);
	else if (o->doctor)
		status = info_doctor(&f, o->root, names, n);
	else if (n > 0)
		status = describe_models(&f, o->root, names, n);
	else
		status = info_device(&f, o->root);
	if (unread.code != 0)
		status = EXIT_FAILED;
	if (unread.code != 0 && !reported)
		cmd_warn("%s", unread.msg);
	if (o->json) {
		if (!o->report)
			info_unread(&f);
		json_end_object(&j);
		buf_puts(&j.out, "\n");
	}
	cmd_on_exit(NULL, NULL);
	/* A failure that is only on stderr does not change the file. */
	if (o->file == NULL || o->json || t.n > 0 || t.failed)
		cmd_write_document(o->file, o->json ? &j.out : &t);
	return status;
}

int
main(int argc, char *argv[])
{
	struct npu_info_options o = { .root = "" };
	struct npu_err err;

	cmd_start();
	read_options(&o, argc, argv);
	if (cmd_try_root(&o.root, &err) < 0)
		cmd_exit(refuse_root(&o, &err));
	cmd_device_resolve();
	if (*o.root != '\0')
		cmd_device.device = NPU_DEVICE_NPU;
	cmd_exit(run(&o, argv + optind, argc - optind));
}
