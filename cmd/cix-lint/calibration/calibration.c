// SPDX-License-Identifier: Apache-2.0
/* calibration.c - checks the files of calibration data. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "calibration.h"
#include "cix-lint/model/inputs.h"
#include "cmd.h"

enum { MOST_SECTIONS = 16 };	/* with calibration data that is checked */

/* ---- Inputs -------------------------------------------------------------- */

static const struct onnx_port *
find_port(const struct lint *l, struct bytes name)
{
	const struct onnx_ports *p = &l->model.ports;

	for (size_t i = 0; i < p->n_in; i++)
		if (bytes_compare(p->in[i].name, name) == 0)
			return &p->in[i];
	return NULL;
}

/* Returns the inputs that the key input names, or else all of the model. */
static struct calibrated_input *
find_inputs(const struct lint *l, const struct input_keys *k, size_t *n)
{
	const struct onnx_ports *p = &l->model.ports;
	struct calibrated_input *list;

	*n = k->n > 0 ? k->n : p->n_in;
	list = cmd_alloc((*n + 1) * sizeof(*list));
	for (size_t i = 0; i < *n; i++) {
		list[i].port = k->n > 0 ? find_port(l, k->name[i]) : &p->in[i];
		list[i].name = k->n > 0 ? k->name[i] : p->in[i].name;
		list[i].listed = input_keys_shape(k, list[i].name);
	}
	return list;
}

/* ---- The file ------------------------------------------------------------ */

/* Says what to save in place of pickled objects. */
static void
report_pickle(const struct calibration *c, const struct npu_err *err)
{
	calibration_report(c, RULE_CALIBRATION, LEVEL_ERROR, NULL,
	    cmd_text("'%s': %s", c->key->value, err->msg), cmd_copy(
	    c->n_inputs > 1 ? "save the arrays in a .npz: numpy.savez('calib."
	    "npz', input0=..., input1=...)" : "save one array of numbers: "
	    "numpy.save('calib.npy', numpy.stack(samples))"));
}

static void
report_unread(const struct calibration *c, const struct npu_err *err)
{
	switch (err->detail) {
	case SAMPLES_ABSENT:
		calibration_report(c, RULE_CALIBRATION, LEVEL_ERROR, NULL,
		    cmd_text("'%s': %s", c->key->value, err->msg),
		    cmd_copy("write the path of the calibration data, from "
		    "the folder in which the compiler runs"));
		break;
	case SAMPLES_LFS_POINTER:
		calibration_report(c, RULE_LFS_POINTER, LEVEL_ERROR, NULL,
		    cmd_text("'%s' is %s", c->key->value, err->msg),
		    cmd_copy("fetch the file: git lfs pull"));
		break;
	case SAMPLES_PICKLED:
		report_pickle(c, err);
		break;
	default:
		calibration_report(c, RULE_CALIBRATION, LEVEL_ERROR, NULL,
		    cmd_text("'%s': %s", c->key->value, err->msg),
		    cmd_copy("save the data again with numpy.save() or "
		    "numpy.savez()"));
	}
}

/* Data of another kind than numpy's only has to be there. */
static void
check_presence(const struct calibration *c, const char *path)
{
	struct npu_err err = { .detail = SAMPLES_ABSENT };
	struct stat st;

	if (stat(path, &st) == 0)
		return;
	snprintf(err.msg, sizeof(err.msg), "%s", strerror(errno));
	report_unread(c, &err);
}

static void
report_objects(const struct calibration *c)
{
	calibration_report(c, RULE_CALIBRATION, LEVEL_NOTE, NULL,
	    cmd_text("'%s' is not checked: %s reads Python objects",
	    c->key->value, c->class->name), NULL);
}

static void
set_arrays(struct calibration *c)
{
	const struct samples *s = &c->data;

	c->array = cmd_alloc((s->n + 1) * sizeof(*c->array));
	for (size_t k = 0; k < s->n; k++)
		if (!c->class->shapes ||
		    strncmp(s->array[k].member.name, "shape", 5) != 0)
			c->array[c->n_arrays++] = k;
}

static void
check_data(struct calibration *c)
{
	c->n_arrays = 0;
	set_arrays(c);
	if (check_arrays(c)) {
		check_array_order(c);
		check_array_shapes(c);
		check_array_numbers(c);
	}
	free(c->array);
}

