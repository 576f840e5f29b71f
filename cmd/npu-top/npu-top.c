// SPDX-License-Identifier: Apache-2.0
/* npu-top - shows what the NPU does. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "cmd.h"
#include "json_error.h"
#include "options.h"
#include "ticker.h"
#include "top.h"

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
	if (on_screen)
		keys_begin();	/* it may be in the foreground now */
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

/* Takes the reading as the last output. */
static void
take_reading(struct npu_top *t)
{
	t->last = (struct top_output){ .r = &t->reading, .node = t->o->node };
	clock_gettime(CLOCK_REALTIME, &t->last.time);
	top_compute_share(&t->last);
	history_add(&t->history, &t->last);
}

static void
add_output(struct buf *b, const struct npu_top *t, bool first)
{
	if (t->o->form == JSON)
		top_add_json(b, &t->last);
	else if (t->o->form == PLAIN)
		top_add_plain(b, &t->last);
	else if (t->o->form == ROWS)
		add_rows(b, t, first);
	else if (t->o->form == LINE)
		during_add_line(b, &t->last, t->o->command[0]);
	else if (!first)
		buf_puts(b, "\n");
}

static void
write_reading(struct npu_top *t, bool first)
{
	struct buf b = { 0 };

	take_reading(t);
	if (t->o->form == VIEW) {
		draw(t, true);
		return;
	}
	add_output(&b, t, first);
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
		cmd_note("the device is gone: %s%s", r->gone.msg,
		    t->o->command == NULL ? "; waiting for it" : "");
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

/* ---- A command --------------------------------------------------------- */

/* Writes the output of --during, to stderr without --output: stdout is the
 * command's. */
static void
write_during(struct npu_top *t)
{
	struct buf b = { 0 };

	if (t->o->output == NULL && t->o->form == LINE)
		buf_puts(&b, "npu-top: ");
	add_output(&b, t, true);
	cmd_check_buf(&b);
	if (t->o->output == NULL) {
		fwrite(b.p, 1, b.n, stderr);
		buf_free(&b);
		return;
	}
	cmd_write_buf(&t->out, &b);
	cmd_close_output(&t->out);
}

_Noreturn static void
end_command(struct npu_top *t, int status)
{
	if (WIFSIGNALED(status))
		during_end_as(status);
	status = WEXITSTATUS(status);
	if (status == EXIT_DONE)
		status = during_status(&t->last);
	activity_close(t->activity);
	cmd_exit(status == EXIT_DONE && t->unread ? EXIT_FAILED : status);
}

_Noreturn static void
watch_command(struct npu_top *t)
{
	int status;

	/* The command may take long: first find out if this works. */
	if (t->o->output != NULL)
		cmd_open_output(&t->out, t->o->output, false);
	/* This reading ends at the start of the command. */
	activity_read(t->activity, &t->reading);
	if (!t->reading.here) {
		cmd_warn("%s; the command was not run", t->reading.gone.msg);
		cmd_exit(EXIT_NODEVICE);
	}
	status = during_run(t->activity, t->o->command);
	activity_read(t->activity, &t->reading);
	report_change(t);
	report_trouble(t);
	describe(t);
	take_reading(t);
	write_during(t);
	end_command(t, status);
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
	    .node = NPU_DEFAULT_NODE };
	static struct npu_top t = { .o = &o };

	cmd_start();
	read_top_options(&o, argc, argv);
	t.view.colour = o.colour;
	t.view.history = &t.history;
	if (o.form == JSON && (o.command == NULL || o.output != NULL))
		json_on_failure("npu-top/1", o.output);
	o.root = cmd_root(o.root);
	open_device(&t);
	cmd_on_exit(NULL, NULL);
	if (o.command != NULL)
		watch_command(&t);
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
