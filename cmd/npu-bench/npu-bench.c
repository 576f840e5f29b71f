// SPDX-License-Identifier: Apache-2.0
/* npu-bench - how fast a model runs, and whether it has become slower. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "device.h"
#include "exit_status.h"
#include "npu-bench/measure/machine.h"
#include "npu-bench/measure/worker.h"
#include "npu-bench/report/report.h"
#include "rounds.h"
#include "self_check.h"

static const struct cmd_env env[] = {
	CMD_DEVICE_ENV,
	CMD_MODEL_ENV,
	{ 0 },
};

const struct program program = {
	.name = "npu-bench",
	.synopsis = "npu-bench [options] MODEL...",
	.examples =
	"  npu-bench clip_txt.cix\n"
	"  npu-bench -R 5 --baseline=base.json clip_txt.cix || echo slower\n",
	.help =
	"Measures how long every stage of an inference takes, and says\n"
	"whether that became slower (status 4).\n",
	.options = options_table,
	.operands = { COMPLETE_MODEL, COMPLETE_MODEL },
	.env = env,
	.version = cmd_device_version,
};

struct outputs {
	struct output report, save, junit, samples;
};

/* Before anything is measured, so that a wrong name is found before, not after,
 * an hour of work. */
static void
open_outputs(struct outputs *out, const struct npu_bench_options *o)
{
	cmd_open_output(&out->report, o->output, false);
	if (o->save != NULL)
		cmd_open_output(&out->save, o->save, false);
	if (o->junit != NULL)
		cmd_open_output(&out->junit, o->junit, false);
	if (o->samples != NULL)
		cmd_open_output(&out->samples, o->samples, false);
}

static void
write_one(struct output *o, struct buf *b)
{
	cmd_write_buf(o, b);
	cmd_close_output(o);
	cmd_end_if_stopped();	/* its reader has closed the pipe */
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
	if (o->format == FORMAT_CSV) {
		bench_csv(t, b, s);
		return;
	}
	if (!any_ran(b))
		return;		/* no table, and -o makes no file */
	if (o->format == FORMAT_MARKDOWN)
		bench_markdown(t, b, s);
	else
		bench_text(t, b, s, cmd_verbose);
	if (o->histogram)
		bench_histogram(t, b);
	if (o->explain)
		bench_explain(t);
}

static bool
all_right(const struct bench *b)
{
	for (unsigned i = 0; i < b->runs; i++)
		if (b->run[i]->rc != 0)
			return false;
	return true;
}

/* --save and --junit need all runs: none that failed or breaks --tol. */
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
	if (result->status != 0 || !all_right(b))
		return;
	if (o->save != NULL) {
		bench_json(&t, b, s, NULL, 0);
		write_one(&out->save, &t);
	}
	if (o->junit != NULL) {
		bench_junit(&t, b, o->gate.unsure);
		write_one(&out->junit, &t);
	}
}

/* Returns the exit status. */
static int
report(struct outputs *out, const struct npu_bench_options *o,
    const struct bench *b, const struct rounds_result *result)
{
	struct bench_stats *s = bench_stats_all(b);
	struct buf t = { 0 };
	int status;

	make_report(&t, o, b, s, result);
	if (t.n > 0 || t.failed)
		write_one(&out->report, &t);
	write_files(out, o, b, s, result);
	if (!cmd_quiet)
		bench_warn(b, s);
	status = exit_status(o, b, s, result);
	free(s);
	return status;
}

/* ---- Main ---------------------------------------------------------------- */

static void
copy_loads(struct bench *b, const struct sweep *sweep)
{
	struct bench_load *load = cmd_alloc(sweep->n * sizeof(*load));

	b->config_of = cmd_alloc(sweep->n * sizeof(*b->config_of));
	for (unsigned i = 0; i < sweep->n; i++) {
		load[i] = sweep->entry[i].load;
		b->config_of[i] = sweep->entry[i].config;
	}
	b->load = load;
	b->loads = sweep->n;
	b->configs = sweep->configs;
}

/* Nothing will be measured. */
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
	char *path = cmd_find_model(name, err);
	int rc = 0;

	if (path == NULL)
		rc = err->code;
	else if (strlen(path) >= PATH_MAX)
		rc = npu_fail(err, NPU_ESYSTEM, "%s", strerror(ENAMETOOLONG));
	free(path);
	return rc < 0 ? npu_prefix(err, rc, "%s", name) : 0;
}

/* Before the first is measured, all models and the baseline must be there. */
static void
check_inputs(struct npu_bench_options *o, struct rounds_result *result)
{
	struct npu_err err;

	if (bench_has_gate(&o->gate) &&
	    bench_gate_open(&o->gate, o->sweep.n, &err) < 0) {
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
	char **args = cmd_alloc(((size_t)argc + 1) * sizeof(*args));
	static struct npu_bench_options o;
	static struct outputs out;
	static struct bench b;
	struct rounds_result result = { 0 };
	struct worker_options workers;
	int status;

	cmd_start();
	memcpy(args, argv, (size_t)argc * sizeof(*args));
	options_read(&o, argc, argv);
	workers = options_of_workers(&o);
	worker_main_if_child(&workers);
	cmd_device_resolve();
	open_outputs(&out, &o);
	b = (struct bench){ .argc = argc, .argv = args, .plan = &o.plan,
	    .processes = o.processes, .time = time(NULL) };
	copy_loads(&b, &o.sweep);
	machine_read(&b.machine, o.root);
	check_inputs(&o, &result);
	if (result.status == EXIT_DONE)
		rounds_run(&b, &o, args, &result);
	status = report(&out, &o, &b, &result);
	if (o.self_check && status == EXIT_DONE)
		status = self_check(&b, &o, args, &result);
	cmd_exit(status);
}
