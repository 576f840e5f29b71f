// SPDX-License-Identifier: Apache-2.0
/* vec-drift - report vectors that differ from the vectors before them. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/num.h"
#include "cmd.h"
#include "delimited.h"
#include "progress.h"
#include "state_file.h"
#include "stats/drift.h"
#include "vectors/reader.h"

enum { OPT_HISTORY = 256, OPT_WARMUP, OPT_BELOW, OPT_MADS, OPT_FLOOR,
	OPT_STATE, OPT_IDS, OPT_WINDOW };

#define SECOND_NS 1000000000u

enum format { JSONL, CSV, TSV };
static const char *const formats[] = { "jsonl", "csv", "tsv", NULL };

static const struct opt options[] = {
	TAKES(OPT_WINDOW, "window", "=N", COMPLETE_NONE,
	    "compare with the last N vectors (default 20)"),
	TAKES(OPT_BELOW, "below", "=S", COMPLETE_NONE,
	    "alarm if the similarity is below S"),
	TAKES(OPT_MADS, "mads", "=K", COMPLETE_NONE,
	    "alarm if the similarity is more than K times the MAD below the "
	    "median of the history (default 12); none: never"),
	TAKES(OPT_FLOOR, "floor", "=F", COMPLETE_NONE,
	    "for --mads: minimum distance below the median (default 0.01)"),
	TAKES(OPT_HISTORY, "history", "=N", COMPLETE_NONE,
	    "the history is the last N similarities (default 100)"),
	TAKES(OPT_WARMUP, "warmup", "=N", COMPLETE_NONE,
	    "use the history when it has N similarities (default 20)"),
	TAKES(OPT_STATE, "state", "=FILE", COMPLETE_FILE,
	    "continue from the state in FILE, and update it"),
	TAKES(OPT_IDS, "ids", "=FILE", COMPLETE_FILE,
	    "names for vectors that have none, one in each line"),
	FLAG('0', "null", "names in the file of --ids end with NUL"),
	FLAG('e', "exit-status", "exit with 4 if there was an alarm"),
	ONE_OF('F', "format", "=FORMAT", formats,
	    "jsonl (default), csv or tsv"),
	TAKES('o', "output", "=FILE", COMPLETE_FILE, "write to FILE"),
	PROGRESS_OPTIONS,
	FLAG('q', "quiet", "no notes, no progress"),
	FLAG('v', "verbose", "print how many vectors were read"),
	CMD_COMMON,
	{ 0 },
};

static const struct moved moved[] = {
	{ "-w", "--window", "--warmup" },
	{ 0 },
};

const struct program program = {
	.name = "vec-drift",
	.synopsis = "vec-drift [OPTION]... [FILE]",
	.examples =
	"  host-status --levels -i 30 | clip-embed --lines -F jsonl |\n"
	"      vec-drift --state=drift\n"
	"  vec-drift --below=0.8 vectors.npy | jq 'select(.alarm)'\n",
	.help =
	"Compares each vector with the vectors before it.  Writes a JSON\n"
	"object for each vector, with an alarm if the vector differs from\n"
	"them.\n",
	.options = options,
	.moved = moved,
	.operands = { COMPLETE_FILE },
};

/* ---- Options ---------------------------------------------------------- */

struct vec_drift_options {
	struct drift_options drift;
	struct vector_reader_options input;
	const char *state;		/* NULL: none */
	const char *output;
	bool has_warmup;		/* --warmup */
	bool exit_status;		/* -e */
	enum format format;
};

static double
parse_mads(const char *arg)
{
	if (strcmp(arg, "none") == 0)
		return NAN;
	return cmd_double("--mads", arg, 0, 1e6);
}

static size_t
parse_length(const char *option)
{
	return (size_t)cmd_int(option, optarg, 1, DRIFT_LENGTH);
}

static void
parse_option(struct vec_drift_options *o, int opt)
{
	if (progress_option(opt, optarg))
		return;
	switch (opt) {
	case OPT_WINDOW: o->drift.window = parse_length("--window"); break;
	case OPT_HISTORY: o->drift.history = parse_length("--history"); break;
	case OPT_WARMUP:
		o->drift.warmup = parse_length("--warmup");
		o->has_warmup = true;
		break;
	case OPT_BELOW: o->drift.below = cmd_double("--below", optarg, -1, 1);
		break;
	case OPT_MADS: o->drift.mads = parse_mads(optarg); break;
	case OPT_FLOOR: o->drift.floor = cmd_double("--floor", optarg, 0, 2);
		break;
	case OPT_STATE: o->state = optarg; break;
	case OPT_IDS: o->input.ids = optarg; break;
	case 'F':
		o->format = (enum format)cmd_choice("--format", optarg,
		    formats);
		break;
	case '0': o->input.null = true; break;
	case 'e': o->exit_status = true; break;
	case 'o': o->output = optarg; break;
	case 'q': cmd_quiet = true; break;
	case 'v': cmd_verbose = true; break;
	}
}

