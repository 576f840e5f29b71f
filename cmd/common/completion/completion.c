// SPDX-License-Identifier: Apache-2.0
/*
 * completion.c - --completion: writes a shell's template
 * (completion/program.bash and so on), and between its parts the text that
 * differs between programs.
 */
#include <string.h>

#include "completion/completion.h"
#include "completion/templates.h"
#include "npu.h"

const char *const cmd_shells[] = { "bash", "zsh", "fish", NULL };

/* ---- Options ------------------------------------------------------------ */

/* Returns the option after o, or the first for NULL; NULL after the last.
 * Skips headings and remarks. */
static const struct opt *
next_option(const struct opt *o)
{
	o = o == NULL ? program.options : o + 1;
	while (o->help != NULL && o->name == NULL)
		o++;
	return o->help != NULL ? o : NULL;
}

static bool
has_letter(const struct opt *o)
{
	return o->val <= '~';
}

/* True if the option's argument is optional. */
static bool
is_optional(const struct opt *o)
{
	return o->arg != NULL && *o->arg == '[';
}

/* Returns the i-th type whose elements are whole bytes. */
static const char *
type_name(size_t i)
{
	for (uint32_t code = 0; code < 256; code++)
		if (npu_dtype_size(code) > 0 && i-- == 0)
			return npu_dtype_name(code);
	return NULL;
}

/* Returns the i-th word that can be the argument of o, which has choices; NULL
 * after the last. */
static const char *
choice(const struct opt *o, size_t i)
{
	return o->complete == COMPLETE_TYPE ? type_name(i) : o->choices[i];
}

static bool
has_choices(const struct opt *o)
{
	return o->complete == COMPLETE_CHOICE || o->complete == COMPLETE_TYPE;
}

/* Adds all choices, separated by blanks. */
static void
put_choices(struct buf *b, const struct opt *o)
{
	const char *word;

	for (size_t i = 0; (word = choice(o, i)) != NULL; i++)
		buf_printf(b, "%s%s", i > 0 ? " " : "", word);
}

/* Adds the words of an operand, separated by blanks. */
static void
put_words(struct buf *b, const char *(*word)(size_t i))
{
	for (size_t i = 0; word(i) != NULL; i++)
		buf_printf(b, "%s%s", i > 0 ? " " : "", word(i));
}

/* Returns the words of the first operand (0) or of later operands; NULL: they
 * have none. */
static const char *(*operand_words(int later))(size_t i)
{
	return later ? program.later_word : program.operand_word;
}

/* True if an operand or an option takes a model. */
static bool
takes_model(void)
{
	bool any = program.operands[0] == COMPLETE_MODEL ||
	    program.operands[1] == COMPLETE_MODEL;

	for (const struct opt *o = NULL; (o = next_option(o)) != NULL; )
		any |= o->complete == COMPLETE_MODEL;
	return any;
}

/* ---- Text --------------------------------------------------------------- */

/* Adds the text of a template; @PROGRAM@ becomes the name of the program,
 * PROGRAM the same with _ for -. */
static void
put_template(struct buf *b, const char *text)
{
	static const char word[] = "PROGRAM";
	const size_t len = sizeof(word) - 1;
	const char *next;
	bool name;

	for (; (next = strstr(text, word)) != NULL; text = next + len + name) {
		name = next > text && next[-1] == '@' && next[len] == '@';
		buf_add(b, text, (size_t)(next - text) - name);
		for (const char *p = program.name; *p != '\0'; p++)
			buf_add(b, *p == '-' && !name ? "_" : p, 1);
	}
	buf_puts(b, text);
}

/* Adds text with a backslash before each letter of special, for use between
 * quotes.  A quote in the text becomes quote: "'\\''" or "\\'". */
static void
put_escaped(struct buf *b, const char *text, const char *special,
    const char *quote)
{
	for (; *text != '\0'; text++) {
		if (*text == '\'') {
			buf_puts(b, quote);
			continue;
		}
		if (strchr(special, *text) != NULL)
			buf_puts(b, "\\");
		buf_add(b, text, 1);
	}
}

/* ---- bash: one case statement ------------------------------------------- */

static void
bash_kind(struct buf *b, enum complete complete)
{
	static const char *const kinds[] = {
		[COMPLETE_NONE] = "",
		[COMPLETE_FILE] = " from=file",
		[COMPLETE_FOLDER] = " from=folder",
		[COMPLETE_PICTURE] = " from=picture",
		[COMPLETE_MODEL] = " from=model",
	};

	buf_puts(b, kinds[complete]);
}

