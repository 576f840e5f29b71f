// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "cmd.h"
#include "options.h"

enum { OPT_COLOR = 256, OPT_DURING, OPT_JSON, OPT_NODE, OPT_PLAIN, OPT_ROOT };

enum {
	LEAST_MS = 100,		/* ten samples */
	INTERVAL_MS = 1000,
};

static const char *const formats[] = { "text", "plain", "json", "jsonl", "csv",
    "tsv", NULL };

static const struct opt options[] = {
	TAKES('i', "interval", "=TIME", COMPLETE_NONE,
	    "print every TIME, such as 500ms (1s)"),
	TAKES('n', "count", "=N", COMPLETE_NONE, "end after N outputs"),
	ONE_OF('F', "format", "=FORMAT", formats,
	    "text: the view; plain; json or jsonl: lines; csv or tsv: a row "
	    "for each core"),
	FLAG(OPT_JSON, "json", "lines of JSON, schema npu-top/1"),
	FLAG(OPT_PLAIN, "plain", "lines of fields between TABs"),
	FLAG(OPT_DURING, "during",
	    "run the COMMAND that follows, and print how busy the NPU was "
	    "meanwhile"),
	TAKES(OPT_NODE, "node", "=PATH", COMPLETE_FILE,
	    "device node (/dev/aipu)"),
	TAKES(OPT_ROOT, "root", "=DIR", COMPLETE_FOLDER,
	    "watch the machine whose files are below DIR"),
	COLOUR_OPTION(OPT_COLOR),
	TAKES('o', "output", "=FILE", COMPLETE_FILE, "write to FILE"),
	FLAG('q', "quiet", "no notes on stderr"),
	FLAG('v', "verbose", "print what is watched"),
	CMD_COMMON,
	{ 0 },
};

static const struct cmd_env env[] = {
	COLOUR_ENV,
	{ 0 },
};

const struct program program = {
	.name = "npu-top",
	.synopsis = "npu-top [OPTION]... [--during COMMAND [ARGUMENT]...]",
	.examples =
	"  npu-top\n"
	"  npu-top --during npu-run clip_txt.cix tokens >out\n",
	.help =
	"Shows how busy the NPU is, its clock, power, interrupts and heat,\n"
	"and who has it open: as a view on a terminal, elsewhere as lines of\n"
	"JSON.  Changes nothing.  q ends it, h helps.\n",
	.options = options,
	.env = env,
};

/* ---- Options ---------------------------------------------------------- */

static void
parse_option(struct npu_top_options *o, int opt)
{
	switch (opt) {
	case 'i':
		o->interval_ms = cmd_interval_ms("--interval", optarg,
		    LEAST_MS);
		break;
	case 'n': o->count = cmd_int("--count", optarg, 1, INT64_MAX); break;
	case OPT_COLOR:
		o->when = colour_read(optarg);
		o->colour_given = true;
		break;
	case 'o': o->output = optarg; break;
	case 'q': cmd_quiet = true; break;
	case 'v': cmd_verbose = true; break;
	case 'F':
		o->format = FORMAT_TEXT + cmd_choice("--format", optarg,
		    formats);
		break;
	case OPT_JSON: o->json = true; break;
	case OPT_NODE: o->node = optarg; break;
	case OPT_PLAIN: o->plain = true; break;
	default: o->root = cmd_named("--root", optarg); break;	/* OPT_ROOT */
	}
}

/* --output names a file and not only stdout. */
static bool
is_file(const struct npu_top_options *o)
{
	return o->output != NULL && !cmd_is_dash(o->output);
}

/* Resolves what --format, --json and --plain mean together. */
static void
resolve_format(struct npu_top_options *o)
{
	enum format flag = o->json ? FORMAT_JSON : o->plain ? FORMAT_PLAIN :
	    UNSET;

	if (o->json && o->plain)
		cmd_usage("--json and --plain contradict each other");
	/* A document is one line here: json and jsonl are the same. */
	if (o->format == FORMAT_JSONL)
		o->format = FORMAT_JSON;
	if (o->format != UNSET && flag != UNSET && o->format != flag)
		cmd_usage("--format=%s and --%s contradict each other",
		    formats[o->format - FORMAT_TEXT],
		    formats[flag - FORMAT_TEXT]);
	if (o->format == UNSET)
		o->format = flag;
	if (o->format == UNSET && o->command == NULL &&
	    (is_file(o) || !cmd_stdout_is_terminal()))
		o->format = FORMAT_JSON;
}

static void
check_during(const struct npu_top_options *o)
{
	if (o->count != 0 || o->interval_ms != 0)
		cmd_usage("--during has one output, at the end: leave out "
		    "--interval and --count");
}

static void
choose_form(struct npu_top_options *o)
{
	bool during = o->command != NULL;

	if (during)
		check_during(o);
	resolve_format(o);
	if (is_file(o) && !during && o->format == FORMAT_TEXT)
		cmd_usage("--output is for lines, not the view: choose "
		    "another --format");
	if (o->count == 0 && !during && cmd_output_appears(o->output))
		cmd_usage("--output: '%s' appears when it is whole, which "
		    "needs --count", o->output);
	if (o->format >= FORMAT_CSV)
		o->form = ROWS;
	else if (o->format == FORMAT_JSON)
		o->form = JSON;
	else if (o->format == FORMAT_PLAIN)
		o->form = PLAIN;
	else if (during)
		o->form = LINE;
	else
		o->form = colour_term_is_dumb() || !cmd_stdout_is_terminal() ?
		    VIEWS : VIEW;
	o->separator = o->format == FORMAT_CSV ? ',' : '\t';
	if (o->colour_given && o->form != VIEW && o->form != VIEWS)
		cmd_usage("--color is for the view: --format=text");
	o->colour = o->colour_given ? colour_wanted(o->when) :
	    o->form == VIEW && colour_wanted(COLOUR_AUTO);
}

static bool
is_operand(const char *word)
{
	return word != NULL && (word[0] != '-' || word[1] == '\0');
}

static char **
during_command(char **words)
{
	if (words[0] != NULL && strcmp(words[0], "--") == 0)
		words++;
	if (words[0] == NULL)
		cmd_usage("--during needs a command");
	return words;
}

void
read_top_options(struct npu_top_options *o, int argc, char *argv[])
{
	int opt = 0;
	bool operands = false;

	/* The words after --during are the command's, with its options. */
	while (opt != OPT_DURING) {
		operands = operands || is_operand(argv[optind > 0 ? optind :
		    1]);
		if ((opt = cmd_option(argc, argv)) == -1)
			break;
		if (opt != OPT_DURING)
			parse_option(o, opt);
	}
	if (opt == OPT_DURING)
		o->command = during_command(argv + optind);
	if (operands || (opt == -1 && argc > optind))
		cmd_usage("takes no operands");
	choose_form(o);
	if (o->interval_ms == 0)
		o->interval_ms = INTERVAL_MS;
}
