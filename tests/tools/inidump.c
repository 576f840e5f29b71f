// SPDX-License-Identifier: Apache-2.0
/*
 * inidump FILE... - prints each configuration, as cix-lint reads it, as a line
 * of JSON: sections with their keys and values, and what was found.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "cix-lint/ini.h"
#include "cmd.h"

const struct program program = { .name = "inidump" };

static void
put_keys(struct json *j, const struct ini *ini, const char *section)
{
	json_key(j, section);
	json_object(j);
	for (size_t i = 0; i < ini->n_keys; i++)
		if (strcmp(ini->key[i].section, section) == 0)
			json_key(j, ini->key[i].name),
			    json_str(j, ini->key[i].value);
	json_end_object(j);
}

static void
put_finding(struct json *j, const struct finding *f)
{
	json_object(j);
	json_member_str(j, "rule", rule_name(f->rule));
	json_member_str(j, "level", level_name(f->level));
	json_member_uint(j, "line", f->line);
	json_member_str(j, "message", f->message);
	json_end_object(j);
}

static void
put_file(struct json *j, const struct ini *ini, const struct findings *f)
{
	json_object(j);
	json_key(j, "sections");
	json_object(j);
	put_keys(j, ini, INI_DEFAULT);
	for (size_t i = 0; i < ini->n_sections; i++)
		put_keys(j, ini, ini->section[i].name);
	json_end_object(j);
	json_key(j, "findings");
	json_array(j);
	for (size_t i = 0; i < f->n; i++)
		put_finding(j, &f->list[i]);
	json_end_array(j);
	json_end_object(j);
	buf_puts(&j->out, "\n");
}

static void
dump(const char *path)
{
	struct findings f = { .list = NULL };
	struct json j = { .pretty = false };
	struct ini ini;
	struct npu_err err;
	struct bytes text;
	void *p = cmd_read_file(path, 64 << 20, &text.n);

	text.p = p;
	if (ini_read(&ini, text, &f, &err) < 0)
		cmd_die_err(path, &err);
	put_file(&j, &ini, &f);
	fwrite(j.out.p, 1, j.out.n, stdout);
	json_free(&j);
	ini_free(&ini);
	findings_free(&f);
	free(p);
}

int
main(int argc, char *argv[])
{
	for (int i = 1; i < argc; i++)
		dump(argv[i]);
	return 0;
}
