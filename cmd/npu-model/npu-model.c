// SPDX-License-Identifier: Apache-2.0
/* npu-model - lists, fetches, checks and removes models for the NPU. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "catalogue.h"
#include "cmd.h"
#include "options.h"
#include "progress.h"
#include "suggest.h"
#include "thread.h"

static const char *const formats[] = { "text", "json", "csv", "tsv", NULL };

static const struct opt options[] = {
	ONE_OF('F', "format", "=FORMAT", formats,
	    "list, get, verify: text (default) or json; list: also csv, tsv"),
	FLAG(OPT_JSON, "json", "the same as -F json"),
	TAKES('o', "output", "=FILE", COMPLETE_FILE,
	    "list, verify: write to FILE; get: put the models into the folder "
	    "FILE"),
	FLAG(OPT_YES, "yes", "rm: remove the files"),
	PROGRESS_OPTIONS,
	BETWEEN("\nOptions of get:"),
	FLAG(OPT_DRY_RUN, "dry-run",
	    "print what would be asked of whom, and ask nobody"),
	TAKES(OPT_MIRROR, "mirror", "=URL", COMPLETE_FOLDER,
	    "fetch from URL, or a folder, in place of the hub"),
	TAKES(OPT_SHA256, "sha256", "=SUM", COMPLETE_NONE,
	    "the SHA-256 that the file must have"),
	FLAG(OPT_TRUST, "trust", "keep files whose sum is not known"),
	FLAG(OPT_FORCE, "force", "replace files that differ"),
	TAKES('j', "jobs", "=N", COMPLETE_NONE,
	    "fetch N files at a time (default 4; 0: one per processor)"),
	TAKES(OPT_LIMIT_RATE, "limit-rate", "=SIZE", COMPLETE_NONE,
	    "at most SIZE bytes in a second: 500k, 2MiB"),
	TAKES(OPT_TRIES, "tries", "=N", COMPLETE_NONE,
	    "give up after N failures without progress (default 5)"),
	TAKES(OPT_PAUSE, "pause", "=TIME", COMPLETE_NONE,
	    "wait TIME before the second try, then twice as long each time "
	    "(default 1s)"),
	TAKES(OPT_STALL, "stall", "=TIME", COMPLETE_NONE,
	    "a server that sends nothing for TIME has failed (default 30s)"),
	BETWEEN("\nGeneral options:"),
	FLAG('q', "quiet", "no notes"),
	FLAG('v', "verbose", "print which files were read"),
	CMD_COMMON,
	BETWEEN("\nCommands:\n"
	    "  list [PATTERN]        the models that are known, and whether "
	    "they are here\n"
	    "  get NAME|HUB:PATH|URL...\n"
	    "                        fetch files, and keep those that are "
	    "right\n"
	    "  verify [FILE|FOLDER]...\n"
	    "                        compare files with the sums that are "
	    "known\n"
	    "  path NAME             print where a model's file is\n"
	    "  rm NAME...            remove files that get brought\n"
	    "  prune [FOLDER]...     remove parts that fetches left"),
	{ 0 },
};

static const char *
command_name(size_t i)
{
	return commands[i].name;
}

/* For completion.  Returns NULL beyond the last model, and for a table that
 * cannot be read. */
static const char *
model_name(size_t i)
{
	static struct model_catalogue all;
	static bool opened;
	struct npu_err err;

	if (!opened)
		catalogue_try_open(&all, &err);
	opened = true;
	return i < all.n ? all.model[i].name : NULL;
}

static const struct cmd_env env[] = {
	CMD_MODEL_ENV,
	{ "NPU_HUB", "where get fetches from, as --mirror" },
	{ "https_proxy", "the proxy that get uses" },
	{ "CURL_CA_BUNDLE", "the file of certificates that get trusts" },
	{ .name = NULL },
};

const struct program program = {
	.name = "npu-model",
	.synopsis = "npu-model COMMAND [OPTION]... [ARGUMENT]...",
	.examples =
	"  npu-model list\n"
	"  npu-model get yolov8n\n",
	.help =
	"Lists the models that are known, fetches them, checks and removes\n"
	"their files.\n",
	.options = options,
	.operands = { COMPLETE_CHOICE, COMPLETE_FILE },
	.operand_word = command_name,
	.later_word = model_name,
	.env = env,
};

const struct command commands[] = {
	{ "list", FOR_LIST, 0, 1, "[PATTERN]", list_main },
	{ "get", FOR_GET, 1, INT_MAX, "NAME|HUB:PATH|URL...", get_main },
	{ "verify", FOR_VERIFY, 0, INT_MAX, "[FILE|FOLDER]...", verify_main },
	{ "path", FOR_PATH, 1, 1, "NAME", path_main },
	{ "rm", FOR_RM, 1, INT_MAX, "NAME... --yes", rm_main },
	{ "prune", FOR_PRUNE, 0, INT_MAX, "[FOLDER]...", prune_main },
	{ .name = NULL },
};

/* ---- Options ----------------------------------------------------------- */

/* The commands that use an option; the others refuse it (rule 7).  An option
 * that is not here is for all. */
