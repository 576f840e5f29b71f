// SPDX-License-Identifier: Apache-2.0
/* write_cfg.c - a configuration for a model, to start from. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/utf8.h"
#include "cix-lint/actions.h"
#include "cmd.h"
#include "layer_rules.h"
#include "layer_selector.h"
#include "model/onnx_graph.h"

/* The configuration that is written. */
struct new_cfg {
	const char *path;	/* of the model */
	const char *written;	/* the same in the configuration */
	struct lint *l;		/* which has the model */
	char *name;		/* of the model, for the compiler */
	const struct onnx_port **in;	/* the inputs in the order of the
					   configuration */
	size_t n;
	bool named;		/* the configuration can have their names */
	struct layer_rules rules;
};

/* ---- What can be written ------------------------------------------------ */

/* Returns whether the character is white space that Python removes at the ends
 * of a value, or is not visible. */
static bool
is_invisible(uint32_t c)
{
	return utf8_is_control(c) || c == 0xa0 || c == 0xad || c == 0x1680 ||
	    (c >= 0x2000 && c <= 0x200f) || (c >= 0x2028 && c <= 0x202f) ||
	    (c >= 0x205f && c <= 0x206f) || c == 0x3000 || c == 0xfeff;
}

/* Returns whether a configuration can have the text as a value. */
static bool
is_writable(struct bytes text)
{
	uint32_t c;
	size_t n;

	if (text.n == 0 || text.p[0] == ' ' || text.p[text.n - 1] == ' ')
		return false;
	for (size_t i = 0; i < text.n; i += n) {
		n = utf8_decode((const char *)text.p + i, text.n - i, &c);
		if (n == 0 || is_invisible(c))
			return false;
	}
	return true;
}

/* Returns whether the text can be one of several, with commas between. */
static bool
is_listable(struct bytes text)
{
	return is_writable(text) && memchr(text.p, ',', text.n) == NULL;
}

/* Returns the name of the model: the file's without ".onnx". */
static char *
model_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *name = cmd_copy(slash != NULL ? slash + 1 : path);
	size_t n = strlen(name);

	if (n > 5 && strcasecmp(name + n - 5, ".onnx") == 0)
		name[n - 5] = '\0';
	for (char *p = name; *p != '\0'; p++)
		if (!isalnum((unsigned char)*p) && strchr("._-", *p) == NULL)
			*p = '_';
	return name;
}

/* Returns the path of the model for the configuration: without its folders if
 * these cannot be written. */
static const char *
written_path(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash != NULL ? slash + 1 : path;

	if (cmd_is_dash(path))
		cmd_usage("--write-cfg needs the name of the model's file, not "
		    "'-'");
	if (is_writable((struct bytes){ (const uint8_t *)path, strlen(path) }))
		return path;
	if (!is_writable((struct bytes){ (const uint8_t *)name, strlen(name) }))
		cmd_die("%s: a configuration cannot have this name: rename the "
		    "file", path);
	cmd_note("%s: a configuration cannot have the names of these folders: "
	    "run the compiler in the folder of the model", path);
	return name;
}

/* Dies if a size is open: the finding about it has the command that fixes the
 * sizes. */
static void
check_sizes(const struct lint *l)
{
	for (size_t i = 0; i < l->findings.n; i++) {
		const struct finding *f = &l->findings.list[i];

		if (f->rule == RULE_DYNAMIC_SHAPE)
			cmd_die("%s: %s: %s; %s", l->path, f->where,
			    f->message, f->fix);
	}
}

/* ---- Facts -------------------------------------------------------------- */

/* Returns the domain that the model's metadata states, as exporters of
 * detectors do, or the compiler's default. */
static const char *
model_domain(const struct new_cfg *d)
{
	static const struct {
		const char *task, *domain;
	} known[] = {
		{ "detect", "OBJECT_DETECTION" },
		{ "obb", "OBJECT_DETECTION" },
		{ "pose", "OBJECT_DETECTION" },
		{ "segment", "OBJECT_DETECTION" },
	};
	const struct onnx_model *m = &d->l->model;

	for (size_t i = 0; i < m->n_metadata; i++)
		for (size_t k = 0; k < sizeof(known) / sizeof(*known); k++)
			if (bytes_is(m->metadata[i].key, "task") &&
			    bytes_is(m->metadata[i].value, known[k].task))
				return known[k].domain;
	return "IMAGE_CLASSIFICATION";
}

