// SPDX-License-Identifier: Apache-2.0
/*
 * The name of a model's twin: the first line is NPU_TWIN, "STEM=FILE:...", the
 * other lines are a configuration from the model hub.
 */
#include "../../lib/model/twin.c"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static const struct twin_location place = { .folder = "/nowhere", .stem = "m" };

static void
pairs(const char *list)
{
	char *file = NULL;
	int rc = find_pair(list, place.stem, &file, NULL);

	if (rc < 0 || (rc == 1) != (file != NULL))
		abort();
	/* The file is part of the list, after "m=". */
	if (rc == 1 && (strchr(file, ':') != NULL ||
	    strstr(list, file) == NULL))
		abort();
	free(file);
}

static void
configuration(char *line)
{
	struct cfg c = { .makes_model = false };
	size_t n = strlen(line);
	char *v;

	if ((v = value_of(line, "input_model")) != NULL) {
		if (v < line || v + strlen(v) > line + n || *v == '\0')
			abort();
		resolve_model(v, &place, &c, NULL);
		if (strlen(c.model) >= sizeof(c.model))
			abort();
	} else if ((v = value_of(line, "outputs")) != NULL) {
		names_stem(v, &place);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	char *text = malloc(n + 1), *rest = text;

	memcpy(text, p, n);
	text[n] = '\0';
	pairs(strsep(&rest, "\n"));
	while (rest != NULL)
		configuration(strsep(&rest, "\n"));
	free(text);
	return 0;
}
