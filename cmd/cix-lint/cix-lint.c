// SPDX-License-Identifier: Apache-2.0
/* cix-lint - check a configuration and a model before the slow compiler. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "actions.h"
#include "cmd.h"
#include "json_error.h"
#include "progress.h"
#include "report.h"
#include "suggest.h"

enum { OPT_GATE = 256, OPT_STRICT, OPT_TARGET, OPT_DISABLE, OPT_LIST_RULES,
    OPT_DIAGNOSE, OPT_PREDICT, OPT_RUNS, OPT_EVALUATE,
    OPT_WRITE_CFG, OPT_FIX_SHAPE };

static const char *const formats[] = { "text", "json", "gcc", NULL };

static const struct opt options[] = {
	ONE_OF('F', "format", "=FORMAT", formats,
	    "text (default), json (cix-lint/1), or gcc: one line each, for "
	    "editors"),
	FLAG(OPT_STRICT, "strict", "warnings give status 4 too"),
	TAKES(OPT_GATE, "gate", "=GATES", COMPLETE_NONE,
	    "operators that these stages refuse are errors: parser, kernel, "
	    "provider, with commas"),
	TAKES(OPT_TARGET, "target", "=TARGET", COMPLETE_NONE,
	    "the target in place of the configuration's"),
	TAKES(OPT_DISABLE, "disable", "=RULE", COMPLETE_NONE,
	    "drop the findings of RULE; several with commas, or again"),
	FLAG(OPT_LIST_RULES, "list-rules", "list the rules"),
	TAKES('o', "output", "=FILE", COMPLETE_FILE, "write to FILE"),
	FLAG('q', "quiet", "leave out findings of level note"),
	FLAG('v', "verbose", "print which model is read"),
	BETWEEN("Other work:"),
	TAKES(OPT_PREDICT, "predict", "=DATA", COMPLETE_FILE,
	    "run the float model over the calibration data, and print what "
	    "quantising it loses"),
	TAKES('T', "timeout", "=TIME", COMPLETE_NONE,
	    "limit of one inference of --predict: 30s, none (10min)"),
	TAKES(OPT_RUNS, "runs", "=N", COMPLETE_NONE,
	    "use the first N samples of DATA"),
	TAKES(OPT_EVALUATE, "evaluate", "=DATA", COMPLETE_FILE,
	    "with --predict: print the losses on other data"),
	PROGRESS_OPTIONS,
	FLAG(OPT_WRITE_CFG, "write-cfg",
	    "print a configuration for the model"),
	TAKES(OPT_FIX_SHAPE, "fix-shape", "=NAME=N", COMPLETE_NONE,
	    "write the model to the file of -o with this size in place of an "
	    "open dimension; again for others"),
	TAKES(OPT_DIAGNOSE, "diagnose", "=LOG", COMPLETE_FILE,
	    "explain the messages of the compiler in LOG; '-': stdin"),
	CMD_COMMON,
	{ 0 },
};

static const struct cmd_env env[] = {
	{ "NPU_ORT", "libonnxruntime for --predict (else found)" },
	{ 0 },
};

const struct program program = {
	.name = "cix-lint",
	.synopsis = "cix-lint [OPTION]... FILE.cfg|FILE.onnx...",
	.examples =
	"  cix-lint build.cfg\n"
	"  cix-lint --write-cfg model.onnx > build.cfg\n",
	.help =
	"Checks a configuration of the NPU's compiler, its model and its\n"
	"calibration data, without the compiler.  A FILE can also be a model\n"
	"alone.  The status is 4 if the compiler would stop.\n",
	.options = options,
	.operands = { COMPLETE_FILE, COMPLETE_FILE },
	.env = env,
};

/* The command line. */
struct lint_command {
	struct lint_options lint;
	struct predict_options predict;
	struct npu_dim *dim;	/* of --fix-shape */
	size_t n_dims;
	enum report_format format;
	bool strict, progress, write_cfg, list_rules;
	const char *diagnose, *output;
};

/* ---- Options ------------------------------------------------------------- */

static void
disable(struct lint_command *c, const char *word, size_t n)
{
	enum rule r = rule_by_name(word, n);
	struct suggestion s;

	if (r < RULE_N) {
		c->lint.off[r] = true;
		return;
	}
	suggest_begin(&s, word, n);
	for (r = 0; r < RULE_N; r++)
		suggest_try(&s, rule_name(r));
	if (s.best != NULL)
		cmd_usage("--disable: no rule is called '%.*s'; did you mean "
		    "'%s'?", (int)n, word, s.best);
	cmd_usage("--disable: no rule is called '%.*s'; --list-rules lists "
	    "them", (int)n, word);
}