static void
check_options(struct vec_drift_options *o, int operands)
{
	if (operands > 1)
		cmd_usage("takes one FILE, or standard input");
	if (o->input.null && o->input.ids == NULL)
		cmd_usage("--null needs --ids");
	if (!o->has_warmup && o->drift.warmup > o->drift.history)
		o->drift.warmup = o->drift.history;
	if (o->drift.warmup > o->drift.history)
		cmd_usage("--warmup=%zu is never reached with --history=%zu",
		    o->drift.warmup, o->drift.history);
	if (o->state != NULL && strcmp(o->state, "-") == 0)
		cmd_usage("--state is a file, not '-'");
	if (o->state != NULL && o->output != NULL &&
	    cmd_same_output(o->state, o->output))
		cmd_usage("--output: '%s' is the file of --state", o->output);
}

static void
read_options(struct vec_drift_options *o, int argc, char *argv[])
{
	int opt;

	while ((opt = cmd_option(argc, argv)) != -1)
		parse_option(o, opt);
	check_options(o, argc - optind);
	cmd_name_input(o->input.ids);
	cmd_name_operands(argv + optind);
}

/* ---- State ------------------------------------------------------------ */

struct vec_drift {
	const struct vec_drift_options *o;
	struct drift *drift;
	struct vector_reader v;
	struct output out;
	struct state_file file;
	uint64_t written_ns;		/* of the last flush; clock_ns() */
	bool unsaved;			/* the state file is out of date */
	bool resumed;			/* the state has earlier vectors */
	bool alarm, failed;
};

/*
 * Writes the state file.  Call only after the records of all vectors in the
 * state are written: if the program is killed in between, the next run repeats
 * an alarm instead of losing it.  Does nothing while the output file is still
 * temporary, since its records could be lost.
 */
static void
save(struct vec_drift *d)
{
	struct buf b = { 0 };

	if (d->o->state == NULL || !d->unsaved || d->out.temporary != NULL)
		return;
	drift_encode(d->drift, &b);
	state_file_replace(&d->file, &b);
	d->unsaved = false;
}

static void
open_state(struct vec_drift *d)
{
	struct buf b = { 0 };
	struct npu_err err;

	if (d->o->state == NULL)
		return;
	state_file_open(&d->file, d->o->state, DRIFT_STATE_MAX, &b);
	if (b.n > 0 && drift_decode(d->drift, (struct bytes){
	    (uint8_t *)b.p, b.n }, &err) < 0)
		cmd_die_err(d->o->state, &err);
	d->resumed = b.n > 0;
	buf_free(&b);
	/* Write the state once, to fail before any work if that is not
	 * possible. */
	d->unsaved = true;
	save(d);
}

/* Ends the program with an error, after saving the state.  row is the vector
 * that failed; NULL if the input failed. */
static _Noreturn void
die(struct vec_drift *d, const struct vector *row, const struct npu_err *err)
{
	struct npu_err why = *err;

	cmd_abandon_output(&d->out);
	save(d);
	if (row == NULL)
		cmd_die_err(d->v.name, &why);
	if (d->resumed && row->number == 1)
		cmd_die("%s: vector %s of %s %s", d->o->state,
		    vector_name(row), d->v.name, why.msg);
	cmd_die("%s: vector %s %s", d->v.name, vector_name(row), why.msg);
}

/* ---- One vector ------------------------------------------------------- */

static void
add_number(struct json *j, const char *key, double v)
{
	json_key(j, key);
	json_double(j, v);	/* null for NAN */
}

static const char *const alarms[] = { NULL, "below", "history" };

static void
add_verdict(struct json *j, const struct drift_verdict *v)
{
	add_number(j, "similarity", v->similarity);
	add_number(j, "median_cosine", v->median_cosine);
	add_number(j, "nearest", v->nearest);
	add_number(j, "usual", v->usual);
	json_member_uint(j, "window", v->window);
	json_member_uint(j, "history", v->history);
	add_number(j, "median", v->median);
	add_number(j, "mad", v->mad);
	add_number(j, "limit", v->limit);
	json_key(j, "alarm");
	json_str(j, alarms[v->alarm]);
}

/* Formats the current time, at which the vector was read. */
static void
format_time(char utc[32])
{
	time_t now = time(NULL);
	struct tm tm;

	gmtime_r(&now, &tm);
	strftime(utc, 32, "%Y-%m-%dT%H:%M:%SZ", &tm);
}

static void
put_number(struct buf *b, char separator, double x)
{
	char text[40] = "";

	if (isfinite(x))
		num_format_double(x, text, sizeof(text));
	buf_printf(b, "%c%s", separator, text);
}

/* Adds the fields of a verdict, which are empty where a number is unknown, and
 * if verdict is NULL. */
static void
put_verdict(struct buf *b, char c, const struct drift_verdict *v)
{
	if (v == NULL) {
		for (int i = 0; i < 10; i++)
			buf_add(b, &c, 1);
		return;
	}
	put_number(b, c, v->similarity);
	put_number(b, c, v->median_cosine);
	put_number(b, c, v->nearest);
	put_number(b, c, v->usual);
	buf_printf(b, "%c%zu%c%zu", c, v->window, c, v->history);
	put_number(b, c, v->median);
	put_number(b, c, v->mad);
	put_number(b, c, v->limit);
	buf_printf(b, "%c%s", c, alarms[v->alarm] != NULL ?
	    alarms[v->alarm] : "");
}