static int
by_name(const void *a, const void *b)
{
	return bytes_compare((*(const struct onnx_port *const *)a)->name,
	    (*(const struct onnx_port *const *)b)->name);
}

/* Lists the inputs.  The parser may sort them by name: with the same order in
 * the configuration, their data is not exchanged. */
static void
list_inputs(struct new_cfg *d)
{
	const struct onnx_ports *ports = &d->l->model.ports;

	d->n = ports->n_in;
	d->in = cmd_alloc((d->n + 1) * sizeof(*d->in));
	d->named = d->n > 0;
	for (size_t i = 0; i < d->n; i++) {
		d->in[i] = &ports->in[i];
		d->named = d->named && is_listable(ports->in[i].name);
	}
	if (d->named)
		qsort(d->in, d->n, sizeof(*d->in), by_name);
}

/* Returns numpy's name of the type that the data has, or ours.  The compiled
 * model takes 32 bits in place of 64. */
static const char *
numpy_type(const struct onnx_port *p)
{
	static const struct {
		uint32_t dtype;
		const char *name;
	} names[] = {
		{ NPU_U8, "uint8" }, { NPU_S8, "int8" }, { NPU_U16, "uint16" },
		{ NPU_S16, "int16" }, { NPU_U32, "uint32" },
		{ NPU_S32, "int32" }, { NPU_U64, "uint32" },
		{ NPU_S64, "int32" }, { NPU_F16, "float16" },
		{ NPU_F32, "float32" }, { NPU_F64, "float64" },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (names[i].dtype == p->dtype)
			return names[i].name;
	return onnx_port_type(p);
}

/* Returns the items in a batch: the first size, if all inputs have the same. */
static int64_t
batch_of(const struct new_cfg *d)
{
	int64_t batch = d->n > 0 && d->in[0]->ndim > 0 ? d->in[0]->dim[0] : 1;

	for (size_t i = 0; i < d->n; i++)
		if (d->in[i]->ndim == 0 || d->in[i]->dim[0] != batch)
			return 1;
	return batch > 0 ? batch : 1;
}

/* ---- [Parser] ----------------------------------------------------------- */

static void
put_names(struct buf *b, const struct new_cfg *d)
{
	if (!d->named && d->n > 0)
		buf_puts(b, "# No input: a name of an input cannot be "
		    "written here.\n");
	if (!d->named)
		return;
	if (d->n > 1)
		buf_puts(b, "# Sorted by name, as the parser may sort "
		    "them.\n");
	for (size_t i = 0; i < d->n; i++) {
		buf_puts(b, i == 0 ? "input = " : ",");
		buf_add(b, d->in[i]->name.p, d->in[i]->name.n);
	}
	buf_puts(b, "\n");
}

/* Adds "1, 3, 8, 8" from axis on. */
static void
put_sizes(struct buf *b, const struct onnx_port *p, uint32_t axis)
{
	for (uint32_t a = axis; a < p->ndim; a++)
		buf_printf(b, "%s%" PRId64, a > axis ? ", " : "", p->dim[a]);
}

static void
put_shapes(struct buf *b, const struct new_cfg *d)
{
	for (size_t i = 0; i < d->n; i++) {
		buf_puts(b, i == 0 ? "input_shape = [" : ",[");
		put_sizes(b, d->in[i], 0);
		buf_puts(b, i + 1 == d->n ? "]\n" : "]");
	}
}

static void
put_parser(struct buf *b, const struct new_cfg *d)
{
	buf_printf(b, "[Parser]\nmodel_type = ONNX\nmodel_name = %s\n"
	    "# Or OBJECT_DETECTION, IMAGE_SEGMENTATION, "
	    "SPEECH_RECOGNITION ...\nmodel_domain = %s\n"
	    "# As seen from the folder in which the compiler runs.\n"
	    "input_model = %s\n", d->name, model_domain(d), d->written);
	put_names(b, d);
	put_shapes(b, d);
	buf_puts(b, "output_dir = ./\n");
}

/* ---- [Optimizer] -------------------------------------------------------- */

static void
put_printable(struct buf *b, struct bytes text)
{
	size_t at = b->n;

	buf_add(b, text.p, text.n);
	if (!b->failed)
		cmd_printable(b->p + at, b->n - at);
}

/* Adds "float32 of shape (SAMPLES, 3, 8, 8)". */
static void
put_samples(struct buf *b, const struct onnx_port *p)
{
	buf_printf(b, "%s of shape (SAMPLES%s", numpy_type(p),
	    p->ndim > 1 ? ", " : "");
	put_sizes(b, p, 1);
	buf_puts(b, ")\n");
}

/* Says what becomes of 64-bit integers, in place of the finding about them. */
static void
put_integers(struct buf *b, const struct new_cfg *d)
{
	for (size_t i = 0; i < d->n; i++)
		if (d->in[i]->dtype == NPU_S64 || d->in[i]->dtype == NPU_U64) {
			buf_puts(b, "# The compiled model takes integers of 32 "
			    "bits in place of 64: store them so,\n# here and "
			    "on the board.  You know this now:\n"
			    "# cix-lint: off int64-input\n");
			return;
		}
}

static void
put_calibration(struct buf *b, const struct new_cfg *d)
{
	bool several = d->n > 1;

	put_integers(b, d);
	buf_puts(b, "# A sample of the inputs that the model will have, "
	    "prepared in the same way;\n# more than 100 are rarely better.  "
	    "Save it with numpy:\n");
	if (d->n == 1) {
		buf_printf(b, "#   numpy.save(\"%s-calibration.npy\", array)\n"
		    "# array: ", d->name);
		put_samples(b, d->in[0]);
	}
	if (several)
		buf_printf(b, "#   numpy.savez(\"%s-calibration.npz\", "
		    "input0=..., input1=...)\n# Look in the compiler's log for "
		    "the order of the inputs, which can differ.\n", d->name);
	for (size_t i = 0; several && i < d->n; i++) {
		buf_printf(b, "# input%zu, '", i);
		put_printable(b, d->in[i]->name);
		buf_puts(b, "': ");
		put_samples(b, d->in[i]);
	}
	buf_printf(b, "dataset = %s\n# Write its name here when you have saved "
	    "it: %s-calibration.%s\ncalibration_data =\n"
	    "calibration_batch_size = %" PRId64 "\n", several ?
	    "numpymultiinputdataset" : "numpydataset", d->name,
	    several ? "npz" : "npy", batch_of(d));
}

static void
put_value(struct buf *b, const char *key, const char *value,
    const struct buf *rules)
{
	buf_printf(b, "%s = %s", key, value);
	buf_add(b, rules->p, rules->n);
	buf_puts(b, "\n");
}

/* Adds an example of a rule, as a comment: for the node that makes the first
 * output. */
static void
put_example(struct buf *b, const struct new_cfg *d)
{
	const struct onnx_ports *ports = &d->l->model.ports;
	const struct onnx_node *last;
	struct onnx_graph g;
	struct npu_err err;

	if (onnx_graph_read(&g, d->l->bytes.file, &err) < 0)
		cmd_die_err(d->path, &err);
	last = onnx_graph_maker(&g, ports->out[0].name);
	if (last != NULL) {
		buf_puts(b, "# A layer that needs more bits, by name:\n"
		    "#   activation_bits = 8 & ");
		layer_selector_put(b, last, "16");
		buf_puts(b, "\n");
	}
	onnx_graph_free(&g);
}

static void
put_optimizer(struct buf *b, const struct new_cfg *d)
{
	const struct layer_rules *r = &d->rules;

	buf_puts(b, "[Optimizer]\n");
	put_calibration(b, d);
	buf_puts(b, "output_dir = ./\n"
	    "quantize_method_for_activation = per_tensor_asymmetric\n"
	    "quantize_method_for_weight = "
	    "per_channel_symmetric_restricted_range\n");
	if (r->activation_bits.n + r->float_op.n > 0)
		buf_puts(b, "# The layers that are named here lose too much "
		    "with 8 bits.\n");
	else
		put_example(b, d);
	put_value(b, "weight_bits", "8", &r->weight_bits);
	put_value(b, "activation_bits", "8", &r->activation_bits);
	buf_puts(b, "bias_bits = 32\n");
	if (r->float_op.n > 0)
		put_value(b, "trigger_float_op", "disable", &r->float_op);
}

/* ---- The whole ---------------------------------------------------------- */

static struct buf
write_draft(const struct new_cfg *d)
{
	struct buf b = { 0 };

	buf_puts(&b, "# A configuration to start from, by cix-lint "
	    "--write-cfg.\n\n[Common]\nmode = build\n\n");
	put_parser(&b, d);
	buf_puts(&b, "\n");
	put_optimizer(&b, d);
	buf_printf(&b, "\n[GBuilder]\n"
	    "# The NPU of the Sky1; MP3: with all three cores.\n"
	    "target = X2_1204MP3\noutputs = %s.cix\n"
	    "# Or footprint, for less memory.\ntiling = fps\n", d->name);
	cmd_check_buf(&b);
	return b;
}

/* Checks a draft as cix-lint checks a file, without the calibration data, which
 * the user has yet to save. */
static void
check_draft(struct lint *l, const struct buf *text)
{
	struct npu_err err;

	if (ini_read(&l->ini, (struct bytes){ (void *)text->p, text->n },
	    &l->findings, &err) < 0)
		cmd_die_err(l->path, &err);
	l->configured = true;
	check_config(l);
	check_model_file(l);
	if (!l->has_model)
		return;
	check_inputs(l);
	check_operators(l);
	check_selectors(l);
	check_weights(l);
}

static void
note_rest(const struct new_cfg *d, const struct lint *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->findings.n; i++)
		n += l->findings.list[i].level > LEVEL_NOTE;
	if (n > 0)
		cmd_note("%s: the configuration cannot mend all: run cix-lint "
		    "on it, which prints %zu more finding%s", d->path, n,
		    n > 1 ? "s" : "");
}

