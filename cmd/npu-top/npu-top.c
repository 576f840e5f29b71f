// SPDX-License-Identifier: Apache-2.0
/* npu-top - watch what the NPU does. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "cmd.h"
#include "ticker.h"
#include "top.h"

enum { OPT_JSON = 256, OPT_NODE, OPT_PLAIN, OPT_ROOT };

enum {
	LEAST_MS = 100,		/* ten samples */
	INTERVAL_MS = 1000,
};

static const struct opt options[] = {
	TAKES('i', "interval", "=TIME", COMPLETE_NONE,
	    "an output every TIME (500ms; default: 1s)"),
	TAKES('n', "count", "=N", COMPLETE_NONE, "end after N outputs"),
	FLAG(OPT_JSON, "json", "lines of JSON, schema npu-top/1"),
	FLAG(OPT_PLAIN, "plain", "lines of fields between TABs"),
	TAKES(OPT_NODE, "node", "=PATH", COMPLETE_FILE,
	    "device node (/dev/aipu)"),
	TAKES(OPT_ROOT, "root", "=DIR", COMPLETE_FOLDER,
	    "a machine whose files are below DIR"),
	FLAG('q', "quiet", "no notes on stderr"),
	CMD_COMMON,
	{ 0 },
};

static const struct cmd_env env[] = {
	{ "NO_COLOR", "no colours if it is not empty" },
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
	"JSON.  Changes nothing.\n",
	.options = options,
	.env = env,
};

enum form { VIEW, VIEWS, JSON, PLAIN };

/* ---- Options ---------------------------------------------------------- */

struct npu_top_options {
	const char *root, *node;
	int64_t count;			/* outputs; 0: without end */
	int32_t interval_ms;
	bool json, plain;
	enum form form;
	bool colour;			/* of the view */
};

static void
parse_option(struct npu_top_options *o, int opt)
{
	switch (opt) {
	case 'i': o->interval_ms = cmd_duration_ms("--interval", optarg);
		if (o->interval_ms < 0)
			cmd_usage("--interval: 'none' is no time");
		if (o->interval_ms < LEAST_MS)
			cmd_usage("--interval: '%s' is shorter than %dms",
			    optarg, LEAST_MS);
		break;
	case 'n': o->count = cmd_int("--count", optarg, 1, INT64_MAX); break;
	case 'q': cmd_quiet = true; break;
	case OPT_JSON: o->json = true; break;
	case OPT_NODE: o->node = optarg; break;
	case OPT_PLAIN: o->plain = true; break;
	default: o->root = optarg; break;	/* OPT_ROOT */
	}
}

static void
choose_form(struct npu_top_options *o)
{
	const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");
	bool dumb = term == NULL || *term == '\0' ||
	    strcmp(term, "dumb") == 0;

	if (o->json && o->plain)
		cmd_usage("--json and --plain contradict each other");
	o->form = o->plain ? PLAIN : o->json || !cmd_stdout_is_terminal() ?
	    JSON : dumb ? VIEWS : VIEW;
	o->colour = o->form == VIEW &&
	    (no_color == NULL || *no_color == '\0');
}

static void
read_options(struct npu_top_options *o, int argc, char *argv[])
{
	int opt;

	while ((opt = cmd_option(argc, argv)) != -1)
		parse_option(o, opt);
	if (argc > optind)
		cmd_usage("takes no operands");
	/* "/" is no prefix of "/proc": it is this machine. */
	if (cmd_own_root(o->root))
		o->root = "";
	choose_form(o);
}

/* ---- Output ----------------------------------------------------------- */

struct npu_top {
	const struct npu_top_options *o;
	struct view_options view;
	struct activity *activity;
	struct activity_reading reading;
	struct top_output last;
	struct output out;
	bool here;			/* the device, as last reported */
	bool unread;			/* a part is; it was reported */
};

/* The view of the last reading. */
static void
draw(struct npu_top *t, bool on_screen)
{
	struct buf b = { 0 };

	t->view.end = on_screen ? "\033[K\n" : "\n";
	t->view.size = screen_size();
	if (!on_screen)
		t->view.size.rows = UINT32_MAX;
	if (t->last.r != NULL)
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
write_reading(struct npu_top *t, bool first)
{
	struct buf b = { 0 };

	t->last = (struct top_output){ .r = &t->reading, .node = t->o->node };
	clock_gettime(CLOCK_REALTIME, &t->last.time);
	top_compute_share(&t->last);
	if (t->o->form == VIEW) {
		draw(t, true);
		return;
	}
	if (t->o->form == JSON)
		top_add_json(&b, &t->last);
	else if (t->o->form == PLAIN)
		top_add_plain(&b, &t->last);
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

/* Reports once that a part could not be read, which is shown as not known.  A
 * view has a line for it. */
static void
report_trouble(struct npu_top *t)
{
	if (t->unread || t->reading.trouble.code == 0)
		return;
	t->unread = true;
	if (t->o->form != VIEW)
		cmd_warn("%s", t->reading.trouble.msg);
}

/* ---- Time ------------------------------------------------------------- */

/* Samples the driver until at, the time of an output. */
static void
sample_until(struct npu_top *t, uint64_t at)
{
	uint64_t next, now;

	for (;;) {
		next = activity_next(t->activity);
		ticker_wait(next < at ? next : at);
		if (t->o->form == VIEW && screen_handle_signals())
			draw(t, true);
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
		activity_read(t->activity, &t->reading);
		report_change(t);
		report_trouble(t);
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
	open_device(&t);
	cmd_open_output(&t.out, NULL, false);
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
	cmd_exit(t.unread ? EXIT_FAILED : EXIT_DONE);
}
