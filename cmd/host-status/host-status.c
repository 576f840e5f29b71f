// SPDX-License-Identifier: Apache-2.0
/* host-status - print a line about the state of this machine. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/utf8.h"
#include "cmd.h"
#include "host/smmu.h"
#include "status_line.h"
#include "ticker.h"

enum { OPT_ROOT = 256, OPT_LEVELS, OPT_SAMPLE, OPT_TEMPS, OPT_DISKS, OPT_MOST };

enum {
	LEAST_MS = 100,		/* ten timer ticks of a kernel with HZ=100 */
	SAMPLE_MS = 500,
};

static const char *const formats[] = { "text", "jsonl", NULL };

static const struct opt options[] = {
	TAKES('i', "interval", "=TIME", COMPLETE_NONE,
	    "print a line every TIME (30s, 500ms); default: one line"),
	TAKES('n', "count", "=N", COMPLETE_NONE, "end after N lines"),
	ONE_OF('F', "format", "=FORMAT", formats, "text (default) or jsonl"),
	FLAG(OPT_LEVELS, "levels",
	    "green, yellow, orange, red instead of numbers"),
	TAKES(OPT_TEMPS, "temps", "=LIST", COMPLETE_NONE,
	    "only these sensors, or none"),
	TAKES(OPT_DISKS, "disks", "=LIST", COMPLETE_NONE,
	    "only these disks, by path, or none"),
	TAKES(OPT_MOST, "most", "=N", COMPLETE_NONE,
	    "at most N sensors and N disks (default 3)"),
	TAKES(OPT_SAMPLE, "sample", "=TIME", COMPLETE_NONE,
	    "how long cpu is measured for the first line (default 500ms); "
	    "none: since the machine was started"),
	TAKES(OPT_ROOT, "root", "=DIR", COMPLETE_FOLDER,
	    "read DIR/proc and DIR/sys"),
	TAKES('o', "output", "=FILE", COMPLETE_FILE, "write to FILE"),
	FLAG('q', "quiet", "no notes"),
	FLAG('v', "verbose", "print which sensors and disks exist"),
	CMD_COMMON,
	{ 0 },
};

static const struct moved moved[] = {
	{ "-l", "--levels", "--label" },
	{ 0 },
};

const struct program program = {
	.name = "host-status",
	.synopsis = "host-status [OPTION]...",
	.examples =
	"  host-status -i 30\n"
	"  host-status --levels -i 30 | clip-embed --lines -F jsonl |\n"
	"      vec-drift\n",
	.help =
	"Writes the state of the machine as one line of text: processors,\n"
	"memory, load, temperatures, disks.\n",
	.options = options,
	.moved = moved,
};

/* ---- Options ---------------------------------------------------------- */

struct host_status_options {
	struct status_line_options line;
	const char *root;
	const char *output;		/* NULL: stdout */
	const char *temps, *disks;	/* NULL: all */
	int64_t count;			/* lines; 0: without end */
	int64_t most;
	int32_t interval_ms;		/* 0: one line */
	int32_t sample_ms;		/* -1: none */
};

/* Returns milliseconds, or -1 for "none". */
static int32_t
parse_sample(const char *arg)
{
	int32_t ms = cmd_duration_ms("--sample", arg);

	if (ms >= 0 && ms < LEAST_MS)
		cmd_usage("--sample: '%s' is shorter than %dms", arg,
		    LEAST_MS);
	return ms;
}

static void
parse_option(struct host_status_options *o, int opt)
{
	switch (opt) {
	case 'n': o->count = cmd_int("--count", optarg, 1, INT64_MAX); break;
	case 'F': o->line.jsonl = cmd_choice("--format", optarg, formats) == 1;
		break;
	case 'i':
		o->interval_ms = cmd_interval_ms("--interval", optarg,
		    LEAST_MS);
		break;
	case 'o': o->output = optarg; break;
	case 'q': cmd_quiet = true; break;
	case 'v': cmd_verbose = true; break;
	case OPT_LEVELS: o->line.levels = true; break;
	case OPT_MOST: o->most = cmd_int("--most", optarg, 0, HOST_ITEMS);
		break;
	case OPT_ROOT: o->root = cmd_named("--root", optarg); break;
	case OPT_SAMPLE: o->sample_ms = parse_sample(optarg); break;
	case OPT_TEMPS: o->temps = optarg; break;
	default: o->disks = optarg; break;	/* OPT_DISKS */
	}
}

