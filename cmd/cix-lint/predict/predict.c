// SPDX-License-Identifier: Apache-2.0
/* predict.c - runs the model with floats and with rounded values. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/num.h"
#include "cix-lint/quantising/value_range.h"
#include "cmd.h"
#include "device.h"
#include "json_error.h"
#include "model/names.h"
#include "predict.h"
#include "progress.h"
#include "session.h"

enum {
	MOST_WORST = 10,
	DEFAULT_LIMIT_MS = 600000,	/* of one run */
};

/* Data, and the array for each input of the model. */
struct data {
	struct samples samples;
	size_t *array;
};

/* Closed at every exit. */
static struct model_session floats, rounded;

static void
end(void *arg)
{
	const struct prediction *p = arg;

	session_close(&floats);
	session_close(&rounded);
	if (p->options->json && !p->written && json_ends_failed())
		json_write_failure(PREDICT_SCHEMA, p->options->output);
}

/* ---- Reading ------------------------------------------------------------- */

/* Reads the configuration and the model as checking does. */
static void
read_file(struct lint *l)
{
	struct npu_err err;

	if (lint_file(l, &err) < 0)
		cmd_die_err(cmd_input_name(l->path), &err);
	if (!l->has_model)
		cmd_die("%s: no model to run; 'cix-lint %s' says why",
		    cmd_input_name(l->path), cmd_input_name(l->path));
	for (size_t i = 0; i < l->findings.n; i++) {
		const struct finding *f = &l->findings.list[i];

		if (f->rule == RULE_EXTERNAL_DATA && f->level == LEVEL_ERROR)
			cmd_die("%s: %s%s%s", l->model_path, f->where != NULL ?
			    f->where : "", f->where != NULL ? ": " : "",
			    f->message);
	}
}

static int64_t
opset_of(const struct onnx_model *m)
{
	for (size_t i = 0; i < m->n_opsets; i++)
		if (onnx_is_standard(m->opset[i].domain))
			return m->opset[i].version;
	return 1;
}

static void
open_net(struct net *net, const struct lint *l)
{
	struct npu_err err;

	*net = (struct net){ .lint = l, .files.model = l->model_path,
	    .opset = opset_of(&l->model) };
	net->types.g = &net->graph;
	net->types.ports = &l->model.ports;
	if (onnx_graph_read(&net->graph, l->bytes.file, &err) < 0 ||
	    value_types_find(&net->types, l->bytes.file, &err) < 0)
		cmd_die("%s: %s", l->model_path, err.msg);
	activations_find(&net->activations, &net->graph, &net->types);
	if (net->activations.n == 0)
		cmd_die("%s: no node makes f32 values, which are all that "
		    "--predict follows: export the model with floats of 32 "
		    "bits", l->model_path);
	settings_read(&net->settings, l->configured ? &l->ini : NULL);
}

static void
close_net(struct net *net)
{
	onnx_graph_free(&net->graph);
	value_types_free(&net->types);
	activations_free(&net->activations);
	settings_free(&net->settings);
	other_files_close(&net->files);
}

/* Notes the numbers of the data for input i that make figures of no use. */
static void
note_not_finite(struct data *d, size_t i, const char *path)
{
	struct sample_range r;
	struct npu_err err;

	if (samples_range(&d->samples, d->array[i], &r, &err) < 0)
		cmd_die_err(path, &err);
	if (r.nan + r.infinite > 0)
		cmd_note("%s: input %zu: %" PRIu64 " of %" PRIu64 " numbers "
		    "are NaN or infinite, first in sample %" PRIu64 ": leave "
		    "these samples out", path, i, r.nan + r.infinite, r.n,
		    r.first_bad);
}

static void
open_data(struct data *d, const char *path, const struct lint *l)
{
	const struct onnx_ports *p = &l->model.ports;
	struct bytes *name = cmd_alloc((p->n_in + 1) * sizeof(*name));
	struct npu_err err;

	if (samples_open(&d->samples, path, &err) < 0)
		cmd_die_err(path, &err);
	d->array = cmd_alloc((p->n_in + 1) * sizeof(*d->array));
	for (size_t i = 0; i < p->n_in; i++)
		name[i] = p->in[i].name;
	if (!samples_assign(&d->samples, name, p->n_in, d->array))
		cmd_die("%s: has %zu arrays, and the model has %zu inputs",
		    path, d->samples.n, p->n_in);
	for (size_t i = 0; i < p->n_in; i++)
		note_not_finite(d, i, path);
	free(name);
}

