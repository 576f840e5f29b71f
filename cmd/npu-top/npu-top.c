// SPDX-License-Identifier: Apache-2.0
/* npu-top - shows what the NPU does. */
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "cmd.h"
#include "colour.h"
#include "json_error.h"
#include "ticker.h"
#include "top.h"

enum { OPT_JSON = 256, OPT_NODE, OPT_PLAIN, OPT_ROOT };

enum {
	LEAST_MS = 100,		/* ten samples */
	INTERVAL_MS = 1000,
};

static const char *const formats[] = { "text", "plain", "json", "jsonl", "csv",
    "tsv", NULL };

static const struct opt options[] = {
	TAKES('i', "interval", "=TIME", COMPLETE_NONE,
	    "print every TIME, such as 500ms (1s)"),
	TAKES('n', "count", "=N", COMPLETE_NONE, "end after N outputs"),
	ONE_OF('F', "format", "=FORMAT", formats,
	    "text: the view; plain; json or jsonl: lines; csv or tsv: a row "
	    "for each core"),
	FLAG(OPT_JSON, "json", "lines of JSON, schema npu-top/1"),
	FLAG(OPT_PLAIN, "plain", "lines of fields between TABs"),
	TAKES(OPT_NODE, "node", "=PATH", COMPLETE_FILE,
	    "device node (/dev/aipu)"),
	TAKES(OPT_ROOT, "root", "=DIR", COMPLETE_FOLDER,
	    "watch the machine whose files are below DIR"),
	TAKES('o', "output", "=FILE", COMPLETE_FILE, "write to FILE"),
	FLAG('q', "quiet", "no notes on stderr"),
	FLAG('v', "verbose", "print what is watched"),
	CMD_COMMON,
	{ 0 },
};

static const struct cmd_env env[] = {
	COLOUR_ENV,
	{ 0 },
};

const struct program program = {
	.name = "npu-top",
	.synopsis = "npu-top [OPTION]...",
	.examples =
	"  npu-top\n"
	"  npu-top -i 0.5 | jq -c '[.time, .busy, .mhz]'\n",
	.help =
	"Shows how busy the NPU is, its clock, power, interrupts and heat,\n"
	"and who has it open: as a view on a terminal, elsewhere as lines of\n"
	"JSON.  Changes nothing.  q ends it, h helps.\n",
	.options = options,
	.env = env,
};

enum form { VIEW, VIEWS, JSON, PLAIN, ROWS };

enum format { UNSET, FORMAT_TEXT, FORMAT_PLAIN, FORMAT_JSON, FORMAT_JSONL,
	FORMAT_CSV, FORMAT_TSV };

/* ---- Options ---------------------------------------------------------- */

struct npu_top_options {
	const char *root, *node;
	const char *output;		/* NULL: stdout */
	int64_t count;			/* number of outputs; 0: endless */
	int32_t interval_ms;
	bool json, plain;
	enum format format;
	enum form form;
	char separator;			/* for ROWS */
	bool colour;			/* for the view */
};

static void
parse_option(struct npu_top_options *o, int opt)
{
	switch (opt) {
	case 'i':
		o->interval_ms = cmd_interval_ms("--interval", optarg,
		    LEAST_MS);
		break;
	case 'n': o->count = cmd_int("--count", optarg, 1, INT64_MAX); break;
	case 'o': o->output = optarg; break;
	case 'q': cmd_quiet = true; break;
	case 'v': cmd_verbose = true; break;
	case 'F':
		o->format = FORMAT_TEXT + cmd_choice("--format", optarg,
		    formats);
		break;
	case OPT_JSON: o->json = true; break;
	case OPT_NODE: o->node = optarg; break;
	case OPT_PLAIN: o->plain = true; break;
	default: o->root = cmd_named("--root", optarg); break;	/* OPT_ROOT */
	}
}

/* --output names a file and not only stdout. */
static bool
is_file(const struct npu_top_options *o)
{
	return o->output != NULL && !cmd_is_dash(o->output);
}

