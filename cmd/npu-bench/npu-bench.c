// SPDX-License-Identifier: Apache-2.0
/*
 * npu-bench - measures how fast a model runs, and whether it has become slower.
 */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "device.h"
#include "exit_status.h"
#include "json_error.h"
#include "npu-bench/measure/machine.h"
#include "npu-bench/measure/worker.h"
#include "npu-bench/report/report.h"
#include "npu-bench/report/run_groups.h"
#include "onnx_operations.h"
#include "rounds.h"
#include "self_check.h"

static const struct cmd_env env[] = {
	CMD_DEVICE_ENV,
	CMD_MODEL_ENV,
	{ 0 },
};

static const struct moved moved[] = {
	{ "-R", "--runs", "--recursive" },
	{ "-n", "--min-iter", "--count" },
	{ "-t", "--min-time", "--type" },
	{ "--null", "--null-device", "names that end with NUL" },
	{ 0 },
};

const struct program program = {
	.name = "npu-bench",
	.synopsis = "npu-bench [options] MODEL...",
	.examples =
	"  npu-bench clip_txt.cix\n"
	"  npu-bench --runs=5 --save=base.json clip_txt.cix\n"
	"  npu-bench --baseline=base.json clip_txt.cix; "
	"[ $? -ne 4 ] || echo slower\n",
	.help =
	"Measures how long every stage of an inference takes, and says\n"
	"whether that became slower (status 4).\n",
	.options = options_table,
	.moved = moved,
	.operands = { COMPLETE_MODEL, COMPLETE_MODEL },
	.env = env,
	.version = cmd_device_version,
};

/* A document that is written even if another output fails. */
struct bench_document {
	struct output o;
	enum { NEW, OPEN, OVER } state;	/* OVER: it was written, or failed */
};

struct outputs {
	struct bench_document report, junit;
	struct output save, samples;
};

static void
open_document(struct bench_document *d, const char *path)
{
	if (d->state != NEW)
		return;
	d->state = OVER;
	cmd_open_output(&d->o, path, false);
	d->state = OPEN;
}

/* Checks names before any measurement: a wrong name must not be found after an
 * hour of work. */
static void
open_outputs(struct outputs *out, const struct npu_bench_options *o)
{
	open_document(&out->report, o->output);
	if (o->junit != NULL)
		open_document(&out->junit, o->junit);
	if (o->save != NULL)
		cmd_open_output(&out->save, o->save, false);
	if (o->samples != NULL)
		cmd_open_output(&out->samples, o->samples, false);
}

static void
write_one(struct output *o, struct buf *b)
{
	cmd_write_buf(o, b);
	cmd_close_output(o);
	cmd_end_if_stopped();	/* the reader has closed the pipe */
}

static void
write_document(struct bench_document *d, struct buf *b)
{
	d->state = OVER;
	write_one(&d->o, b);
}

/* ---- Reports ------------------------------------------------------------- */

static bool
any_ran(const struct bench *b)
{
	for (unsigned i = 0; i < b->runs; i++)
		if (b->run[i]->window.n > 0)
			return true;
	return false;
}

static void
make_report(struct buf *t, const struct npu_bench_options *o,
    const struct bench *b, const struct bench_stats *s,
    const struct rounds_result *result)
{
	const char *error = result->status != 0 ? result->message : NULL;

	if (o->format == FORMAT_JSON) {
		bench_json(t, b, s, error, result->status);
		return;
	}
	if (o->format >= FORMAT_CSV) {
		bench_table(t, b, s, o->format == FORMAT_CSV ? ',' : '\t');
		return;
	}
	/* Without a run, prints nothing, and -o does not make a file. */
	if (any_ran(b))
		bench_text(t, b, s, cmd_verbose);
}

static bool
all_succeeded(const struct bench *b)
{
	for (unsigned i = 0; i < b->runs; i++)
		if (b->run[i]->rc != 0)
			return false;
	return true;
}

/* Also writes the document without a comparison, with the reason: an earlier
 * document must not stay. */
static void
write_junit(struct outputs *out, const struct npu_bench_options *o,
    const struct bench *b, const struct rounds_result *result)
{
	struct buf t = { 0 };

	if (out->junit.state != OPEN)
		return;
	bench_junit(&t, b, o->gate.unsure,
	    result->status != 0 ? result->message : bound_failure(b));
	write_document(&out->junit, &t);
}

/* --save needs all runs: none may have failed or broken --tol. */
static void
write_files(struct outputs *out, const struct npu_bench_options *o,
    const struct bench *b, const struct bench_stats *s,
    const struct rounds_result *result)
{
	struct buf t = { 0 };

	if (o->samples != NULL && any_ran(b)) {
		bench_write_samples(&out->samples, b);
		cmd_end_if_stopped();
	}
	if (result->status != 0 || !all_succeeded(b) || o->save == NULL)
		return;
	bench_json(&t, b, s, NULL, 0);
	write_one(&out->save, &t);
}

