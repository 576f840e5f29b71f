// SPDX-License-Identifier: Apache-2.0
/* oddopts - a program whose options contain characters that shells must quote.
 * Does nothing; only its --help and --completion are used. */
#include "cmd.h"

static const char *const words[] = { "one", "two-three", "4", NULL };

static const struct opt options[] = {
	FLAG('a', "all", "[a]: c's \"d\" \\e $f `g` %h {i} (j) *k ~l #m;n&o|p"),
	TAKES('b', "bound", "=[pN:]A]'B", COMPLETE_NONE, "x]: y' \\"),
	ONE_OF(256, "choice", "[=A:B]", words, "it's one: [of] $(them)"),
	CMD_COMMON,
	{ 0 },
};

const struct program program = {
	.name = "oddopts",
	.synopsis = "oddopts [OPTION]...",
	.examples = "  oddopts\n  oddopts -a\n",
	.help = "Does nothing.\n",
	.options = options,
	.operands = { COMPLETE_FOLDER, COMPLETE_MODEL },
};

int
main(int argc, char *argv[])
{
	cmd_start();
	while (cmd_option(argc, argv) != -1)
		;
	cmd_exit(EXIT_DONE);
}
