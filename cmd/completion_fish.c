// SPDX-License-Identifier: Apache-2.0
/* completion_fish.c - a call of complete for each option. */
#include "completion.h"

/* What completes an argument: -x is "needs one, which is no file", -rF "needs
 * one, which is a file". */
static const char *const arguments[] = {
	[ANYTHING] = " -x",
	[A_FILE] = " -rF",
	[A_FOLDER] = " -x -a '(__fish_complete_directories)'",
	[A_PICTURE] = " -rF",
	[A_MODEL] = " -x -k -a '(__@@_models)'",
};

/* The same of operands. */
static const char *const operands[] = {
	[A_FILE] = " -F",
	[A_PICTURE] = " -F",
	[A_MODEL] = " -k -a '(__@@_models)'",
};

/* Names of installed models, then .cix files and folders. */
static const char models[] =
"\n"
"function __@@_models\n"
"\tset -l own (command -s @n | path resolve)\n"
"\tfor folder in (string split : -- $NPU_MODEL_PATH) \\\n"
"\t    (path dirname -- $own | path dirname)/share/npu-utils/models\n"
"\t\tpath basename -- $folder/*.cix\n"
"\tend\n"
"\t__fish_complete_suffix .cix\n"
"end\n";

static const char count_begin[] =
"\n"
"# How many operands are before the cursor.\n"
"function __@@_operands\n"
"\tset -l words (commandline -opc)\n"
"\targparse -i";

static const char count_end[] =
" -- $words[2..] 2>/dev/null\n"
"\tcount $argv\n"
"end\n";

static void
option(struct buf *b, const struct opt *o)
{
	completion_template(b, "complete -c @n");
	if (o->val <= '~')
		buf_printf(b, " -s %c", o->val);
	buf_printf(b, " -l %s", o->name);
	if (completion_word(o, 0) != NULL) {
		buf_puts(b, completion_optional(o) ? " -f -a '" : " -x -a '");
		completion_words(b, o);
		buf_puts(b, "'");
	} else if (o->arg != NULL && !completion_optional(o)) {
		completion_template(b, arguments[o->from]);
	}
	buf_puts(b, " -d '");
	completion_escape(b, o->help, "\\", "\\'");
	buf_puts(b, "'\n");
}

/* The options for argparse, which tells operands from their arguments. */
static void
count_operands(struct buf *b)
{
	completion_template(b, count_begin);
	for (const struct opt *o = program.options; o->help != NULL; o++) {
		if (o->name == NULL)
			continue;
		buf_puts(b, " '");
		if (o->val <= '~')
			buf_printf(b, "%c/", o->val);
		buf_printf(b, "%s%s'", o->name, o->arg == NULL ? "" :
		    completion_optional(o) ? "=?" : "=");
	}
	completion_template(b, count_end);
}

static void
operand(struct buf *b, const char *condition, enum completes from)
{
	if (from == ANYTHING)
		return;
	completion_template(b, "complete -c @n");
	completion_template(b, condition);
	completion_template(b, operands[from]);
	buf_puts(b, "\n");
}

void
completion_fish(struct buf *b)
{
	bool alike = program.operands[0] == program.operands[1];

	if (completion_models())
		completion_template(b, models);
	if (!alike)
		count_operands(b);
	completion_template(b, "\ncomplete -c @n -f\n");
	operand(b, alike ? "" : " -n 'test (__@@_operands) -eq 0'",
	    program.operands[0]);
	if (!alike)
		operand(b, " -n 'test (__@@_operands) -gt 0'",
		    program.operands[1]);
	for (const struct opt *o = program.options; o->help != NULL; o++)
		if (o->name != NULL)
			option(b, o);
}
