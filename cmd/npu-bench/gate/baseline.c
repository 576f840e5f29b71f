// SPDX-License-Identifier: Apache-2.0
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/encoding.h"
#include "base/err.h"
#include "base/json_reason.h"
#include "baseline.h"

/* The position of a value, for a message: "runs[2].stages.infer.p50_ms". */
struct baseline_origin {
	const char *list;	/* "runs"; NULL: not in a list */
	size_t index;		/* index in the list */
	const char *in, *stage;	/* "stages", "infer"; NULL: not in such an
				   object */
	const char *key;
};

__attribute__((format(printf, 3, 4)))
static int
refuse(const struct baseline_origin *at, struct npu_err *err, const char *fmt,
    ...)
{
	char list[40] = "", why[160];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	if (at->list != NULL)
		snprintf(list, sizeof(list), "%s[%zu]%s", at->list, at->index,
		    at->key != NULL ? "." : "");
	return npu_fail(err, NPU_EFORMAT, "%s%s%s%s%s%s: %s", list,
	    at->in != NULL ? at->in : "", at->in != NULL ? "." : "",
	    at->stage != NULL ? at->stage : "", at->stage != NULL ? "." : "",
	    at->key != NULL ? at->key : "", why);
}

/* ---- Values ----------------------------------------------------------- */

/* Returns a member that must be present. */
static int
member(const json_t *o, const struct baseline_origin *at, json_t **v,
    struct npu_err *err)
{
	if ((*v = json_object_get(o, at->key)) == NULL)
		return refuse(at, err, "missing");
	return 0;
}

/* Reads a string of less than size bytes; null, where it is allowed, becomes
 * "". */
static int
text(const json_t *o, const struct baseline_origin *at, bool null, char *value,
    size_t size, struct npu_err *err)
{
	json_t *v;
	int rc;

	if ((rc = member(o, at, &v, err)) < 0)
		return rc;
	if (json_is_null(v) && null) {
		*value = '\0';
		return 0;
	}
	if (!json_is_string(v))
		return refuse(at, err, "not a string");
	if (json_string_length(v) >= size)
		return refuse(at, err, "%zu bytes, at most %zu are known",
		    json_string_length(v), size - 1);
	memcpy(value, json_string_value(v), json_string_length(v) + 1);
	return 0;
}

static int
whole(const json_t *o, const struct baseline_origin *at, json_int_t least,
    json_int_t most, json_int_t *value, struct npu_err *err)
{
	json_t *v;
	int rc;

	if ((rc = member(o, at, &v, err)) < 0)
		return rc;
	if (!json_is_integer(v))
		return refuse(at, err, "not a whole number");
	*value = json_integer_value(v);
	if (*value < least || *value > most)
		return refuse(at, err, "%" JSON_INTEGER_FORMAT " is not from "
		    "%" JSON_INTEGER_FORMAT " to %" JSON_INTEGER_FORMAT,
		    *value, least, most);
	return 0;
}

static int
count(const json_t *o, struct baseline_origin at, const char *key,
    unsigned least, unsigned most, unsigned *value, struct npu_err *err)
{
	json_int_t v;
	int rc;

	at.key = key;
	if ((rc = whole(o, &at, least, most, &v, err)) < 0)
		return rc;
	*value = (unsigned)v;
	return 0;
}

/* Reads a number from 0 to most; leaves *value unchanged if it is missing or
 * null. */
static int
number(const json_t *o, const struct baseline_origin *at, double most,
    double *value, struct npu_err *err)
{
	const json_t *v = json_object_get(o, at->key);
	double x;

	if (v == NULL || json_is_null(v))
		return 0;
	if (!json_is_number(v))
		return refuse(at, err, "not a number");
	x = json_number_value(v);
	if (!(x >= 0 && x <= most))
		return refuse(at, err, "%g is not from 0 to %g", x, most);
	*value = x;
	return 0;
}

/* ---- A run ------------------------------------------------------------ */

/* 1e12 ms are 30 years; and 1e12 inferences a second would do nothing. */
#define MOST_VALUE 1e12