static void
write_row(struct vec_drift *d, const struct vector *row,
    const struct drift_verdict *verdict, const char *error)
{
	const bool csv = d->o->format == CSV;
	struct buf b = { 0 };
	char utc[32];

	format_time(utc);
	buf_printf(&b, "%s%c%" PRIu64 "%c", utc, csv ? ',' : '\t', row->number,
	    csv ? ',' : '\t');
	if (!csv)
		tsv_bytes(&b, row->id, row->id_n);
	else if (memchr(row->id, '\0', row->id_n) == NULL)
		csv_bytes(&b, row->id, row->id_n);
	else
		cmd_die("%s: vector %" PRIu64 ": CSV cannot hold the NUL in "
		    "its name; --format=jsonl can", d->v.name, row->number);
	put_verdict(&b, csv ? ',' : '\t', verdict);
	buf_puts(&b, csv ? "," : "\t");
	(csv ? csv_text : tsv_text)(&b, error != NULL ? error : "");
	buf_puts(&b, "\n");
	cmd_write_buf(&d->out, &b);
}

static void
write_header(struct vec_drift *d)
{
	static const char names[] = "time,number,id,similarity,median_cosine,"
	    "nearest,usual,window,history,median,mad,limit,alarm,error\n";

	if (d->o->format == CSV)
		cmd_write(&d->out, names, sizeof(names) - 1);
}

/* Writes a vector's record: the verdict or, if verdict is NULL, the error. */
static void
write_record(struct vec_drift *d, const struct vector *row,
    const struct drift_verdict *verdict, const char *error)
{
	struct json j = { 0 };
	char utc[32];

	if (d->o->format != JSONL) {
		write_row(d, row, verdict, error);
		return;
	}
	format_time(utc);
	json_object(&j);
	json_member_str(&j, "schema", "vec-drift/1");
	json_member_str(&j, "time", utc);
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
	cmd_write_buf(&d->out, &j.out);
}

static void
judge(struct vec_drift *d, const struct vector *row)
{
	struct drift_verdict v = { .alarm = DRIFT_QUIET };
	struct npu_err err;
	int rc;

	if (row->x == NULL) {
		d->failed = true;
		write_record(d, row, NULL, row->error);
		return;
	}
	rc = drift_model(d->drift, row->model_sha256, &err);
	if (rc == 0)
		rc = drift_add(d->drift, row->x, row->dim, &v, &err);
	if (rc == NPU_EFORMAT) {
		d->failed = true;
		write_record(d, row, NULL, err.msg);
		return;
	}
	if (rc < 0)
		die(d, row, &err);
	d->alarm |= v.alarm != DRIFT_QUIET;
	d->unsaved = true;
	write_record(d, row, &v, NULL);
}

static void
begin_progress(struct vec_drift *d, char *const paths[], int n)
{
	if (d->v.index != NULL)
		progress_begin("vectors", index_rows(d->v.index));
	else
		progress_begin_files(paths, n);
}

static void
judge_all(struct vec_drift *d)
{
	struct vector row;
	struct npu_err err;
	int rc;

	while ((rc = vector_reader_next(&d->v, &row, &err)) > 0) {
		judge(d, &row);
		if (d->v.index != NULL)
			progress_update(d->v.number);
		/* While more vectors can be read without waiting, flush the
		 * records and save the state only once a second. */
		if (vector_reader_ready(&d->v) &&
		    clock_ns() - d->written_ns < SECOND_NS) {
			cmd_mark_record(&d->out);
			continue;
		}
		cmd_end_record(&d->out);
		save(d);
		d->written_ns = clock_ns();
	}
	if (rc < 0)
		die(d, NULL, &err);
}

int
main(int argc, char *argv[])
{
	static struct vec_drift_options o = { .drift = { .window = 20,
	    .history = 100, .warmup = 20, .below = NAN, .mads = 12,
	    .floor = 0.01 } };
	static struct vec_drift d = { .o = &o };
	struct npu_err err;

	cmd_start();
	read_options(&o, argc, argv);
	if (drift_open(&d.drift, &o.drift, &err) < 0)
		cmd_die_err(NULL, &err);
	open_state(&d);
	vector_reader_open(&d.v, argv[optind], &o.input);
	cmd_open_output(&d.out, o.output, false);
	d.out.record_flush = true;
	write_header(&d);
	begin_progress(&d, argv + optind, argc - optind);
	judge_all(&d);
	progress_end();
	cmd_close_output(&d.out);
	save(&d);
	vector_reader_detail(&d.v);
	vector_reader_close(&d.v);
	if (o.state != NULL)
		state_file_close(&d.file);
	drift_close(d.drift);
	if (d.failed) {
		cmd_warn("%s: not every vector could be judged: see \"error\" "
		    "in the records", d.v.name);
		cmd_exit(EXIT_FAILED);
	}
	cmd_exit(o.exit_status && d.alarm ? EXIT_VERDICT : EXIT_DONE);
}
