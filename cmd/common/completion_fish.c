// SPDX-License-Identifier: Apache-2.0
/* completion_fish.c - a call of complete for each option. */
#include "completion.h"

/* What completes an argument: -x is "needs one, which is no file", -rF "needs
 * one, which is a file". */
static const char *const arguments[] = {
	[COMPLETE_NONE] = " -x",
	[COMPLETE_FILE] = " -rF",
	[COMPLETE_FOLDER] = " -x -a '(__fish_complete_directories)'",
	[COMPLETE_PICTURE] = " -rF",
	[COMPLETE_MODEL] = " -x -k -a '(__@@_models)'",
};

/* The same of operands. */
static const char *const operands[] = {
	[COMPLETE_FILE] = " -F",
	[COMPLETE_FOLDER] = " -a '(__fish_complete_directories)'",
	[COMPLETE_PICTURE] = " -F",
	[COMPLETE_MODEL] = " -k -a '(__@@_models)'",
};

/* Names of installed models, then .cix files and folders; files of any name
 * where there is none of these. */
static const char models[] =
"\n"
"function __@@_models\n"
"\tset -l own (command -s @n | path resolve)\n"
"\tset -l word (commandline -ct | string replace -r -- '^-[^=]*=' '')\n"
"\tset -l files (complete -C \"__@@_no_such_command $word\")\n"
"\tset -l models (string match -r -- '.*(?:\\.cix|/)$' $files)\n"
"\tfor folder in (string split : -- $NPU_MODEL_PATH) \\\n"
"\t    (path dirname -- $own | path dirname)/share/npu-utils/models\n"
"\t\tset -a models (path basename -- $folder/*.cix)\n"
"\tend\n"
"\tif string match -q -- \"$word*\" $models\n"
"\t\tstring join \\n -- $models\n"
"\telse\n"
"\t\tstring join \\n -- $files\n"
"\tend\n"
"end\n";

/* fish asks for operands where an option's argument may be left out, too. */
static const char operand_begin[] =
"\n"
"function __@@_operand -a relation\n"
"\tstring match -q -- '-*=*' (commandline -ct)\n"
"\tand return 1\n";

static const char operand_end[] =
" -- $words[2..] 2>/dev/null\n"
"\ttest (count $argv) $relation 0\n";

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
	} else if (completion_optional(o)) {
		buf_puts(b, " -F");
	} else if (o->arg != NULL) {
		completion_template(b, arguments[o->complete]);
	}
	buf_puts(b, " -d '");
	completion_escape(b, o->help, "\\", "\\'");
	buf_puts(b, "'\n");
}

/* "set -l words ...; argparse ...", which tells operands from arguments. */
static void
parse(struct buf *b)
{
	buf_puts(b, "\tset -l words (commandline -opc)\n\targparse -i");
	for (const struct opt *o = program.options; o->help != NULL; o++) {
		if (o->name == NULL)
			continue;
		buf_puts(b, " '");
		if (o->val <= '~')
			buf_printf(b, "%c/", o->val);
		buf_printf(b, "%s%s'", o->name, o->arg == NULL ? "" :
		    completion_optional(o) ? "=?" : "=");
	}
	buf_puts(b, operand_end);
}

static void
operand(struct buf *b, const char *relation, enum complete complete)
{
	if (complete == COMPLETE_NONE)
		return;
	completion_template(b, "complete -c @n -n '__@@_operand");
	buf_printf(b, "%s'", relation);
	completion_template(b, operands[complete]);
	buf_puts(b, "\n");
}

void
completion_fish(struct buf *b)
{
	const enum complete *first = program.operands;
	bool alike = first[0] == first[1];

	if (completion_models())
		completion_template(b, models);
	completion_template(b, operand_begin);
	if (alike)
		buf_puts(b, "\treturn 0\n");
	else
		parse(b);
	completion_template(b, "end\n\ncomplete -c @n -f\n");
	operand(b, alike ? "" : " -eq", first[0]);
	if (!alike)
		operand(b, " -gt", first[1]);
	for (const struct opt *o = program.options; o->help != NULL; o++)
		if (o->name != NULL)
			option(b, o);
}
