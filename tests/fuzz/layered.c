// SPDX-License-Identifier: Apache-2.0
/*
 * A value that differs between layers, then, behind a newline, the name of a
 * layer.
 */
#include <stdlib.h>
#include <string.h>

#include "cix-lint/config/layered.h"
#include "cmd.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

const struct program program = { .name = "layered" };

static void
check_selector(const struct selector *s, struct bytes type, struct bytes name)
{
	const char *list = s->what;
	struct bytes word;

	if (s->what == NULL || *s->value == '\0' ||
	    (s->pattern != NULL && s->kind != SELECT_NAME) ||
	    (s->single && s->kind != SELECT_IDS) ||
	    (s->kind == SELECT_IDS && selector_matches(s, type, name)))
		abort();
	while (s->kind == SELECT_TYPES && selector_word(&list, &word))
		if (word.n == 0)
			abort();
}

static void
check_value(const struct layered *v, struct bytes type, struct bytes name)
{
	const struct selector *by;
	const char *value = layered_value(v, type, name, &by);
	bool any = false;

	for (size_t i = 0; i < v->n; i++) {
		check_selector(&v->selector[i], type, name);
		any = any || selector_matches(&v->selector[i], type, name);
	}
	if (any != (by != NULL) || value != (by != NULL ? by->value :
	    v->global) || (by != NULL && !selector_matches(by, type, name)))
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	static const char *const types[] = { "Conv", "Relu", "MatMul" };
	const uint8_t *end = n > 0 ? memchr(p, '\n', n) : NULL;
	struct bytes name = { NULL, 0 };
	struct layered v;
	char *text;

	if (n > 4096)
		return 0;
	if (end != NULL)
		name = (struct bytes){ end + 1, n - (size_t)(end + 1 - p) };
	text = cmd_text("%.*s", (int)(end != NULL ? end - p : (long)n),
	    n > 0 ? (const char *)p : "");
	if (layered_parse(&v, text) == NULL)
		for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
			check_value(&v, (struct bytes){
			    (const uint8_t *)types[i], strlen(types[i]) },
			    name);
	layered_free(&v);
	free(text);
	return 0;
}
