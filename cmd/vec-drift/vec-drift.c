// SPDX-License-Identifier: Apache-2.0
/* vec-drift - whether each vector is like those before it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "cmd.h"
#include "state_file.h"
#include "stats/drift.h"
#include "vectors/reader.h"

enum { OPT_HISTORY = 256, OPT_WARMUP, OPT_BELOW, OPT_MADS, OPT_FLOOR,
	OPT_STATE, OPT_IDS };

#define SECOND_NS 1000000000u

static const struct opt options[] = {
	TAKES('w', "window", "=N", COMPLETE_NONE,
	    "compare with the last N (default 20)"),
	TAKES(OPT_BELOW, "below", "=S", COMPLETE_NONE,
	    "alarm below a similarity of S"),
	TAKES(OPT_MADS, "mads", "=K", COMPLETE_NONE,
	    "alarm more than K times the MAD below the median of the history "
	    "(default 12), or none"),
	TAKES(OPT_FLOOR, "floor", "=F", COMPLETE_NONE,
	    "but no less than F below it (default 0.01)"),
	TAKES(OPT_HISTORY, "history", "=N", COMPLETE_NONE,
	    "of the last N similarities (default 100)"),
	TAKES(OPT_WARMUP, "warmup", "=N", COMPLETE_NONE,
	    "once it has N of them (default 20)"),
	TAKES(OPT_STATE, "state", "=FILE", COMPLETE_FILE,
	    "go on from FILE, and keep it up to date"),
	TAKES(OPT_IDS, "ids", "=FILE", COMPLETE_FILE,
	    "names of vectors without any, one a line"),
	FLAG('0', "null", "its names end with NUL"),
	FLAG('e', "exit-status", "status 4 if there was an alarm"),
	TAKES('o', "output", "=FILE", COMPLETE_FILE, "write to FILE"),
	CMD_COMMON,
	{ 0 },
};

const struct program program = {
	.name = "vec-drift",
	.synopsis = "vec-drift [OPTION]... [FILE]",
	.examples =
	"  host-status -l -i 30 | clip-embed -t | vec-drift --state=drift\n"
	"  vec-drift --below=0.8 vectors.npy | jq 'select(.alarm)'\n",
	.help =
	"Compares each vector with those before it: an object of JSON a\n"
	"vector, with an alarm where it is unlike them.\n",
	.options = options,
	.operands = { COMPLETE_FILE },
};

struct job {
	struct drift_options o;
	struct vector_reader_options input;
	const char *state;		/* NULL: none */
	const char *output;
	bool tell;			/* -e */

	struct drift *drift;
	struct vector_reader v;
	struct output out;
	struct held held;
	uint64_t written_ns;		/* when all was; clock_ns() */
	bool unsaved;			/* something came since then */
	bool resumed;			/* the state was not new */
	bool alarm, failed;
};

static double
take_mads(const char *arg)
{
	if (strcmp(arg, "none") == 0)
		return NAN;
	return cmd_double("--mads", arg, 0, 1e6);
}

static size_t
take_length(const char *option)
{
	return (size_t)cmd_int(option, optarg, 1, DRIFT_LENGTH);
}

static void
take_option(struct job *j, int opt)
{
	switch (opt) {
	case 'w': j->o.window = take_length("--window"); break;
	case OPT_HISTORY: j->o.history = take_length("--history"); break;
	case OPT_WARMUP: j->o.warmup = take_length("--warmup"); break;
	case OPT_BELOW: j->o.below = cmd_double("--below", optarg, -1, 1);
		break;
	case OPT_MADS: j->o.mads = take_mads(optarg); break;
	case OPT_FLOOR: j->o.floor = cmd_double("--floor", optarg, 0, 2);
		break;
	case OPT_STATE: j->state = optarg; break;
	case OPT_IDS: j->input.ids = optarg; break;
	case '0': j->input.null = true; break;
	case 'e': j->tell = true; break;
	case 'o': j->output = optarg; break;
	}
}

static void
check_choice(struct job *j, int operands)
{
	if (operands > 1)
		cmd_usage("one FILE, or standard input");
	if (j->input.null && j->input.ids == NULL)
		cmd_usage("--null is for --ids");
	if (j->o.warmup > j->o.history)
		cmd_usage("--warmup=%zu is never reached with --history=%zu",
		    j->o.warmup, j->o.history);
	if (j->state != NULL && strcmp(j->state, "-") == 0)
		cmd_usage("--state is a file, not '-'");
	if (j->state != NULL && j->output != NULL &&
	    cmd_same_output(j->state, j->output))
		cmd_usage("--output: '%s' is the state", j->output);
}

/* ---- State ------------------------------------------------------------ */

/* Only what was told counts: a run that goes on from the state tells an alarm
 * again rather than never.  A file that is to appear has told nothing yet. */
static void
save(struct job *j)
{
	struct buf b = { 0 };

	if (j->state == NULL || !j->unsaved || j->out.temporary != NULL)
		return;
	drift_encode(j->drift, &b);
	held_replace(&j->held, &b);
	j->unsaved = false;
}