/* Formats a metric's key: "p99.9_ucb" is "p999_ucb_ms" in a document. */
static void
stat_key(const char *stat, char key[40])
{
	char percent[13];
	const char *rest;
	uint32_t p;

	if (bench_stat_percentile(stat, &p, &rest)) {
		bench_percent_key(p, percent);
		snprintf(key, 40, "%s%s_ms", percent, rest);
	} else {
		snprintf(key, 40, "%s_ms", stat);
	}
}

static int
read_metric(const json_t *o, struct baseline_origin at,
    const struct bench_metric *m, double *value, struct npu_err *err)
{
	json_t *stages, *stage;
	char key[40];
	int rc;

	*value = NAN;
	at.key = m->stage;
	if (*m->stat == '\0')
		return number(o, &at, MOST_VALUE, value, err);
	at.key = "stages";
	if ((rc = member(o, &at, &stages, err)) < 0)
		return rc;
	if (!json_is_object(stages))
		return refuse(&at, err, "not an object");
	at.in = "stages";
	at.key = m->stage;
	stage = json_object_get(stages, m->stage);
	if (stage == NULL || json_is_null(stage))
		return 0;
	if (!json_is_object(stage))
		return refuse(&at, err, "not an object");
	stat_key(m->stat, key);
	at.stage = m->stage;
	at.key = key;
	return number(stage, &at, MOST_VALUE, value, err);
}

static int
read_scenario(const json_t *o, struct baseline_origin at,
    enum bench_scenario *s, struct npu_err *err)
{
	char name[32];
	int rc;

	at.key = "scenario";
	if ((rc = text(o, &at, false, name, sizeof(name), err)) < 0)
		return rc;
	for (unsigned i = 0; i < SCENARIOS; i++) {
		if (strcmp(name, bench_scenarios[i]) == 0) {
			*s = (enum bench_scenario)i;
			return 0;
		}
	}
	return refuse(&at, err, "'%s' is not single-stream, multi-stream, "
	    "offline or server", name);
}

static int
read_side(const json_t *o, struct baseline_origin at, struct npu_err *err)
{
	json_t *v;
	int rc;

	at.key = "side";
	if ((rc = member(o, &at, &v, err)) < 0)
		return rc;
	if (!json_is_null(v))
		return refuse(&at, err,
		    "not null: A against B is not a baseline");
	return 0;
}

/*
 * Reads the run's model, which must be one of the document's, and its checksum.
 */
static int
read_model(const json_t *o, struct baseline_origin at, const json_t *models,
    struct bench_points *all, struct bench_point *p, struct npu_err *err)
{
	char name[PATH_MAX];
	const json_t *model;
	const char *path;
	size_t i;
	int rc;

	at.key = "model";
	if ((rc = text(o, &at, false, name, sizeof(name), err)) < 0)
		return rc;
	json_array_foreach(models, i, model) {
		path = json_string_value(json_object_get(model, "path"));
		if (path == NULL || strcmp(path, name) != 0)
			continue;
		if (all->model[i] == NULL)
			all->model[i] = strdup(name);
		if ((p->model = all->model[i]) == NULL)
			return npu_fail(err, NPU_ESYSTEM, "out of memory");
		at = (struct baseline_origin){ .list = "models", .index = i,
		    .key = "sha256" };
		rc = text(model, &at, false, p->sha256, sizeof(p->sha256), err);
		if (rc < 0)
			return rc;
		if (strspn(p->sha256, "0123456789abcdef") != 64)
			return refuse(&at, err, "'%s' is not 64 hexadecimal "
			    "digits", p->sha256);
		return 0;
	}
	return refuse(&at, err, "'%.100s' is not among the models", name);
}

static int
read_rate(const json_t *o, struct baseline_origin at, struct bench_point *p,
    struct npu_err *err)
{
	double per_query = 0;
	int rc;

	at.key = "rate";
	if ((rc = number(o, &at, 1e9, &p->rate, err)) < 0)
		return rc;
	at.key = "per_query";
	if ((rc = number(o, &at, 1e6, &per_query, err)) < 0)
		return rc;
	p->per_query = (unsigned)per_query;
	return 0;
}

