// SPDX-License-Identifier: Apache-2.0
/*
 * The record of a folder of models, and the same bytes as a file that a server
 * sent: an accepted record has files that stay in the folder; a bad file has a
 * reason that can be printed.
 */
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "npu-model/content.h"
#include "npu-model/record.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

const struct program program = { .name = "modelrecord" };

static void
check_text(const char *s)
{
	if (s != NULL && strpbrk(s, "\n\033") != NULL)
		abort();
}

static void
check_record(struct bytes text)
{
	struct npu_err err = { 0 };
	struct record r;

	if (record_parse(&r, text, &err) < 0)
		check_text(err.msg);
	for (size_t i = 0; err.code == 0 && i < r.n; i++) {
		const struct record_entry *e = &r.entry[i];

		if (*e->file == '/' || strncmp(e->file, "../", 3) == 0 ||
		    strstr(e->file, "/../") != NULL ||
		    strlen(e->sum.text) != SUM_DIGITS ||
		    record_find(&r, e->file) == NULL)
			abort();
		check_text(e->file);
		check_text(e->source);
	}
	record_free(&r);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	static const char *const names[] = { "m.cix", "m.onnx", "m.txt" };
	struct content c;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		content_look(&c, names[i], (struct bytes){ p, n }, NULL);
		if (content_is_good(&c) != (c.why[0] == '\0'))
			abort();
		check_text(c.why);
		if (c.sum.text[0] != '\0' && c.kind != CONTENT_POINTER)
			abort();
	}
	check_record((struct bytes){ p, n });
	return 0;
}
