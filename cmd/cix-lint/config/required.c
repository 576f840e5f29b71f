// SPDX-License-Identifier: Apache-2.0
/* required.c - sections and keys that must be there. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cmd.h"
#include "config_parts.h"

static unsigned
section_line(const struct ini *ini, const char *name)
{
	for (size_t i = 0; i < ini->n_sections; i++)
		if (strcmp(ini->section[i].name, name) == 0)
			return ini->section[i].line;
	return 0;
}

static bool
is_set(const struct ini *ini, const char *section, const char *name)
{
	const char *value = ini_value(ini, section, name);

	return value != NULL && *value != '\0';
}

/* Takes ownership of message and fix. */
static void
report(struct lint *l, enum level level, const char *section, const char *name,
    char *message, char *fix)
{
	const struct ini_key *k = ini_find(&l->ini, section, name);

	findings_add(&l->findings, RULE_MISSING, level, k != NULL ? k->line :
	    section_line(&l->ini, section), cmd_copy(name), message, fix);
}

/* ---- The parser ---------------------------------------------------------- */

/* Returns a line with the model's name, from the name of its file. */
static char *
name_line(const struct ini *ini, const char *section)
{
	const char *path = ini_value(ini, section, "input_model"), *base;
	size_t n;
	char *shown, *fix;

	if (path == NULL || *path == '\0')
		return cmd_copy("model_name = NAME");
	base = strrchr(path, '/');
	base = base != NULL ? base + 1 : path;
	n = strcspn(base, ".\n");
	shown = n > 0 ? shown_text(base, n) : cmd_copy("NAME");
	fix = cmd_text("model_name = %s", shown);
	free(shown);
	return fix;
}

static void
require_parser_key(struct lint *l, const char *section, const char *name,
    char *fix)
{
	const char *value = ini_value(&l->ini, section, name);

	if (value != NULL && *value != '\0') {
		free(fix);
		return;
	}
	report(l, LEVEL_ERROR, section, name, value == NULL ?
	    cmd_text("[%s] has no %s (parser: KeyError: '%s')", section, name,
	    name) : cmd_text("%s is empty (parser)", name), fix);
}

static bool
is_torch(const char *model_type)
{
	return model_type != NULL && (strcasecmp(model_type, "torch") == 0 ||
	    strcasecmp(model_type, "pytorch") == 0);
}

/* Returns the section with the parser's keys, or NULL. */
static const char *
parser_section(const struct ini *ini)
{
	static const char *const some[] = { "model_type", "model_name",
	    "input_model" };

	if (has_section(ini, SECTION_PARSER))
		return section_name(SECTION_PARSER);
	for (size_t i = 0; i < sizeof(some) / sizeof(*some); i++)
		if (ini_value(ini, section_name(SECTION_COMMON), some[i]) !=
		    NULL)
			return section_name(SECTION_COMMON);
	return NULL;
}

/* Returns whether the optimizer reads a model that is parsed already. */
static bool
has_parsed_model(const struct ini *ini)
{
	return is_set(ini, "Optimizer", "graph") || is_set(ini, "Common",
	    "graph");
}

static void
require_parser(struct lint *l)
{
	const char *section = parser_section(&l->ini);

	if (has_parsed_model(&l->ini))
		return;
	if (section == NULL) {
		findings_add(&l->findings, RULE_MISSING, LEVEL_ERROR, 0,
		    cmd_copy("[Parser]"), cmd_copy("the section is missing"),
		    cmd_copy("write [Parser] with model_type, model_name and "
		    "input_model"));
		return;
	}
	require_parser_key(l, section, "model_type",
	    cmd_copy("model_type = onnx"));
	require_parser_key(l, section, "model_name",
	    name_line(&l->ini, section));
	require_parser_key(l, section, "input_model",
	    cmd_copy("input_model = FILE.onnx"));
	if (is_torch(ini_value(&l->ini, section, "model_type")) &&
	    !is_set(&l->ini, section, "input_shape"))
		report(l, LEVEL_ERROR, section, "input_shape", cmd_copy(
		    "a torch model needs it (parser: input_shapes must be "
		    "provided in config file for torch model!)"),
		    cmd_copy("input_shape = [1,3,224,224]"));
}

/* ---- The optimizer ------------------------------------------------------- */

/* A key that is useless without others. */
static void
require_with(struct lint *l, const char *key, const char *needed,
    enum level level, const char *fix)
{
	const char *section = section_name(SECTION_OPTIMIZER);

	if (is_set(&l->ini, section, key) &&
	    !is_set(&l->ini, section, needed))
		report(l, level, section, needed, cmd_text("%s needs it "
		    "(optimizer: please set '%s' field in cfg file)", key,
		    needed), cmd_copy(fix));
}

static bool
searches_precision(const char *value)
{
	return value != NULL && strtol(value, NULL, 10) > 0;
}

static void
require_optimizer(struct lint *l)
{
	const char *section = section_name(SECTION_OPTIMIZER);
	const char *global = ini_value(&l->ini, section, "global_calibration");

	require_with(l, "calibration_data", "dataset", LEVEL_WARNING,
	    "dataset = NumpyDataset");
	require_with(l, "metric", "dataset", LEVEL_ERROR,
	    "dataset = NumpyDataset");
	require_with(l, "metric", "data", LEVEL_ERROR, "data = FILE.npy");
	require_with(l, "metric", "label", LEVEL_ERROR, "label = FILE.npy");
	if (global != NULL && strcasecmp(global, "none") != 0)
		require_with(l, "global_calibration", "calibration_data",
		    LEVEL_ERROR, "calibration_data = FILE.npy");
	if (searches_precision(ini_value(&l->ini, section,
	    "mixed_precision_auto_search")))
		require_with(l, "mixed_precision_auto_search", "metric",
		    LEVEL_ERROR, "metric = CosDistanceMetric");
}

/* ---- The builder --------------------------------------------------------- */

static void
require_builder(struct lint *l)
{
	if (has_section(&l->ini, SECTION_GBUILDER) && l->o->target == NULL &&
	    !is_set(&l->ini, section_name(SECTION_GBUILDER), "target"))
		report(l, LEVEL_WARNING, section_name(SECTION_GBUILDER),
		    "target", cmd_copy("[GBuilder] names no target: the model "
		    "may be built for another NPU"),
		    cmd_copy("target = X2_1204MP3"));
}

void
check_required(struct lint *l)
{
	require_parser(l);
	require_optimizer(l);
	require_builder(l);
}