static int
read_run(const json_t *o, struct baseline_origin at, const json_t *models,
    const struct bench_metrics *metrics, struct bench_points *all,
    struct npu_err *err)
{
	struct bench_point *p = &all->point[all->n];
	const unsigned most = BASELINE_RUNS;
	json_int_t n = 0;
	int rc;

	if (!json_is_object(o))
		return refuse(&at, err, "not an object");
	if ((rc = read_model(o, at, models, all, p, err)) < 0 ||
	    (rc = read_side(o, at, err)) < 0 ||
	    (rc = read_scenario(o, at, &p->scenario, err)) < 0 ||
	    (rc = count(o, at, "inflight", 1, 65536, &p->inflight, err)) < 0 ||
	    (rc = count(o, at, "config", 0, most, &p->config, err)) < 0 ||
	    (rc = count(o, at, "run", 0, most, &p->run, err)) < 0 ||
	    (rc = count(o, at, "process", 0, most, &p->process, err)) < 0 ||
	    (rc = read_rate(o, at, p, err)) < 0)
		return rc;
	at.key = "n";
	if ((rc = whole(o, &at, 0, INT64_MAX, &n, err)) < 0)
		return rc;
	p->n = (uint64_t)n;
	for (unsigned i = 0; i < metrics->n; i++) {
		rc = read_metric(o, at, &metrics->metric[i], &p->value[i],
		    err);
		if (rc < 0)
			return rc;
	}
	return 0;
}

/* ---- The document ----------------------------------------------------- */

/* Reads a boolean as one of two words; leaves *word unchanged for null. */
static int
choice(const json_t *o, struct baseline_origin *at, const char *yes,
    const char *no, char *word, struct npu_err *err)
{
	const json_t *v = json_object_get(o, at->key);

	if (v != NULL && !json_is_null(v) && !json_is_boolean(v))
		return refuse(at, err, "not true or false");
	if (json_is_boolean(v))
		strcpy(word, json_is_true(v) ? yes : no);
	return 0;
}

static int
read_host(const json_t *root, struct bench_environment *p, struct npu_err *err)
{
	const struct {
		const char *key;
		char *value;
		size_t size;
		bool optional;		/* early documents lack the member */
	} texts[] = {
		{ "board", p->board, sizeof(p->board), false },
		{ "driver", p->driver, sizeof(p->driver), false },
		{ "libnoe", p->library, sizeof(p->library), false },
		{ "governor", p->governor, sizeof(p->governor), false },
		{ "cpu", p->processor, sizeof(p->processor), true },
		{ "machine", p->architecture, sizeof(p->architecture), true },
	};
	struct baseline_origin at = { .key = "host" };
	json_t *host;
	int rc;

	if ((rc = member(root, &at, &host, err)) < 0)
		return rc;
	if (!json_is_object(host))
		return refuse(&at, err, "not an object");
	at.in = "host";
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		at.key = texts[i].key;
		if (texts[i].optional && json_object_get(host, at.key) == NULL)
			continue;
		rc = text(host, &at, true, texts[i].value, texts[i].size, err);
		if (rc < 0)
			return rc;
	}
	p->has_processor = json_object_get(host, "cpu") != NULL;
	at.key = "cpus";
	if ((rc = number(host, &at, UINT32_MAX, &p->processors, err)) < 0)
		return rc;
	at.key = "emulator";
	return choice(host, &at, "yes", "no", p->emulator, err);
}

static int
read_plan(const json_t *root, struct bench_environment *p, struct npu_err *err)
{
	struct baseline_origin at = { .in = "plan", .key = "steady" };

	return choice(json_object_get(root, "plan"), &at, "even", "poisson",
	    p->arrivals, err);
}

static int
list(const json_t *root, const char *key, size_t most, const json_t **list,
    struct npu_err *err)
{
	struct baseline_origin at = { .key = key };
	json_t *v;
	int rc;

	if ((rc = member(root, &at, &v, err)) < 0)
		return rc;
	if (!json_is_array(v))
		return refuse(&at, err, "not an array");
	if (json_array_size(v) == 0 || json_array_size(v) > most)
		return refuse(&at, err, "%zu elements, not from 1 to %zu",
		    json_array_size(v), most);
	*list = v;
	return 0;
}