static void
close_data(struct data *d)
{
	samples_close(&d->samples);
	free(d->array);
}

/* ---- Notes --------------------------------------------------------------- */

static bool
names_per_channel(const struct layered *v)
{
	bool named = strncasecmp(v->global, "per_channel", 11) == 0;

	for (size_t i = 0; i < v->n; i++)
		named |= strncasecmp(v->selector[i].value, "per_channel",
		    11) == 0;
	return named;
}

/* Says that the compiler would change the order of the axes. */
static void
note_dataset(const char *name)
{
	if (name != NULL && (strcasestr(name, "nhwc2") != NULL ||
	    strcasestr(name, "nchw2") != NULL ||
	    strcasestr(name, "nhwcrgb2") != NULL))
		cmd_note("dataset %s changes the order of the data, which is "
		    "not imitated: --predict takes data as the model's inputs "
		    "have it", name);
}

/* Says what the configuration asks for and is not imitated. */
static void
note_differences(const struct net *net)
{
	static const char *const keys[] = {
		"calibration_strategy_for_activation",
		"calibration_strategy_for_weight",
	};
	const struct lint *l = net->lint;

	for (size_t i = 0; l->configured &&
	    i < sizeof(keys) / sizeof(*keys); i++) {
		const char *v = ini_value(&l->ini, "Optimizer", keys[i]);

		if (v != NULL && strcasecmp(v, "extrema") != 0)
			cmd_note("%s = %s is not imitated: ranges are from "
			    "the smallest to the largest value", keys[i], v);
	}
	if (l->configured)
		note_dataset(ini_value(&l->ini, "Optimizer", "dataset"));
	if (precision_has_ids(&net->settings.precision))
		cmd_note("layer ids number the layers after the parser, and "
		    "are not followed");
	if (l->configured && names_per_channel(
	    &net->settings.activation_method))
		cmd_note("activations are rounded per tensor, not per "
		    "channel");
}

/* ---- Running ------------------------------------------------------------- */

static void
find_extents(struct net *net, struct data *d, uint64_t runs)
{
	progress_begin("samples", runs);
	for (uint64_t i = 0; i < runs; i++) {
		session_run(&floats, &d->samples, d->array, i);
		take_extents(&net->activations, floats.figures);
		progress_update(i + 1);
	}
	progress_end();
}

static void
note_infinite(const struct activations *a)
{
	const struct activation *first = NULL;
	char name[80];
	size_t n = 0;

	for (size_t i = a->n; i-- > 0;)
		if (!a->list[i].finite) {
			first = &a->list[i];
			n++;
		}
	if (first == NULL)
		return;
	names_copy(name, sizeof(name), first->name);
	cmd_note("%zu value%s that %s not finite stay%s float; the first is "
	    "'%s'", n, num_plural(n), n == 1 ? "is" : "are",
	    n == 1 ? "s" : "", name);
}

static void
open_floats(struct net *net, const struct data *d)
{
	struct instrumented m = { .figures = 0 };
	struct npu_err err;

	if (instrument_floats(&m, net, &err) < 0)
		cmd_die("%s: %s", net->lint->model_path, err.msg);
	session_open(&floats, net, &m, &d->samples, d->array);
}

static void
open_rounded(struct net *net, const struct data *d)
{
	struct instrumented m = { .figures = 0 };
	struct npu_err err;

	activations_set_roundings(&net->activations, &net->graph,
	    &net->settings);
	if (instrument_rounded(&m, net, &err) < 0)
		cmd_die("%s: %s", net->lint->model_path, err.msg);
	session_open(&rounded, net, &m, &d->samples, d->array);
}

/* Returns the activation with this name, or NULL. */
static const struct activation *
find_activation(const struct net *net, struct bytes name)
{
	const struct activations *a = &net->activations;
	const struct onnx_node *n = onnx_graph_maker(&net->graph, name);
	size_t i = n != NULL ? activations_of(a, n) : NO_ACTIVATION;

	for (; i < a->n && a->list[i].node == n; i++)
		if (bytes_compare(a->list[i].name, name) == 0)
			return &a->list[i];
	return NULL;
}

static void
begin_outputs(struct prediction *p)
{
	const struct onnx_ports *ports = &p->net->lint->model.ports;
	const void *unused;

	p->n_outputs = (uint32_t)ports->n_out;
	p->output = cmd_alloc((p->n_outputs + 1) * sizeof(*p->output));
	for (uint32_t i = 0; i < p->n_outputs; i++)
		output_lost_begin(&p->output[i], session_output(&floats, i,
		    &unused), find_activation(p->net, ports->out[i].name));
}