static void
check_options(struct host_status_options *o, int operands)
{
	if (operands > 0)
		cmd_usage("takes no operands");
	if (o->count > 1 && o->interval_ms == 0)
		cmd_usage("--count=%lld needs --interval",
		    (long long)o->count);
	if (o->interval_ms == 0)
		o->count = 1;
	if (o->count == 0 && cmd_output_appears(o->output))
		cmd_usage("--output: '%s' is written only at the end; with "
		    "--interval, give --count", o->output);
	if (o->line.levels && o->line.jsonl)
		cmd_usage("--levels is for text; jsonl has the numbers");
	o->root = cmd_root(o->root);
}

static void
read_options(struct host_status_options *o, int argc, char *argv[])
{
	int opt;

	while ((opt = cmd_option(argc, argv)) != -1)
		parse_option(o, opt);
	check_options(o, argc - optind);
}

/* ---- Sensors and disks ------------------------------------------------ */

static bool
is_none(const char *list)
{
	return list != NULL && strcmp(list, "none") == 0;
}

/* Returns true if the item is shown, when n items before it are: list names it,
 * or is NULL, and the limit most is not reached. */
static bool
is_chosen(const struct host_item *item, const char *list, size_t n,
    int64_t most)
{
	return (int64_t)n < most &&
	    (list == NULL || host_in_list(list, item->name));
}

/* Adds the names of n items, separated by commas. */
static void
add_names(struct buf *b, const struct host_item *const *item, size_t n)
{
	for (size_t i = 0; i < n; i++)
		buf_printf(b, "%s%s", i > 0 ? ", " : "", item[i]->name);
}

/* With -v, prints "sensors: soc, gpu; left out: npu". */
static void
print_chosen(const char *what, const struct host_items *items, const char *list,
    int64_t most)
{
	const struct host_item *in[HOST_ITEMS], *out[HOST_ITEMS];
	size_t n_in = 0, n_out = 0;
	struct buf b = { 0 };

	if (!cmd_verbose || is_none(list))
		return;
	for (size_t i = 0; i < items->n; i++) {
		if (is_chosen(&items->item[i], list, n_in, most))
			in[n_in++] = &items->item[i];
		else
			out[n_out++] = &items->item[i];
	}
	add_names(&b, in, n_in);
	buf_puts(&b, n_in == 0 ? "none" : "");
	buf_puts(&b, n_out > 0 ? "; left out: " : "");
	add_names(&b, out, n_out);
	buf_add(&b, "", 1);
	cmd_check_buf(&b);
	cmd_detail("%s: %s", what, b.p);
	buf_free(&b);
}

/* Keeps the items that are shown; removes the others. */
static void
choose(struct host_items *items, const char *list, int64_t most)
{
	size_t n = 0;

	for (size_t i = 0; i < items->n; i++)
		if (is_chosen(&items->item[i], list, n, most))
			items->item[n++] = items->item[i];
	items->n = n;
}

/* ---- Reading ---------------------------------------------------------- */

enum part { NAME, CPU, RAM, LOAD, DISKS, ITEMS, PARTS };

struct host_status {
	const struct host_status_options *o;
	struct host_cpu cpu;		/* counters at the previous line */
	struct host_smmu smmu;		/* the same */
	bool storm;			/* a storm was reported */
	bool reported[PARTS];		/* its failure was reported */
	bool described;			/* -v has printed the choice */
	bool failed;			/* a part could not be read */
};

/* Returns true if rc is not an error.  Reports an error, but only once for each
 * part. */
static bool
was_read(struct host_status *h, enum part part, int rc,
    const struct npu_err *err)
{
	if (rc >= 0)
		return true;
	if (!h->reported[part])
		cmd_warn("%s", err->msg);
	h->reported[part] = h->failed = true;
	return false;
}

static void
read_temps(const struct host_status *h, struct host_items *temps,
    struct npu_err *trouble)
{
	const struct host_status_options *o = h->o;

	temps->n = 0;
	if (is_none(o->temps))
		return;
	host_read_zones(o->root, temps, trouble);
	if (temps->n == 0 || o->temps != NULL)
		host_read_hwmon(o->root, temps, trouble);
	if (!h->described)
		print_chosen("sensors", temps, o->temps, o->most);
	choose(temps, o->temps, o->most);
}