/* Resolves what --format, --json and --plain mean together. */
static void
resolve_format(struct npu_top_options *o)
{
	enum format flag = o->json ? FORMAT_JSON : o->plain ? FORMAT_PLAIN :
	    UNSET;

	if (o->json && o->plain)
		cmd_usage("--json and --plain contradict each other");
	/* A document is one line here: json and jsonl are the same. */
	if (o->format == FORMAT_JSONL)
		o->format = FORMAT_JSON;
	if (o->format != UNSET && flag != UNSET && o->format != flag)
		cmd_usage("--format=%s and --%s contradict each other",
		    formats[o->format - FORMAT_TEXT],
		    formats[flag - FORMAT_TEXT]);
	if (o->format == UNSET)
		o->format = flag;
	if (o->format == UNSET && (is_file(o) || !cmd_stdout_is_terminal()))
		o->format = FORMAT_JSON;
}

static void
choose_form(struct npu_top_options *o)
{
	resolve_format(o);
	if (is_file(o) && o->format == FORMAT_TEXT)
		cmd_usage("--output is for lines, not the view: choose "
		    "another --format");
	if (o->count == 0 && cmd_output_appears(o->output))
		cmd_usage("--output: '%s' appears when it is whole, which "
		    "needs --count", o->output);
	if (o->format >= FORMAT_CSV)
		o->form = ROWS;
	else if (o->format == FORMAT_JSON)
		o->form = JSON;
	else if (o->format == FORMAT_PLAIN)
		o->form = PLAIN;
	else
		o->form = colour_term_is_dumb() || !cmd_stdout_is_terminal() ?
		    VIEWS : VIEW;
	o->separator = o->format == FORMAT_CSV ? ',' : '\t';
	o->colour = o->form == VIEW && colour_wanted(COLOUR_AUTO);
}

static void
read_options(struct npu_top_options *o, int argc, char *argv[])
{
	int opt;

	while ((opt = cmd_option(argc, argv)) != -1)
		parse_option(o, opt);
	if (argc > optind)
		cmd_usage("takes no operands");
	choose_form(o);
}

/* ---- Output ----------------------------------------------------------- */

struct npu_top {
	const struct npu_top_options *o;
	struct view_options view;
	struct activity *activity;
	struct activity_reading reading;
	struct top_output last;
	struct history history;
	bool help;			/* the help is shown instead */
	bool quit;			/* the key for it was pressed */
	struct output out;
	bool here;			/* the device was there at the last
					   report */
	bool unread;			/* a part could not be read, and this
					   was reported */
};

/* Draws the view of the last reading. */
static void
draw(struct npu_top *t, bool on_screen)
{
	struct buf b = { 0 };

	t->view.end = on_screen ? "\033[K\n" : "\n";
	t->view.size = screen_size();
	if (!on_screen)
		t->view.size.rows = UINT32_MAX;
	t->view.keys = on_screen && keys_work();
	if (on_screen && t->help)
		top_add_help(&b, &t->view);
	else if (t->last.r != NULL)
		top_add_view(&b, &t->last, &t->view);
	else
		buf_printf(&b, "npu-top  %s  wait for %g s", t->o->node,
		    t->o->interval_ms / 1000.0);
	if (!on_screen)
		buf_puts(&b, "\n");
	cmd_check_buf(&b);
	if (on_screen)
		screen_draw(&b);
	else
		cmd_write(&t->out, b.p, b.n);
	buf_free(&b);
}

static void
add_rows(struct buf *b, const struct npu_top *t, bool first)
{
	if (first)
		top_add_rows_head(b, t->o->separator);
	top_add_rows(b, &t->last, t->o->separator);
}

static void
write_reading(struct npu_top *t, bool first)
{
	struct buf b = { 0 };

	t->last = (struct top_output){ .r = &t->reading, .node = t->o->node };
	clock_gettime(CLOCK_REALTIME, &t->last.time);
	top_compute_share(&t->last);
	history_add(&t->history, &t->last);
	if (t->o->form == VIEW) {
		draw(t, true);
		return;
	}
	if (t->o->form == JSON)
		top_add_json(&b, &t->last);
	else if (t->o->form == PLAIN)
		top_add_plain(&b, &t->last);
	else if (t->o->form == ROWS)
		add_rows(&b, t, first);
	else if (!first)
		buf_puts(&b, "\n");
	cmd_write_buf(&t->out, &b);
	if (t->o->form == VIEWS)
		draw(t, false);
	cmd_end_record(&t->out);
}

/* Reports once that the device has gone, or is back. */
static void
report_change(struct npu_top *t)
{
	const struct activity_reading *r = &t->reading;

	if (r->here == t->here)
		return;
	t->here = r->here;
	if (t->o->form == VIEW)
		return;
	if (r->here)
		cmd_note("%s: the device is there again", t->o->node);
	else
		cmd_note("the device is gone: %s; waiting for it",
		    r->gone.msg);
}