static void
check_file(struct calibration *c)
{
	char *path = lint_path(c->l, c->key->value);
	struct npu_err err = { 0 };

	if (c->class == NULL || c->class->file == DATASET_OBJECTS) {
		check_presence(c, path);
		if (c->class != NULL)
			report_objects(c);
	} else if (samples_open(&c->data, path, &err) < 0) {
		report_unread(c, &err);
	} else {
		check_data(c);
		samples_close(&c->data);
	}
	free(path);
}

/* ---- Keys ---------------------------------------------------------------- */

static void
check_class(const struct calibration *c)
{
	if (c->class == NULL || c->class->file != DATASET_ARRAY ||
	    c->n_inputs < 2)
		return;
	calibration_report(c, RULE_DATASET, LEVEL_ERROR, cmd_copy("dataset"),
	    cmd_text("%s has the data of one input, and "
	    "the model has %zu", c->class->name, c->n_inputs),
	    cmd_copy("write dataset = numpymultiinputdataset, with an array "
	    "for each input in a .npz"));
}

/* Returns whether the compiler quantises, and finds the ranges of activations
 * in data. */
static bool
needs_data(const struct calibration *c)
{
	const struct ini *ini = &c->l->ini;
	const char *compat = ini_value(ini, "Parser", "compat_quantized_model");
	const char *mode = ini_value(ini, "Common", "mode");

	return *calibration_value(c, "statistic_file") == '\0' &&
	    strncasecmp(calibration_value(c,
	    "calibration_strategy_for_activation"), "in_ir", 5) != 0 &&
	    strcasecmp(calibration_value(c, "skip_optimization"), "true") != 0
	    && (compat == NULL || strcasecmp(compat, "true") != 0) &&
	    (mode == NULL || strcasecmp(mode, "run") != 0);
}

/* An empty value says that the file is still to come. */
static void
report_absent(const struct calibration *c, unsigned line)
{
	if (!needs_data(c))
		return;
	findings_add(&c->l->findings, RULE_CALIBRATION, c->key != NULL ?
	    LEVEL_NOTE : LEVEL_WARNING, line, cmd_copy("calibration_data"),
	    cmd_copy("without calibration data, the compiler finds the ranges "
	    "of activations with inputs of zeros"), cmd_copy("write "
	    "calibration_data = with a .npy or .npz of inputs as in real "
	    "use"));
}

/* The compiler reads data and label if it evaluates the model. */
static void
check_evaluation(const struct calibration *c, const char *name)
{
	const struct ini_key *key = ini_find(&c->l->ini, c->section, name);
	struct stat st;
	char *path;

	if (key == NULL || *key->value == '\0')
		return;
	path = lint_path(c->l, key->value);
	if (stat(path, &st) < 0)
		findings_add(&c->l->findings, RULE_CALIBRATION, LEVEL_WARNING,
		    key->line, cmd_copy(name), cmd_text("'%s': %s", key->value,
		    strerror(errno)), cmd_text("write the path of the file, "
		    "or leave out %s, which only an evaluation needs", name));
	free(path);
}

static void
check_section(struct calibration *c, const struct ini_section *section)
{
	c->section = section->name;
	c->key = ini_find(&c->l->ini, c->section, "calibration_data");
	c->class = dataset_class_find(calibration_value(c, "dataset"));
	check_class(c);
	if (c->key == NULL || *c->key->value == '\0')
		report_absent(c, c->key != NULL ? c->key->line :
		    section->line);
	else
		check_file(c);
	check_evaluation(c, "data");
	check_evaluation(c, "label");
}

/* Returns whether the section has the keys of the optimizer: [Optimizer],
 * [Optimizer_1] ... or, its old name, [AutoQuantizationTool]. */
static bool
is_optimizer(const char *name)
{
	return strcmp(name, "AutoQuantizationTool") == 0 ||
	    strcmp(name, "Optimizer") == 0 ||
	    strncmp(name, "Optimizer_", 10) == 0;
}

void
check_calibration(struct lint *l)
{
	/* check_inputs() has reported what is wrong with these keys. */
	struct lint quiet = *l;
	struct calibration c = { .l = l };
	struct input_keys k;
	unsigned n = 0;

	quiet.findings = (struct findings){ .list = NULL };
	input_keys_read(&k, &quiet);
	c.input = find_inputs(l, &k, &c.n_inputs);
	for (size_t i = 0; i < l->ini.n_sections && n < MOST_SECTIONS; i++)
		if (is_optimizer(l->ini.section[i].name)) {
			check_section(&c, &l->ini.section[i]);
			n++;
		}
	free(c.input);
	input_keys_free(&k);
	findings_free(&quiet.findings);
}