static void
read_cpu(struct host_status *h, struct status_line *line)
{
	struct host_cpu now;
	struct npu_err err;

	line->cpu = NAN;
	line->cpus = 1;
	if (!was_read(h, CPU, host_read_cpu(h->o->root, &now, &err), &err))
		return;
	line->cpu = host_cpu_percent(&h->cpu, &now);
	line->cpus = now.count;
	h->cpu = now;
	if (isnan(line->cpu))
		was_read(h, CPU, npu_fail(&err, NPU_EFORMAT, "%s/proc/stat: no "
		    "time has passed since the last sample", h->o->root), &err);
}

/* The first storm is reported with its meaning. */
static void
read_smmu(struct host_status *h, struct status_line *line,
    struct npu_err *trouble)
{
	struct host_smmu now;

	host_read_smmu(h->o->root, &now, trouble);
	line->smmu = host_smmu_rate(&h->smmu, &now);
	h->smmu = now;
	if (h->storm || isnan(line->smmu) || line->smmu <= HOST_SMMU_STORM)
		return;
	h->storm = true;
	cmd_note("the SMMU's event queue interrupts %.0f times a second, and "
	    "boards with this freeze after hours; 'npu-info --doctor' says "
	    "what to do", line->smmu);
}

static void
read_line(struct host_status *h, struct status_line *line)
{
	const struct host_status_options *o = h->o;
	struct host_memory memory;
	struct npu_err err, trouble = { .code = 0 };

	read_cpu(h, line);
	line->ram = line->load = NAN;
	if (!was_read(h, NAME, host_read_name(o->root, line->name, &err),
	    &err))
		line->name[0] = '\0';
	if (was_read(h, RAM, host_read_memory(o->root, &memory, &err), &err))
		line->ram = host_memory_percent(&memory);
	was_read(h, LOAD, host_read_load(o->root, &line->load, &err), &err);
	read_smmu(h, line, &trouble);
	read_temps(h, &line->temps, &trouble);
	line->disks.n = 0;
	line->has_disks = is_none(o->disks) || was_read(h, DISKS,
	    host_read_disks(o->root, &line->disks, &trouble, &err), &err);
	was_read(h, ITEMS, trouble.code, &trouble);
	if (!h->described)
		print_chosen("disks", &line->disks, o->disks, o->most);
	h->described = true;
	choose(&line->disks, o->disks, o->most);
	line->time = time(NULL);
}

/* ---- Main ------------------------------------------------------------- */

static void
sleep_until(uint64_t ns)
{
	while (!ticker_wait(ns))
		;
}

/* Reads the processor counters, and waits for the --sample time: the first line
 * shows the usage during this time. */
static void
begin_sample(struct host_status *h)
{
	struct npu_err err;

	if (h->o->sample_ms < 0)
		return;
	host_read_smmu(h->o->root, &h->smmu, NULL);
	if (was_read(h, CPU, host_read_cpu(h->o->root, &h->cpu, &err), &err))
		sleep_until(clock_ns() + (uint64_t)h->o->sample_ms * 1000000);
}

static void
write_lines(struct host_status *h, struct output *out)
{
	static struct status_line line;
	const struct host_status_options *o = h->o;
	uint64_t at, step = (uint64_t)o->interval_ms * 1000000;

	begin_sample(h);
	at = clock_ns();
	for (int64_t n = 1;; n++) {
		read_line(h, &line);
		status_line_write(out, &o->line, &line);
		if (n == o->count)
			return;
		at = ticker_next(at, step);
		sleep_until(at);
	}
}

int
main(int argc, char *argv[])
{
	struct host_status_options o = { .root = "", .most = 3,
	    .sample_ms = SAMPLE_MS };
	struct host_status h = { .o = &o };
	struct output out;

	cmd_start();
	read_options(&o, argc, argv);
	cmd_open_output(&out, o.output, false);
	/* Flush each line even to a file: another program may follow it. */
	out.record_flush = true;
	write_lines(&h, &out);
	cmd_close_output(&out);
	cmd_exit(h.failed ? EXIT_FAILED : EXIT_DONE);
}