/* Reports once that a part could not be read, which is shown as unknown.  A
 * view has its own line for this. */
static void
report_trouble(struct npu_top *t)
{
	if (t->unread || t->reading.trouble.code == 0)
		return;
	t->unread = true;
	if (t->o->form != VIEW)
		cmd_warn("%s", t->reading.trouble.msg);
}

/* With -v, prints once what is watched. */
static void
describe(const struct npu_top *t)
{
	const struct activity_reading *r = &t->reading;
	char cores[24] = "";

	if (r->counts.has_cores)
		snprintf(cores, sizeof(cores), ", %u core%s", r->counts.cores,
		    r->counts.cores == 1 ? "" : "s");
	cmd_detail("%s: driver %s%s, %s%s", t->o->node,
	    r->driver_version[0] != '\0' ? r->driver_version : "unknown",
	    cores, r->sensor[0] != '\0' ? "temperature of " :
	    "no temperature", r->sensor);
}

/* ---- Time ------------------------------------------------------------- */

/* Any key closes the help. */
static void
take_key(struct npu_top *t, int key)
{
	bool help = !t->help && (key == 'h' || key == 'H' || key == '?');

	if (key == 0)
		return;
	t->quit = key == 'q' || key == 'Q';
	/* A key without a meaning, such as the end of the input, does not
	 * redraw. */
	if (t->quit || help == t->help)
		return;
	t->help = help;
	draw(t, true);
}

/* Waits until then, or for a signal or, in a view, a key. */
static void
wait_until(struct npu_top *t, uint64_t at)
{
	if (t->o->form != VIEW) {
		ticker_wait(at);
		return;
	}
	take_key(t, keys_wait(at));
	if (screen_handle_signals())
		draw(t, true);
}

/*
 * Samples the driver until at, the time of an output, or until the user quits.
 */
static void
sample_until(struct npu_top *t, uint64_t at)
{
	uint64_t next, now;

	while (!t->quit) {
		next = activity_next(t->activity);
		wait_until(t, next < at ? next : at);
		now = clock_ns();
		if (now >= at)
			return;
		if (now >= next)
			activity_sample(t->activity);
	}
}

static void
watch(struct npu_top *t)
{
	uint64_t at = clock_ns();
	uint64_t step = (uint64_t)t->o->interval_ms * 1000000;

	for (int64_t n = 1;; n++) {
		at = ticker_next(at, step);
		sample_until(t, at);
		if (t->quit)
			return;
		activity_read(t->activity, &t->reading);
		report_change(t);
		report_trouble(t);
		if (n == 1 && t->o->form != VIEW)
			describe(t);
		write_reading(t, n == 1);
		if (n == t->o->count)
			return;
	}
}

static void
open_device(struct npu_top *t)
{
	struct npu_err err;

	if (activity_open(&t->activity, t->o->root, t->o->node,
	    clock_ns() ^ (uint64_t)getpid() << 32, &err) < 0) {
		cmd_warn("no NPU to watch: %s; 'npu-info --doctor' says what "
		    "is wrong", err.msg);
		cmd_exit(cmd_status(&err));
	}
	t->here = activity_next(t->activity) != UINT64_MAX;
}

int
main(int argc, char *argv[])
{
	static struct npu_top_options o = { .root = "",
	    .node = NPU_DEFAULT_NODE, .interval_ms = INTERVAL_MS };
	static struct npu_top t = { .o = &o };

	cmd_start();
	read_options(&o, argc, argv);
	t.view.colour = o.colour;
	t.view.history = &t.history;
	if (o.form == JSON)
		json_on_failure("npu-top/1", o.output);
	o.root = cmd_root(o.root);
	open_device(&t);
	cmd_on_exit(NULL, NULL);
	cmd_open_output(&t.out, o.output, false);
	t.out.record_flush = true;
	if (o.form == VIEW) {
		screen_begin();
		draw(&t, true);
	}
	watch(&t);
	screen_end();
	if (o.form == VIEW)
		draw(&t, false);
	activity_close(t.activity);
	cmd_close_output(&t.out);
	if (o.form == VIEW && t.last.r != NULL)
		describe(&t);
	cmd_exit(t.unread ? EXIT_FAILED : EXIT_DONE);
}