static int
read_runs(const json_t *root, const struct bench_metrics *metrics,
    struct bench_points *p, struct npu_err *err)
{
	const json_t *models = NULL, *runs = NULL, *run, *failed;
	struct baseline_origin at = { .list = "runs" };
	size_t i;
	int rc;

	if ((rc = list(root, "models", BENCH_MODELS, &models, err)) < 0 ||
	    (rc = list(root, "runs", BASELINE_RUNS, &runs, err)) < 0)
		return rc;
	p->point = calloc(json_array_size(runs), sizeof(*p->point));
	if (p->point == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	json_array_foreach(runs, i, run) {
		failed = json_object_get(run, "error");
		if (failed != NULL && !json_is_null(failed))
			continue;
		at.index = i;
		rc = read_run(run, at, models, metrics, p, err);
		if (rc < 0)
			return rc;
		p->n++;
	}
	return 0;
}

static int
read_root(const json_t *root, const struct bench_metrics *metrics,
    struct bench_points *p, struct npu_err *err)
{
	const json_t *failed = json_object_get(root, "error");
	struct baseline_origin at = { .key = "schema" };
	char schema[64];
	int rc;

	if (!json_is_object(root) || json_object_get(root, "schema") == NULL)
		return npu_fail(err, NPU_EFORMAT, "no \"schema\": not of "
		    "npu-bench --save or --json");
	if ((rc = text(root, &at, false, schema, sizeof(schema), err)) < 0)
		return rc;
	if (strcmp(schema, BASELINE_SCHEMA) != 0)
		return refuse(&at, err, "'%s', where " BASELINE_SCHEMA " is "
		    "understood", schema);
	at.key = "error";
	if (failed != NULL && !json_is_null(failed))
		return refuse(&at, err, "not null: a failed run cannot be a "
		    "baseline");
	if ((rc = read_host(root, &p->environment, err)) < 0 ||
	    (rc = read_plan(root, &p->environment, err)) < 0)
		return rc;
	return read_runs(root, metrics, p, err);
}

/* Limits jansson's memory: 40 bytes for each value, hundreds for each array and
 * object. */
static int
check_size(struct bytes text, struct npu_err *err)
{
	size_t nested = 0, values = 0;

	if (text.n > BASELINE_BYTES)
		return npu_fail(err, NPU_EFORMAT, "%zu bytes, at most %d are "
		    "read", text.n, BASELINE_BYTES);
	for (size_t i = 0; i < text.n; i++) {
		nested += text.p[i] == '[' || text.p[i] == '{';
		values += text.p[i] == ',';
	}
	if (nested > BASELINE_NESTED)
		return npu_fail(err, NPU_EFORMAT, "%zu arrays and objects, at "
		    "most %d are read", nested, BASELINE_NESTED);
	if (values > BASELINE_VALUES)
		return npu_fail(err, NPU_EFORMAT, "%zu values, at most %d are "
		    "read", values, BASELINE_VALUES);
	return 0;
}

int
baseline_read(struct bytes text, const struct bench_metrics *metrics,
    struct bench_points *points, struct npu_err *err)
{
	struct bench_points p = { 0 };
	json_error_t e;
	json_t *root;
	int rc;

	if ((rc = check_size(text, err)) < 0 ||
	    (rc = encoding_begin(&text, true, err)) < 0)
		return rc;
	root = json_loadb((const char *)text.p, text.n,
	    JSON_REJECT_DUPLICATES, &e);
	if (root == NULL)
		return npu_fail(err, NPU_EFORMAT, "no document of npu-bench "
		    "--save or --json: byte %d: %s", e.position,
		    json_reason(&e));
	rc = read_root(root, metrics, &p, err);
	json_decref(root);
	if (rc < 0) {
		baseline_free(&p);
		return rc;
	}
	*points = p;
	return 0;
}

void
baseline_free(struct bench_points *points)
{
	for (size_t i = 0; i < BENCH_MODELS; i++)
		free(points->model[i]);
	free(points->point);
	*points = (struct bench_points){ 0 };
}
