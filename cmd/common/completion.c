// SPDX-License-Identifier: Apache-2.0
/* completion.c - --completion: what the scripts for all shells share. */
#include <string.h>

#include "completion.h"
#include "npu.h"

const char *const cmd_shells[] = { "bash", "zsh", "fish", NULL };

/* The i-th type whose elements are whole bytes. */
static const char *
type_name(size_t i)
{
	for (uint32_t code = 0; code < 256; code++)
		if (npu_dtype_size(code) > 0 && i-- == 0)
			return npu_dtype_name(code);
	return NULL;
}

const char *
completion_word(const struct opt *o, size_t i)
{
	switch (o->complete) {
	case COMPLETE_CHOICE: return o->choices[i];
	case COMPLETE_TYPE: return type_name(i);
	default: return NULL;
	}
}

void
completion_words(struct buf *b, const struct opt *o)
{
	const char *word;

	for (size_t i = 0; (word = completion_word(o, i)) != NULL; i++)
		buf_printf(b, "%s%s", i > 0 ? " " : "", word);
}

bool
completion_models(void)
{
	bool any = program.operands[0] == COMPLETE_MODEL ||
	    program.operands[1] == COMPLETE_MODEL;

	for (const struct opt *o = program.options; o->help != NULL; o++)
		any |= o->complete == COMPLETE_MODEL;
	return any;
}

bool
completion_optional(const struct opt *o)
{
	return o->arg != NULL && *o->arg == '[';
}

void
completion_arg(char *arg, size_t n, const struct opt *o)
{
	size_t begin = strcspn(o->arg, "= ") + 1;

	snprintf(arg, n, "%.*s", (int)(strlen(o->arg + begin) -
	    completion_optional(o)), o->arg + begin);
}

void
completion_template(struct buf *b, const char *text)
{
	size_t n;

	for (;; text += n + 2) {
		for (n = 0; text[n] != '\0'; n++)
			if (text[n] == '@' && (text[n + 1] == '@' ||
			    text[n + 1] == 'n'))
				break;
		buf_add(b, text, n);
		if (text[n] == '\0')
			return;
		for (const char *p = program.name; *p != '\0'; p++)
			buf_add(b, *p == '-' && text[n + 1] == '@' ? "_" : p,
			    1);
	}
}

void
completion_escape(struct buf *b, const char *text, const char *special,
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

void
completion_write(struct buf *b, enum shell shell)
{
	static void (*const write[])(struct buf *) = { completion_bash,
	    completion_zsh, completion_fish };

	if (shell == SHELL_ZSH)		/* it has to be the first line */
		buf_printf(b, "#compdef %s\n", program.name);
	buf_printf(b, "# SPDX-License-Identifier: Apache-2.0\n"
	    "# Completes %s in %s; made by: %s --completion=%s\n",
	    program.name, cmd_shells[shell], program.name, cmd_shells[shell]);
	write[shell](b);
}
