// SPDX-License-Identifier: Apache-2.0
/*
 * A configuration, and a line of a compiler's log: findings are one line of
 * printable text each, and names of sections and of keys are there once.
 */
#include <stdlib.h>
#include <string.h>

#include "cix-lint/lint.h"
#include "cix-lint/log/log_message.h"
#include "cmd.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

const struct program program = { .name = "lintcfg" };

static void
check_text(const char *s)
{
	if (s != NULL && strpbrk(s, "\n\r\033") != NULL)
		abort();
}

static void
check_findings(const struct findings *f)
{
	for (size_t i = 0; i < f->n; i++) {
		if (f->list[i].message[0] == '\0' || f->off[f->list[i].rule])
			abort();
		check_text(f->list[i].message);
		check_text(f->list[i].where);
		check_text(f->list[i].fix);
	}
}

static void
check_order(const struct ini *ini)
{
	for (size_t i = 1; i < ini->n_sections; i++)
		if (ini->section[i - 1].line >= ini->section[i].line)
			abort();
	for (size_t i = 0; i < ini->n_keys; i++) {
		const struct ini_key *k = &ini->key[i];

		if (k->name[0] == '\0' || (i > 0 && k[-1].line >= k->line) ||
		    (strcmp(k->section, INI_DEFAULT) != 0 &&
		    ini_find(ini, k->section, k->name) != k))
			abort();
	}
}

static void
read_config(struct bytes text)
{
	const struct lint_options options = { .target = NULL };
	struct lint l = { .o = &options, .path = "a.cfg" };
	struct npu_err err = { 0 };

	if (ini_read(&l.ini, text, &l.findings, &err) < 0) {
		if (err.code != NPU_EFORMAT)
			abort();
		check_text(err.msg);
	} else {
		check_order(&l.ini);
		check_config(&l);
	}
	check_findings(&l.findings);
	findings_free(&l.findings);
	ini_free(&l.ini);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	if (log_message_in((const char *)p, n) > LOG_MESSAGES)
		abort();
	read_config((struct bytes){ p, n });
	return 0;
}
