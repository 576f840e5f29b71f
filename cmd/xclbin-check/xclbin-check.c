// SPDX-License-Identifier: Apache-2.0
/* xclbin-check - check whether an AMD NPU can run a container, and explain why
 * not. */
#include "check.h"
#include "colour.h"
#include "json_error.h"

enum { OPT_JSON = 256, OPT_PLAIN, OPT_COLOUR, OPT_MACHINE, OPT_ROOT,
    OPT_DIAGNOSE, OPT_INSTS };

static const char *const machine_words[] = { "auto", "none", NULL };

static const struct opt options[] = {
	FLAG(OPT_JSON, "json", "write JSON: xclbin-check/1"),
	FLAG(OPT_PLAIN, "plain", "write lines of fields, TABs between them"),
	COLOUR_OPTION(OPT_COLOUR),
	ONE_OF(OPT_MACHINE, "machine", "=WHEN", machine_words,
	    "whether to check this machine: auto (default) or none"),
	TAKES(OPT_ROOT, "root", "=DIR", COMPLETE_FOLDER,
	    "check the machine below DIR: DIR/sys, DIR/proc, DIR/dev"),
	TAKES(OPT_DIAGNOSE, "diagnose", "=TEXT", COMPLETE_NONE,
	    "explain a message of a program or of the kernel log; '-': explain "
	    "the lines on stdin"),
	TAKES(OPT_INSTS, "insts", "=FILE", COMPLETE_FILE,
	    "check that this instruction stream fits each file"),
	TAKES('o', "output", "=FILE", COMPLETE_FILE, "write to FILE"),
	FLAG('q', "quiet", "only failures and warnings"),
	FLAG('v', "verbose", "print which files are read"),
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
	"Checks whether an AMD NPU can run an xclbin file.  If not, explains\n"
	"why, and prints what to do next.\n",
	.options = options,
	.operands = { COMPLETE_FILE, COMPLETE_FILE },
	.env = environment,
};

/* ---- Options ----------------------------------------------------------- */

/* Refuses options and operands that --diagnose does not use.  file is the first
 * operand, or NULL. */
static void
check_diagnosis(const struct check_options *o, const char *file)
{
	if (file != NULL)
		cmd_usage("--diagnose explains a text, and checks no file: "
		    "leave out '%s'", file);
	if (o->json || o->colour_given || o->machine_given ||
	    o->root != NULL || o->insts != NULL)
		cmd_usage("--diagnose explains a text: leave out --%s",
		    o->json ? "json" : o->colour_given ? "color" :
		    o->machine_given ? "machine" : o->root != NULL ? "root" :
		    "insts");
}

/* Ends the program with a usage error if there is nothing to check.  file is
 * the first operand, or NULL. */
static void
check_subject(const struct check_options *o, const char *file)
{
	if (file == NULL && o->insts != NULL)
		cmd_usage("--insts needs the file that the stream is for");
	if (file == NULL && o->no_machine)
		cmd_usage("--machine=none needs a file, or there is nothing to "
		    "check");
	if (o->root != NULL && o->no_machine)
		cmd_usage("--root and --machine=none contradict each other");
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
		case OPT_INSTS: o->insts = cmd_named("--insts", optarg); break;
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
	if (o->diagnose != NULL) {
		check_diagnosis(o, argv[optind]);
		return;
	}
	check_subject(o, argv[optind]);
	cmd_name_input(o->insts);
	if (argv[optind] != NULL)
		cmd_name_operands(argv + optind);
}

int
main(int argc, char *argv[])
{
	struct check_options o = { .json = false };

	cmd_start();
	read_options(&o, argc, argv);
	if (o.diagnose != NULL)
		cmd_exit(check_diagnose(o.diagnose, o.plain, o.output));
	if (o.json)
		json_on_failure(CHECK_SCHEMA, o.output);
	cmd_exit(check_all(&o, argv + optind));
}