/* Adds the clause of an option that takes an argument. */
static void
bash_option(struct buf *b, const struct opt *o)
{
	if (o->arg == NULL)
		return;
	buf_puts(b, "\t");
	if (has_letter(o))
		buf_printf(b, "-%c | ", o->val);
	buf_printf(b, "--%s)", o->name);
	if (has_choices(o)) {
		buf_puts(b, " words=(");
		put_choices(b, o);
		buf_puts(b, ")");
	} else {
		bash_kind(b, o->complete);
	}
	buf_printf(b, "%s ;;\n", is_optional(o) ? " optional=1" : "");
}

static void
bash_operand(struct buf *b, enum complete complete,
    const char *(*word)(size_t i))
{
	if (complete != COMPLETE_CHOICE)
		bash_kind(b, complete);
	if (word == NULL)
		return;
	buf_puts(b, " words=(");
	put_words(b, word);
	buf_puts(b, ")");
}

/* Adds the long forms, with the = that may or must follow. */
static void
bash_names(struct buf *b)
{
	buf_puts(b, "\tnames) words=(");
	for (const struct opt *o = NULL; (o = next_option(o)) != NULL; ) {
		if (o->arg == NULL || is_optional(o))
			buf_printf(b, "\n\t    --%s", o->name);
		if (o->arg != NULL)
			buf_printf(b, "\n\t    --%s=", o->name);
	}
	buf_puts(b, ") ;;\n");
}

static void
write_bash(struct buf *b)
{
	put_template(b, completion_bash_begin);
	for (const struct opt *o = NULL; (o = next_option(o)) != NULL; )
		bash_option(b, o);
	for (int i = 0; i < 2; i++) {
		buf_printf(b, "\t%d)", i + 1);
		bash_operand(b, program.operands[i], operand_words(i));
		buf_puts(b, " ;;\n");
	}
	bash_names(b);
	put_template(b, completion_bash_end);
}

/* ---- zsh: the arguments of _arguments ----------------------------------- */

/* The action after the last ':' of a specification. */
static const char *const zsh_actions[] = {
	[COMPLETE_NONE] = " ",
	[COMPLETE_FILE] = "_files",
	[COMPLETE_FOLDER] = "_files -/",
	[COMPLETE_PICTURE] = "_files -g \"*.(#i)(jpg|jpeg|png|ppm)(-.)\"",
	[COMPLETE_MODEL] = "_PROGRAM_models",
};

/* Adds "[help]:ARG:action'", the end of a specification. */
static void
zsh_explain(struct buf *b, const struct opt *o)
{
	char arg[80];
	size_t begin;

	buf_puts(b, "[");
	put_escaped(b, o->help, "[]\\:", "'\\''");
	buf_puts(b, "]");
	if (o->arg != NULL) {
		/* "FILE" in "=FILE" and in "[=FILE]" */
		begin = strcspn(o->arg, "= ") + 1;
		snprintf(arg, sizeof(arg), "%.*s", (int)(strlen(o->arg +
		    begin) - is_optional(o)), o->arg + begin);
		buf_puts(b, is_optional(o) ? "::" : ":");
		put_escaped(b, arg, "\\:", "'\\''");
		buf_puts(b, ":");
		if (!has_choices(o)) {
			put_template(b, zsh_actions[o->complete]);
		} else {
			buf_puts(b, "(");
			put_choices(b, o);
			buf_puts(b, ")");
		}
	}
	buf_puts(b, "'");
}

/* Offers a flag once, but an option with an argument always. */
static void
zsh_option(struct buf *b, const struct opt *o)
{
	if (is_optional(o))
		buf_printf(b, "\t    '--%s=-", o->name);
	else if (o->arg != NULL && has_letter(o))
		buf_printf(b, "\t    '*'{-%c+,--%s=}'", o->val, o->name);
	else if (o->arg != NULL)
		buf_printf(b, "\t    '*--%s=", o->name);
	else if (has_letter(o))
		buf_printf(b, "\t    '(-%c --%s)'{-%c,--%s}'", o->val,
		    o->name, o->val, o->name);
	else
		buf_printf(b, "\t    '--%s", o->name);
	zsh_explain(b, o);
}

static void
zsh_operand(struct buf *b, const char *which, enum complete complete,
    const char *(*word)(size_t i))
{
	static const char *const names[] = {
		[COMPLETE_FILE] = "file",
		[COMPLETE_FOLDER] = "folder",
		[COMPLETE_PICTURE] = "picture",
		[COMPLETE_MODEL] = "model",
		[COMPLETE_CHOICE] = "word",
	};

	if (complete == COMPLETE_NONE)
		return;
	buf_printf(b, " \\\n\t    '%s:%s:", which, names[complete]);
	if (complete == COMPLETE_CHOICE) {
		buf_puts(b, "(");
		put_words(b, word);
		buf_puts(b, ")");
	} else if (word != NULL) {
		buf_puts(b, "{");
		put_template(b, zsh_actions[complete]);
		buf_puts(b, "; compadd - ");
		put_words(b, word);
		buf_puts(b, "}");
	} else {
		put_template(b, zsh_actions[complete]);
	}
	buf_puts(b, "'");
}