static const struct {
	int opt;
	unsigned commands;
} option_uses[] = {
	{ 'F', FOR_LIST | FOR_GET | FOR_VERIFY },
	{ OPT_JSON, FOR_LIST | FOR_GET | FOR_VERIFY },
	{ 'o', FOR_LIST | FOR_GET | FOR_VERIFY },
	{ OPT_YES, FOR_RM },
	{ OPT_DRY_RUN, FOR_GET },
	{ OPT_FORCE, FOR_GET },
	{ OPT_LIMIT_RATE, FOR_GET },
	{ OPT_MIRROR, FOR_GET },
	{ OPT_PAUSE, FOR_GET },
	{ OPT_SHA256, FOR_GET },
	{ OPT_STALL, FOR_GET },
	{ OPT_TRIES, FOR_GET },
	{ OPT_TRUST, FOR_GET },
	{ 'j', FOR_GET },
	{ PROGRESS_OPTION, FOR_GET | FOR_VERIFY },
};

static int32_t
finite(const char *option, const char *arg)
{
	int32_t ms = cmd_duration_ms(option, arg);

	if (ms < 0)
		cmd_usage("%s: 'none' is not a duration here", option);
	return ms;
}

/* Reads an option of get. */
static void
parse_get_option(struct model_options *o, int opt)
{
	struct transfer_options *t = &o->transfer;

	switch (opt) {
	case OPT_DRY_RUN: o->dry_run = true; break;
	case OPT_FORCE: o->force = true; break;
	case OPT_LIMIT_RATE:
		t->rate = cmd_size("--limit-rate", optarg, 1, INT64_C(1) << 40);
		break;
	case OPT_MIRROR: o->mirror = cmd_named("--mirror", optarg); break;
	case OPT_PAUSE: t->pause_ms = finite("--pause", optarg); break;
	case OPT_SHA256: o->sha256 = optarg; break;
	case OPT_STALL: t->stall_ms = finite("--stall", optarg); break;
	case OPT_TRIES:
		t->tries = (int)cmd_int("--tries", optarg, 1, 1000);
		break;
	case OPT_TRUST: o->trust = true; break;
	case 'j': o->jobs = thread_count(optarg); break;
	}
}

static void
parse_option(struct model_options *o, int opt)
{
	if (progress_option(opt, optarg))
		return;
	switch (opt) {
	case 'F':
		o->format = (enum format)cmd_choice("--format", optarg,
		    formats);
		break;
	case OPT_JSON: o->json = true; break;
	case 'o': o->output = cmd_named("--output", optarg); break;
	case OPT_YES: o->yes = true; break;
	case 'q': cmd_quiet = true; break;
	case 'v': cmd_verbose = true; break;
	default: parse_get_option(o, opt);
	}
}

static _Noreturn void
unknown_command(const char *word)
{
	struct suggestion s;

	suggest_begin(&s, word, strlen(word));
	for (const struct command *c = commands; c->name != NULL; c++)
		suggest_try(&s, c->name);
	if (s.best != NULL)
		cmd_usage("no command is called '%s'; did you mean '%s'?",
		    word, s.best);
	cmd_usage("no command is called '%s'; --help lists them", word);
}

static const struct command *
find_command(const char *word)
{
	for (const struct command *c = commands; c->name != NULL; c++)
		if (strcmp(c->name, word) == 0)
			return c;
	unknown_command(word);
}

static void
refuse_option(const struct command *c, int opt)
{
	for (size_t i = 0; i < sizeof(option_uses) / sizeof(*option_uses);
	    i++)
		if (option_uses[i].opt == opt &&
		    (option_uses[i].commands & c->bit) == 0)
			cmd_usage("--%s: npu-model %s does not use it",
			    cmd_option_name(opt), c->name);
}

static void
check_format(struct model_options *o)
{
	if (o->json && o->format > FORMAT_JSON)
		cmd_usage("--json and --format=%s", formats[o->format]);
	if (o->format > FORMAT_JSON && o->command->bit != FOR_LIST)
		cmd_usage("--format=%s is for list; %s writes text or json",
		    formats[o->format], o->command->name);
	o->json |= o->format == FORMAT_JSON;
}

static void
check_operands(const struct model_options *o)
{
	const struct command *c = o->command;

	if (o->n_operands < c->least || o->n_operands > c->most)
		cmd_usage("use it as: npu-model %s %s", c->name, c->operands);
}

void
read_options(struct model_options *o, int argc, char *argv[])
{
	int *given = cmd_alloc((size_t)argc * sizeof(*given)), n = 0, opt;

	while ((opt = cmd_option(argc, argv)) != -1) {
		parse_option(o, opt);
		given[n++] = opt;
	}
	if (optind == argc)
		cmd_usage("no command given; --help lists them");
	o->command = find_command(argv[optind]);
	o->operands = argv + optind + 1;
	o->n_operands = argc - optind - 1;
	while (n > 0)
		refuse_option(o->command, given[--n]);
	check_format(o);
	check_operands(o);
	free(given);
}

int
main(int argc, char *argv[])
{
	struct model_options o = { .jobs = 4, .transfer = { .tries = 5,
	    .pause_ms = 1000, .stall_ms = 30000 } };

	cmd_start();
	read_options(&o, argc, argv);
	cmd_exit(o.command->run(&o));
}