static void
add_gate(struct lint_command *c, const char *word, size_t n)
{
	static const struct {
		const char *name;
		unsigned gate;
	} gates[] = {
		{ "parser", GATE_PARSER },
		{ "kernel", GATE_KERNEL },
		{ "provider", GATE_PROVIDER },
	};

	for (size_t i = 0; i < sizeof(gates) / sizeof(*gates); i++)
		if (strlen(gates[i].name) == n &&
		    memcmp(gates[i].name, word, n) == 0) {
			c->lint.gates |= gates[i].gate;
			return;
		}
	cmd_usage("--gate: '%.*s' is not parser, kernel or provider", (int)n,
	    word);
}

/* Calls add for each word of a list with commas. */
static void
each_word(struct lint_command *c, const char *list,
    void (*add)(struct lint_command *c, const char *word, size_t n))
{
	for (;;) {
		size_t n = strcspn(list, ",");

		add(c, list, n);
		if (list[n] == '\0')
			return;
		list += n + 1;
	}
}

/* "NAME=N"; the name may contain '='. */
static void
add_dim(struct lint_command *c, const char *text)
{
	const char *equal = strrchr(text, '=');

	if (equal == NULL || equal == text)
		cmd_usage("--fix-shape: '%s' is not NAME=N, such as batch=1",
		    text);
	c->dim = cmd_realloc(c->dim, (c->n_dims + 1) * sizeof(*c->dim));
	c->dim[c->n_dims].name = cmd_text("%.*s", (int)(equal - text), text);
	c->dim[c->n_dims++].size = (uint32_t)cmd_int("--fix-shape", equal + 1,
	    1, UINT32_MAX);
}

static void
take_option(struct lint_command *c, int opt)
{
	if (progress_option(opt, optarg)) {
		c->progress = true;
		return;
	}
	switch (opt) {
	case 'F':
		c->format = (enum report_format)cmd_choice("--format", optarg,
		    formats);
		break;
	case 'o': c->output = optarg; break;
	case 'q': cmd_quiet = true; break;
	case 'v': cmd_verbose = true; break;
	case OPT_STRICT: c->strict = true; break;
	case OPT_GATE: each_word(c, optarg, add_gate); break;
	case OPT_TARGET: c->lint.target = optarg; break;
	case OPT_DISABLE: each_word(c, optarg, disable); break;
	case OPT_LIST_RULES: c->list_rules = true; break;
	case OPT_PREDICT:
		c->predict.data = cmd_named("--predict", optarg);
		break;
	case 'T':
		c->predict.timeout_ms = cmd_duration_ms("--timeout", optarg);
		break;
	case OPT_RUNS:
		c->predict.runs = cmd_int("--runs", optarg, 1, INT64_MAX);
		break;
	case OPT_EVALUATE:
		c->predict.evaluate = cmd_named("--evaluate", optarg);
		break;
	case OPT_WRITE_CFG: c->write_cfg = true; break;
	case OPT_FIX_SHAPE: add_dim(c, optarg); break;
	default: c->diagnose = cmd_named("--diagnose", optarg); break;
	}
}

/* Returns an option that has no effect if no file is checked, or NULL. */
static const char *
unused_option(const struct lint_command *c)
{
	if (c->format == REPORT_GCC)
		return "-F gcc";
	if (c->format == REPORT_JSON && c->predict.data == NULL &&
	    c->diagnose == NULL)
		return "-F json";
	if (c->strict)
		return "--strict";
	if (c->lint.gates != 0)
		return "--gate";
	if (c->lint.target != NULL)
		return "--target";
	for (enum rule r = 0; r < RULE_N; r++)
		if (c->lint.off[r])
			return "--disable";
	return NULL;
}

static void
refuse_predict_options(const struct lint_command *c)
{
	if (c->predict.runs > 0)
		cmd_usage("--runs is for --predict");
	if (c->progress)
		cmd_usage("--progress is for --predict");
	if (c->predict.timeout_ms != 0)
		cmd_usage("--timeout is for --predict");
	if (c->predict.evaluate != NULL)
		cmd_usage("--evaluate is for --predict");
}