/* Writes drafts until no rule for a layer would mend a finding: first without
 * rules, then with 16 bits, then with floats. */
static struct buf
write_best(struct new_cfg *d, const struct lint_options *o)
{
	struct buf text = { 0 };
	bool more = true;

	for (int i = 0; more; i++) {
		struct lint l = { .o = o, .path = d->path };

		buf_free(&text);
		text = write_draft(d);
		check_draft(&l, &text);
		more = i < 2 && layer_rules_make(&d->rules, &l,
		    i == 0 ? LAYER_16_BITS : LAYER_FLOAT);
		if (!more)
			note_rest(d, &l);
		lint_free(&l);
	}
	return text;
}

/* Opens the model, or dies with the reason. */
static void
open_model(struct lint *l)
{
	struct npu_err err;

	if (lint_file(l, &err) < 0)
		cmd_die_err(l->path, &err);
	if (l->configured)
		cmd_die("%s: is a configuration; --write-cfg takes a model",
		    l->path);
	for (size_t i = 0; !l->has_model && i < l->findings.n; i++)
		if (l->findings.list[i].level == LEVEL_ERROR)
			cmd_die("%s: %s", l->path, l->findings.list[i].message);
	if (!l->has_model)
		cmd_die("%s: is not an ONNX model", l->path);
}

int
write_cfg(const char *model, const char *output)
{
	const struct lint_options o = { 0 };
	struct lint l = { .o = &o, .path = model };
	struct new_cfg d = { .path = model, .l = &l };
	struct buf text;

	d.written = written_path(model);
	open_model(&l);
	check_sizes(&l);
	d.name = model_name(model);
	list_inputs(&d);
	text = write_best(&d, &o);
	cmd_write_document(output, &text);
	layer_rules_free(&d.rules);
	free(d.in);
	free(d.name);
	lint_free(&l);
	return EXIT_DONE;
}
