// SPDX-License-Identifier: Apache-2.0
/* completion_zsh.c - the arguments of _arguments. */
#include "completion.h"

/* What completes, after the ':' of a specification. */
static const char *const actions[] = {
	[COMPLETE_NONE] = " ",
	[COMPLETE_FILE] = "_files",
	[COMPLETE_FOLDER] = "_files -/",
	[COMPLETE_PICTURE] = "_files -g \"*.(#i)(jpg|jpeg|png|ppm)(-.)\"",
	[COMPLETE_MODEL] = "_@@_models",
};

/* Of operands, in messages. */
static const char *const names[] = {
	[COMPLETE_FILE] = "file",
	[COMPLETE_FOLDER] = "folder",
	[COMPLETE_PICTURE] = "picture",
	[COMPLETE_MODEL] = "model",
};

static const char models[] =
"\n"
"_@@_models() {\n"
"\tlocal -a folders models\n"
"\tfolders=(${(s.:.)NPU_MODEL_PATH}\n"
"\t    ${commands[$service]:A:h:h}/share/npu-utils/models)\n"
"\tmodels=(${^folders}/*.cix(N-.:t))\n"
"\t_alternative 'files:file:_files -g \"*.cix(-.)\"' \\\n"
"\t    'models:model:compadd -a models'\n"
"}\n";

static const char begin[] =
"\n"
"_@@() {\n"
"\t_arguments -s -S";

static const char end[] =
"\n"
"}\n"
"\n"
"# The first where it lies in fpath, as _NAME; the second for source.\n"
"if [[ $service == @n && $funcstack[1] == _@n ]]; then\n"
"\t_@@ \"$@\"\n"
"else\n"
"\tcompdef _@@ @n\n"
"fi\n";

/* "[help]:ARG:action'", after what the option is called and a quote. */
static void
explain(struct buf *b, const struct opt *o)
{
	char arg[80];

	buf_puts(b, "[");
	completion_escape(b, o->help, "[]\\:", "'\\''");
	buf_puts(b, "]");
	if (o->arg != NULL) {
		completion_arg(arg, sizeof(arg), o);
		buf_puts(b, completion_optional(o) ? "::" : ":");
		completion_escape(b, arg, "\\:", "'\\''");
		buf_puts(b, ":");
		if (completion_word(o, 0) == NULL) {
			completion_template(b, actions[o->complete]);
		} else {
			buf_puts(b, "(");
			completion_words(b, o);
			buf_puts(b, ")");
		}
	}
	buf_puts(b, "'");
}

/* A flag is offered once, what takes an argument always. */
static void
specify(struct buf *b, const struct opt *o)
{
	bool letter = o->val <= '~';

	buf_puts(b, " \\\n\t    ");
	if (completion_optional(o))
		buf_printf(b, "'--%s=-", o->name);
	else if (o->arg != NULL && letter)
		buf_printf(b, "'*'{-%c+,--%s=}'", o->val, o->name);
	else if (o->arg != NULL)
		buf_printf(b, "'*--%s=", o->name);
	else if (letter)
		buf_printf(b, "'(-%c --%s)'{-%c,--%s}'", o->val, o->name,
		    o->val, o->name);
	else
		buf_printf(b, "'--%s", o->name);
	explain(b, o);
}

static void
operand(struct buf *b, const char *which, enum complete complete)
{
	if (complete == COMPLETE_NONE)
		return;
	buf_printf(b, " \\\n\t    '%s:%s:", which, names[complete]);
	completion_template(b, actions[complete]);
	buf_puts(b, "'");
}

void
completion_zsh(struct buf *b)
{
	const enum complete *operands = program.operands;

	if (completion_models())
		completion_template(b, models);
	completion_template(b, begin);
	for (const struct opt *o = program.options; o->help != NULL; o++)
		if (o->name != NULL)
			specify(b, o);
	operand(b, "1", operands[0]);
	operand(b, "*", operands[1]);
	completion_template(b, end);
}