/* Refuses two kinds of work at a time, and options that one does not use. */
static void
check_command(const struct lint_command *c)
{
	const struct {
		const char *name;
		bool given;
	} work[] = {
		{ "list-rules", c->list_rules },
		{ "diagnose", c->diagnose != NULL },
		{ "predict", c->predict.data != NULL },
		{ "write-cfg", c->write_cfg },
		{ "fix-shape", c->n_dims > 0 },
	};
	const char *first = NULL, *unused = unused_option(c);

	for (size_t i = 0; i < sizeof(work) / sizeof(*work); i++) {
		if (work[i].given && first != NULL)
			cmd_usage("--%s and --%s are for two runs", first,
			    work[i].name);
		if (work[i].given)
			first = work[i].name;
	}
	if (c->predict.data == NULL)
		refuse_predict_options(c);
	if (c->n_dims > 0 && c->output == NULL)
		cmd_usage("--fix-shape needs -o, the file for the new model");
	if (first != NULL && unused != NULL)
		cmd_usage("%s is for findings, not for --%s", unused, first);
}

/* Moves the operands NAME=N to the sizes of --fix-shape, unless they are
 * files. */
static void
take_sizes(struct lint_command *c, char **files)
{
	char **kept = files;
	const char *equal;

	for (; *files != NULL; files++) {
		equal = strrchr(*files, '=');
		if (equal != NULL && equal[1] != '\0' &&
		    strspn(equal + 1, "0123456789") == strlen(equal + 1) &&
		    access(*files, F_OK) < 0)
			add_dim(c, *files);
		else
			*kept++ = *files;
	}
	*kept = NULL;
}

/* Returns the only file of a kind of work. */
static const char *
only_file(char *const *files, const char *work)
{
	if (files[0] == NULL)
		cmd_usage("--%s needs a FILE", work);
	if (files[1] != NULL)
		cmd_usage("--%s takes one FILE; leave out '%s'", work,
		    files[1]);
	cmd_name_input(files[0]);
	return files[0];
}

/* ---- Checking ------------------------------------------------------------ */

static void
list_rules(const char *output)
{
	struct buf b = { 0 };

	for (enum rule r = 0; r < RULE_N; r++)
		buf_printf(&b, "%-20s %s\n", rule_name(r), rule_summary(r));
	cmd_write_document(output, &b);
}

static int
check_files(const struct lint_command *c, char *const *files)
{
	struct report r = { .format = c->format, .json.pretty = true };
	struct npu_err err;
	int status = EXIT_DONE;

	if (files[0] == NULL)
		cmd_usage("name a configuration or an ONNX model");
	cmd_name_operands(files);
	report_begin(&r);
	for (; *files != NULL; files++) {
		struct lint l = { .o = &c->lint, .path = *files };

		if (lint_file(&l, &err) < 0) {
			cmd_warn("%s: %s", cmd_input_name(*files), err.msg);
			report_unread(&r, *files);
			status = EXIT_FAILED;
		} else {
			report_file(&r, &l);
			if (status == EXIT_DONE && findings_fail(&l.findings,
			    c->strict))
				status = EXIT_VERDICT;
		}
		lint_free(&l);
	}
	report_end(&r);
	cmd_write_document(c->output, &r.json.out);
	return status;
}

static int
run(struct lint_command *c, char **files)
{
	if (c->list_rules && files[0] != NULL)
		cmd_usage("--list-rules takes no FILE; leave out '%s'",
		    files[0]);
	if (c->diagnose != NULL && files[0] != NULL)
		cmd_usage("--diagnose explains a log, and checks no FILE: "
		    "leave out '%s'", files[0]);
	if (c->diagnose != NULL)
		return diagnose(c->diagnose, c->format == REPORT_JSON,
		    c->output);
	if (c->list_rules) {
		list_rules(c->output);
		return EXIT_DONE;
	}
	c->predict.json = c->format == REPORT_JSON;
	c->predict.output = c->output;
	if (c->predict.data != NULL)
		return predict(&c->predict, only_file(files, "predict"));
	if (c->write_cfg)
		return write_cfg(only_file(files, "write-cfg"), c->output);
	if (c->n_dims > 0) {
		take_sizes(c, files);
		return fix_shapes(only_file(files, "fix-shape"), c->dim,
		    c->n_dims, c->output);
	}
	return check_files(c, files);
}

int
main(int argc, char *argv[])
{
	struct lint_command c = { .format = REPORT_TEXT };
	int opt;

	cmd_start();
	while ((opt = cmd_option(argc, argv)) != -1)
		take_option(&c, opt);
	check_command(&c);
	cmd_exit(run(&c, argv + optind));
}