static void
compare_outputs(struct prediction *p)
{
	const void *exact, *other;

	for (uint32_t i = 0; i < p->n_outputs; i++) {
		const struct npu_tensor *t = session_output(&floats, i,
		    &exact);

		session_output(&rounded, i, &other);
		if (t->dtype == NPU_F32)
			output_lost_add(&p->output[i], t, exact, other);
	}
}

static void
compare(struct prediction *p, struct net *net, struct data *d)
{
	progress_begin("samples", p->evaluated);
	for (uint64_t i = 0; i < p->evaluated; i++) {
		session_run(&floats, &d->samples, d->array, i);
		session_run(&rounded, &d->samples, d->array, i);
		take_noise(&net->activations, rounded.figures);
		compare_outputs(p);
		progress_update(i + 1);
	}
	progress_end();
}

/* ---- The activations that lose most -------------------------------------- */

struct ranked {
	size_t at;
	double ratio;
};

static int
by_ratio(const void *pa, const void *pb)
{
	const struct ranked *a = pa, *b = pb;

	if (a->ratio != b->ratio)
		return a->ratio < b->ratio ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

/* Returns whether the value has the numbers of an earlier value, which loses
 * them in the same Concat. */
static bool
is_moved(const struct net *net, const struct activation *a)
{
	const struct activation *before = moves_elements(a->node) ?
	    find_activation(net, a->node->in[0]) : NULL;

	return before != NULL && a->concat != NO_ACTIVATION &&
	    before->concat == a->concat;
}

static void
rank(struct prediction *p)
{
	const struct activations *a = &p->net->activations;
	struct ranked *list = cmd_alloc((a->n + 1) * sizeof(*list));
	size_t n = 0;
	bool shared;

	for (size_t i = 0; i < a->n; i++) {
		double ratio = activation_ratio(&a->list[i], &shared);

		/* A value that is always 0 loses nothing. */
		if (a->list[i].signal > 0 && isfinite(ratio) &&
		    !(shared && is_moved(p->net, &a->list[i])))
			list[n++] = (struct ranked){ i, ratio };
	}
	qsort(list, n, sizeof(*list), by_ratio);
	p->n_worst = n < MOST_WORST ? n : MOST_WORST;
	p->worst = cmd_alloc((p->n_worst + 1) * sizeof(*p->worst));
	for (size_t i = 0; i < p->n_worst; i++)
		p->worst[i] = list[i].at;
	free(list);
}

/* ---- All ----------------------------------------------------------------- */

static uint64_t
runs_of(const struct prediction *p, const struct data *d)
{
	uint64_t runs = session_runs(&floats, &d->samples, d->array);

	return p->options->runs > 0 && (uint64_t)p->options->runs < runs ?
	    (uint64_t)p->options->runs : runs;
}

static void
run_all(struct prediction *p, struct net *net)
{
	struct data calibration, other;
	bool same = p->options->evaluate == NULL;

	open_data(&calibration, p->options->data, net->lint);
	open_floats(net, &calibration);
	p->runs = p->evaluated = runs_of(p, &calibration);
	if (!same) {
		open_data(&other, p->options->evaluate, net->lint);
		p->evaluated = runs_of(p, &other);
	}
	find_extents(net, &calibration, p->runs);
	note_infinite(&net->activations);
	open_rounded(net, &calibration);
	begin_outputs(p);
	compare(p, net, same ? &calibration : &other);
	close_data(&calibration);
	if (!same)
		close_data(&other);
}

int
predict(const struct predict_options *o, const char *file)
{
	struct lint_options options = { .gates = 0 };
	struct lint l = { .o = &options, .path = file };
	struct net net;
	struct prediction p = { .net = &net, .options = o };

	cmd_on_exit(end, &p);
	cmd_device_resolve();
	read_file(&l);
	open_net(&net, &l);
	net.timeout_ms = o->timeout_ms != 0 ? o->timeout_ms : DEFAULT_LIMIT_MS;
	note_differences(&net);
	cmd_claim_stdout();
	cmd_catch_signals();
	run_all(&p, &net);
	rank(&p);
	p.written = true;
	write_prediction(&p);
	end(&p);
	cmd_on_exit(NULL, NULL);
	for (uint32_t i = 0; i < p.n_outputs; i++)
		output_lost_free(&p.output[i]);
	free(p.output);
	free(p.worst);
	close_net(&net);
	lint_free(&l);
	return EXIT_DONE;
}