static void
write_zsh(struct buf *b)
{
	const char *between = "";

	if (takes_model())
		put_template(b, completion_zsh_models);
	put_template(b, completion_zsh_begin);
	for (const struct opt *o = NULL; (o = next_option(o)) != NULL; ) {
		buf_puts(b, between);
		zsh_option(b, o);
		between = " \\\n";
	}
	zsh_operand(b, "1", program.operands[0], operand_words(0));
	zsh_operand(b, "*", program.operands[1], operand_words(1));
	buf_puts(b, "\n");
	put_template(b, completion_zsh_end);
}

/* ---- fish: a call of complete for each option --------------------------- */

static void
fish_option(struct buf *b, const struct opt *o)
{
	/* -x: needs an argument, not a file name; -rF: needs a file name. */
	static const char *const arguments[] = {
		[COMPLETE_NONE] = " -x",
		[COMPLETE_FILE] = " -rF",
		[COMPLETE_FOLDER] = " -x -a '(__fish_complete_directories)'",
		[COMPLETE_PICTURE] = " -rF",
		[COMPLETE_MODEL] = " -x -k -a '(__PROGRAM_models)'",
	};

	buf_printf(b, "complete -c %s", program.name);
	if (has_letter(o))
		buf_printf(b, " -s %c", o->val);
	buf_printf(b, " -l %s", o->name);
	if (has_choices(o)) {
		buf_puts(b, is_optional(o) ? " -f -a '" : " -x -a '");
		put_choices(b, o);
		buf_puts(b, "'");
	} else if (is_optional(o)) {
		buf_puts(b, " -F");
	} else if (o->arg != NULL) {
		put_template(b, arguments[o->complete]);
	}
	buf_puts(b, " -d '");
	put_escaped(b, o->help, "\\", "\\'");
	buf_puts(b, "'\n");
}

/* Adds the call of argparse, which separates operands from arguments of
 * options. */
static void
fish_argparse(struct buf *b)
{
	buf_puts(b, "\targparse -i");
	for (const struct opt *o = NULL; (o = next_option(o)) != NULL; ) {
		buf_puts(b, " '");
		if (has_letter(o))
			buf_printf(b, "%c/", o->val);
		buf_printf(b, "%s%s'", o->name, o->arg == NULL ? "" :
		    is_optional(o) ? "=?" : "=");
	}
	buf_puts(b, " -- $words[2..] 2>/dev/null\n");
}

static void
fish_operand(struct buf *b, const char *relation, enum complete complete,
    const char *(*word)(size_t i))
{
	static const char *const actions[] = {
		[COMPLETE_FILE] = " -F",
		[COMPLETE_FOLDER] = " -a '(__fish_complete_directories)'",
		[COMPLETE_PICTURE] = " -F",
		[COMPLETE_MODEL] = " -k -a '(__PROGRAM_models)'",
	};

	if (complete == COMPLETE_NONE)
		return;
	put_template(b, "complete -c @PROGRAM@ -n '__PROGRAM_operand");
	buf_printf(b, "%s'", relation);
	if (complete != COMPLETE_CHOICE)
		put_template(b, actions[complete]);
	if (word != NULL) {
		buf_puts(b, " -a '");
		put_words(b, word);
		buf_puts(b, "'");
	}
	buf_puts(b, "\n");
}

static void
write_fish(struct buf *b)
{
	const enum complete *operands = program.operands;
	bool alike = operands[0] == operands[1];

	if (takes_model())
		put_template(b, completion_fish_models);
	put_template(b, completion_fish_operand);
	if (alike) {
		put_template(b, completion_fish_alike);
	} else {
		put_template(b, completion_fish_count);
		fish_argparse(b);
		put_template(b, completion_fish_test);
	}
	put_template(b, completion_fish_end);
	fish_operand(b, alike ? "" : " -eq", operands[0], operand_words(0));
	if (!alike)
		fish_operand(b, " -gt", operands[1], operand_words(1));
	for (const struct opt *o = NULL; (o = next_option(o)) != NULL; )
		fish_option(b, o);
}

/* ---- Public functions --------------------------------------------------- */

void
completion_write(struct buf *b, enum shell shell)
{
	static void (*const write[])(struct buf *) = { write_bash, write_zsh,
	    write_fish };

	if (shell == SHELL_ZSH)		/* must be the first line */
		buf_printf(b, "#compdef %s\n", program.name);
	buf_printf(b, "# SPDX-License-Identifier: Apache-2.0\n"
	    "# Completes %s in %s; made by: %s --completion=%s\n",
	    program.name, cmd_shells[shell], program.name, cmd_shells[shell]);
	write[shell](b);
}
