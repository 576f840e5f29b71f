// SPDX-License-Identifier: Apache-2.0
/*
 * A listing of a hub, in the form of either hub,
    and an operand of get: whatever
 * is accepted has paths that stay within a folder.
 */
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "npu-model/listing.h"
#include "npu-model/relative.h"
#include "npu-model/source.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

const struct program program = { .name = "modellisting" };

/* Aborts if the path leaves its folder, by another way than the code goes. */
static void
check_path(const char *path)
{
	char copy[RELATIVE_LONGEST + 4];

	if (strlen(path) > RELATIVE_LONGEST || *path == '/' || *path == '\0')
		abort();
	snprintf(copy, sizeof(copy), "/%s/", path);
	if (strstr(copy, "/../") != NULL || strstr(copy, "/./") != NULL ||
	    strstr(copy, "//") != NULL || strpbrk(path, "\n\033") != NULL)
		abort();
}

static void
check_failure(const struct npu_err *err, int code)
{
	if (err->code != code || err->msg[0] == '\0' ||
	    strpbrk(err->msg, "\n\033") != NULL)
		abort();
}

static void
read_listing(enum hub hub, struct bytes text)
{
	struct listing l = { 0 };
	struct npu_err err = { 0 };

	if (listing_parse(&l, hub, text, &err) < 0)
		check_failure(&err, NPU_EFORMAT);
	for (size_t i = 0; i < l.n; i++) {
		check_path(l.file[i].path);
		if (strlen(l.file[i].sum.text) % SUM_DIGITS != 0 ||
		    listing_find(&l, l.file[i].path) == NULL)
			abort();
	}
	listing_free(&l);
}

/* URLs of an operand stay at the base, and have no blanks. */
static void
check_url(char *url)
{
	if (strncmp(url, "https://b/", 10) != 0 ||
	    strpbrk(url, " \n\"<>") != NULL || strstr(url, "/../") != NULL)
		abort();
	free(url);
}

static void
read_source(struct bytes text)
{
	struct model_catalogue none = { 0 };
	struct npu_err err = { 0 };
	struct model_source s;
	char *word = cmd_text("%.*s", (int)text.n, (const char *)text.p);

	if (source_parse(&s, word, &none, &err) < 0) {
		check_failure(&err, NPU_EUSAGE);
	} else {
		check_path(s.path);
		if (!s.is_url) {
			check_url(source_listing(&s, "https://b/"));
			check_url(source_file(&s, s.path, "https://b"));
		}
	}
	source_free(&s);
	free(word);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	const struct bytes text = { p, n };

	read_listing(HUB_MODELSCOPE, text);
	read_listing(HUB_HUGGINGFACE, text);
	if (n > 0 && n < 2000)
		read_source(text);
	return 0;
}