static void
open_state(struct job *j)
{
	struct buf b = { 0 };
	struct npu_err err;

	if (j->state == NULL)
		return;
	held_open(&j->held, j->state, DRIFT_STATE_MAX, &b);
	if (b.n > 0 && drift_decode(j->drift, (struct bytes){
	    (uint8_t *)b.p, b.n }, &err) < 0)
		cmd_die_err(j->state, &err);
	j->resumed = b.n > 0;
	buf_free(&b);
	/* If it cannot be written, that is said before any work is done. */
	j->unsaved = true;
	save(j);
}

/* Before the end that a failure is: what came before it and was told counts. */
static _Noreturn void
die(struct job *j, const struct vector *row, const struct npu_err *err)
{
	struct npu_err why = *err;

	cmd_abandon_output(&j->out);
	save(j);
	if (row == NULL)
		cmd_die_err(j->v.name, &why);
	if (j->resumed && row->number == 1)
		cmd_die("%s: vector %s of %s %s", j->state,
		    vector_name(row), j->v.name, why.msg);
	cmd_die("%s: vector %s %s", j->v.name, vector_name(row), why.msg);
}

/* ---- One vector ------------------------------------------------------- */

static void
add_number(struct json *j, const char *key, double v)
{
	json_key(j, key);
	json_double(j, v);	/* null for NAN */
}

static void
add_verdict(struct json *j, const struct drift_verdict *v)
{
	static const char *const alarms[] = { NULL, "below", "history" };

	add_number(j, "similarity", v->similarity);
	add_number(j, "nearest", v->nearest);
	json_member_uint(j, "window", v->window);
	json_member_uint(j, "history", v->history);
	add_number(j, "median", v->median);
	add_number(j, "mad", v->mad);
	add_number(j, "limit", v->limit);
	json_key(j, "alarm");
	json_str(j, alarms[v->alarm]);
}

/* verdict NULL: error says why there is none. */
static void
write_record(struct job *job, const struct vector *row,
    const struct drift_verdict *verdict, const char *error)
{
	struct json j = { 0 };

	json_object(&j);
	json_member_str(&j, "schema", "vec-drift/1");
	json_member_uint(&j, "number", row->number);
	json_key(&j, "id");
	json_strn(&j, row->id, row->id_n);
	if (row->not_utf8)
		json_mark_invalid(&j);
	if (verdict != NULL)
		add_verdict(&j, verdict);
	else {
		json_key(&j, "error");
		json_str(&j, error);
	}
	json_end_object(&j);
	buf_puts(&j.out, "\n");
	cmd_write_buf(&job->out, &j.out);
}

static void
judge(struct job *j, const struct vector *row)
{
	struct drift_verdict v = { .alarm = DRIFT_QUIET };
	struct npu_err err;
	int rc;

	if (row->x == NULL) {
		j->failed = true;
		write_record(j, row, NULL, row->error);
		return;
	}
	rc = drift_model(j->drift, row->model_sha256, &err);
	if (rc == 0)
		rc = drift_add(j->drift, row->x, row->dim, &v, &err);
	if (rc == NPU_EFORMAT) {
		j->failed = true;
		write_record(j, row, NULL, err.msg);
		return;
	}
	if (rc < 0)
		die(j, row, &err);
	j->alarm |= v.alarm != DRIFT_QUIET;
	j->unsaved = true;
	write_record(j, row, &v, NULL);
}

static void
judge_all(struct job *j)
{
	struct vector row;
	struct npu_err err;
	int rc;

	while ((rc = vector_reader_next(&j->v, &row, &err)) > 0) {
		judge(j, &row);
		/* What nobody waits for is written in larger pieces. */
		if (vector_reader_ready(&j->v) &&
		    clock_ns() - j->written_ns < SECOND_NS) {
			cmd_mark_record(&j->out);
			continue;
		}
		cmd_end_record(&j->out);
		save(j);
		j->written_ns = clock_ns();
	}
	if (rc < 0)
		die(j, NULL, &err);
}

int
main(int argc, char *argv[])
{
	static struct job j = { .o = { .window = 20, .history = 100,
	    .warmup = 20, .below = NAN, .mads = 12, .floor = 0.01 } };
	struct npu_err err;
	int opt;

	cmd_start();
	while ((opt = cmd_option(argc, argv)) != -1)
		take_option(&j, opt);
	check_choice(&j, argc - optind);
	if (drift_open(&j.drift, &j.o, &err) < 0)
		cmd_die_err(NULL, &err);
	open_state(&j);
	vector_reader_open(&j.v, argv[optind], &j.input);
	cmd_open_output(&j.out, j.output, false);
	j.out.record_flush = true;
	judge_all(&j);
	cmd_close_output(&j.out);
	save(&j);
	vector_reader_close(&j.v);
	if (j.state != NULL)
		held_close(&j.held);
	drift_close(j.drift);
	if (j.failed)
		cmd_exit(EXIT_FAILED);
	cmd_exit(j.tell && j.alarm ? EXIT_VERDICT : EXIT_DONE);
}
