// SPDX-License-Identifier: Apache-2.0
/*
 * An ONNX file and keys of a configuration are checked.  The first byte chooses
 * the gates; three lines are input, input_shape and output; the rest is the
 * file.  Each finding of a gate is one printable line that names the gate.
 */
#include <stdlib.h>

#include "cix-lint/lint.h"
#include "cix-lint/model/model_file.h"
#include "cmd.h"

enum { KEYS = 3 };

const struct program program = { .name = "cix-lint" };

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static char *
take_line(struct bytes *rest)
{
	const uint8_t *end = memchr(rest->p, '\n', rest->n);
	size_t n = end != NULL ? (size_t)(end - rest->p) : rest->n;
	char *line = cmd_text("%.*s", (int)n, (const char *)rest->p);

	n += end != NULL;
	*rest = (struct bytes){ rest->p + n, rest->n - n };
	return line;
}

static void
check_finding(const struct finding *f)
{
	if (f->rule >= RULE_N || f->level >= LEVEL_N || f->message == NULL ||
	    strstr(f->message, "gate: ") == NULL)
		abort();
	for (const char *c = f->message; *c != '\0'; c++)
		if ((unsigned char)*c < 0x20)
			abort();
}

static void
check(struct lint *l)
{
	if (onnx_model_read(&l->model, l->bytes.file, NULL) < 0)
		return;
	check_weight_files(l);
	check_inputs(l);
	check_operators(l);
	for (size_t i = 0; i < l->findings.n; i++)
		check_finding(&l->findings.list[i]);
	check_weights(l);
	onnx_model_free(&l->model);
	findings_free(&l->findings);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	static char parser[] = "Parser", file[] = "/nowhere/m.onnx";
	static char names[KEYS][12] = { "input", "input_shape", "output" };
	struct lint_options o = { .gates = n > 0 ? p[0] & 7 : 0 };
	struct ini_section section = { parser, 1 };
	struct ini_key key[KEYS];
	struct lint l = { .o = &o, .path = "m.cfg", .configured = true,
	    .model_path = file, .ini = { .section = &section, .n_sections = 1,
	    .key = key, .n_keys = KEYS } };

	if (n == 0)
		return 0;
	l.bytes.file = (struct bytes){ p + 1, n - 1 };
	for (unsigned i = 0; i < KEYS; i++)
		key[i] = (struct ini_key){ .section = parser,
		    .name = names[i], .value = take_line(&l.bytes.file),
		    .line = i + 2 };
	check(&l);
	for (unsigned i = 0; i < KEYS; i++)
		free(key[i].value);
	return 0;
}