/* Writes the reports and returns the exit status. */
static int
report(struct outputs *out, const struct npu_bench_options *o,
    const struct bench *b, const struct rounds_result *result)
{
	struct bench_stats *s = bench_stats_all(b);
	struct buf t = { 0 };
	int status;

	make_report(&t, o, b, s, result);
	if (out->report.state == OPEN && (t.n > 0 || t.failed))
		write_document(&out->report, &t);
	buf_free(&t);
	if (!o->self_check)
		write_junit(out, o, b, result);
	write_files(out, o, b, s, result);
	if (!cmd_quiet)
		bench_warn(b, s);
	status = exit_status(o, b, s, result);
	free(s);
	return status;
}

/* ---- An early end -------------------------------------------------------- */

struct npu_bench {
	struct outputs out;
	struct npu_bench_options o;
	struct bench b;
	struct rounds_result result;
};

/* Leaves out runs that were not complete. */
static void
end_early(void *arg)
{
	struct npu_bench *n = arg;

	if (!json_ends_failed())
		return;
	n->b.runs = 0;
	n->b.verdicts = (struct bench_verdicts){ .verdict = BENCH_NO_GATE };
	n->result.status = EXIT_FAILED;
	snprintf(n->result.message, sizeof(n->result.message), "%s",
	    cmd_last_message());
	if (n->o.junit != NULL)
		open_document(&n->out.junit, n->o.junit);
	write_junit(&n->out, &n->o, &n->b, &n->result);
	open_document(&n->out.report, n->o.output);
	report(&n->out, &n->o, &n->b, &n->result);
}

/* ---- Main ---------------------------------------------------------------- */

/* Returns the path of a model, as its runs name it, or NULL; owned by the
 * caller. */
static char *
model_path(const char *name, struct npu_err *err)
{
	bool quiet = cmd_quiet;
	char *path;

	cmd_quiet = true;	/* a worker prints the note */
	path = cmd_find_model(name, err);
	cmd_quiet = quiet;
	return path;
}

static void
copy_loads(struct bench *b, const struct sweep *sweep)
{
	struct bench_load *load = cmd_alloc(sweep->n * sizeof(*load));
	char *path;

	b->config_of = cmd_alloc(sweep->n * sizeof(*b->config_of));
	for (unsigned i = 0; i < sweep->n; i++) {
		load[i] = sweep->entry[i].load;
		if ((path = model_path(load[i].model, NULL)) != NULL)
			load[i].model = path;
		b->config_of[i] = sweep->entry[i].config;
	}
	b->load = load;
	b->loads = sweep->n;
	b->configs = sweep->configs;
}

/* Records an error that prevents all measurements. */
static void
cannot_start(struct rounds_result *result, const struct npu_err *err)
{
	cmd_warn("%s", err->msg);
	memcpy(result->message, err->msg, sizeof(result->message));
	result->status = EXIT_FAILED;
}

/* A longer path could not be opened, and must not be cut. */
static int
find_model(const char *name, struct npu_err *err)
{
	char *path = model_path(name, err);
	int rc = 0;

	if (path == NULL)
		rc = err->code;
	else if (strlen(path) >= PATH_MAX)
		rc = npu_fail(err, NPU_ESYSTEM, "%s", strerror(ENAMETOOLONG));
	free(path);
	return rc < 0 ? npu_prefix(err, rc, "%s",
	    cmd_visible_name(name)) : 0;
}

/* Checks that the machine, the baseline and all models are available before the
 * first measurement. */
static void
check_inputs(struct npu_bench_options *o, struct bench *b,
    struct rounds_result *result)
{
	struct npu_err err;

	if (cmd_try_root(&o->root, &err) < 0) {
		cannot_start(result, &err);
		return;
	}
	machine_read(&b->machine, o->root);
	if (bench_has_gate(&o->gate) &&
	    bench_gate_open(&o->gate, o->sweep.n, &err) < 0) {
		cannot_start(result, &err);
		return;
	}
	if (o->onnx != NULL &&
	    onnx_operations(o->onnx, &o->plan.ops, &err) < 0) {
		cannot_start(result, &err);
		return;
	}
	for (unsigned i = 0; i < o->sides; i++)
		for (unsigned k = 0; k < o->side[i].models; k++)
			if (find_model(o->side[i].model[k], &err) < 0) {
				cannot_start(result, &err);
				return;
			}
}

int
main(int argc, char *argv[])
{
	static struct npu_bench n;
	char **args = cmd_alloc(((size_t)argc + 1) * sizeof(*args));
	struct npu_bench_options *o = &n.o;
	struct rounds_result *result = &n.result;
	struct bench *b = &n.b;
	struct worker_options workers;
	int status;

	cmd_start();
	memcpy(args, argv, (size_t)argc * sizeof(*args));
	options_read(o, argc, argv);
	workers = options_of_workers(o);
	worker_main_if_child(&workers);
	cmd_device_resolve();
	*b = (struct bench){ .argc = argc, .argv = args, .plan = &o->plan,
	    .processes = o->processes, .time = time(NULL) };
	copy_loads(b, &o->sweep);
	b->machine.temp_start = b->machine.temp_end = (double)NAN;
	cmd_on_exit(end_early, &n);
	open_outputs(&n.out, o);
	check_inputs(o, b, result);
	if (result->status == EXIT_DONE)
		rounds_run(b, o, args, result);
	status = report(&n.out, o, b, result);
	if (o->self_check && status == EXIT_DONE)
		status = self_check(b, o, args, result);
	write_junit(&n.out, o, b, result);
	cmd_on_exit(NULL, NULL);
	cmd_exit(status);
}
