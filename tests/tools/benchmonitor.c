// SPDX-License-Identifier: Apache-2.0
/*
 * benchmonitor ROOT - runs npu-bench's fingerprint and monitor of a machine
 * without the rest of npu-bench.  Each line of stdin is a command:
 *
 *	host			prints the fingerprint
 *	node PATH, power LIST	options of the monitor; must precede the lines
 *				below
 *	idle MS, begin PID..., tick, end	calls of the monitor
 *	sleep MS
 *	write FILE TEXT		writes a file below ROOT; '|' in TEXT is a
 *				newline
 *	remove FILE, move FILE TO
 *
 * For each call of the monitor, prints its begin and its end in seconds: "tick
 * 1.5", "done 1.6".  After "end", prints the readings.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "cmd.h"
#include "npu-bench/measure/machine.h"
#include "npu-bench/measure/monitor.h"
#include "stats/warning.h"

static const struct opt options[] = {
	CMD_COMMON,
	{ 0 },
};
const struct program program = { .name = "benchmonitor", .options = options };

static struct monitor_options monitor_options;
static struct monitor *monitor;

static struct monitor *
open_monitor(void)
{
	if (monitor == NULL)
		monitor = monitor_open(&monitor_options);
	return monitor;
}

static void
print_host(void)
{
	struct bench_machine m;

	machine_read(&m, monitor_options.root);
	printf("board %s\nfirmware %s\ncpu %s\n", m.board, m.firmware, m.cpu);
	printf("machine %s\nkernel %s\ngovernor %s\ncpus %u\n", m.machine,
	    m.kernel, m.governor, m.cpus);
	printf("hottest %.9g %.9g\n", m.temp_start, m.temp_end);
}

static void
print_sensors(const char *what, const struct bench_sensors *items)
{
	for (unsigned i = 0; i < items->n; i++) {
		const struct bench_sensor *t = &items->item[i];

		printf("%s %s %.6g %.6g %.6g %.6g %.6g\n", what, t->name,
		    t->first, t->last, t->min, t->mean, t->max);
	}
}

static void
print_readings(const struct bench_readings *s)
{
	struct bench_machine m;
	unsigned warnings;

	machine_read(&m, monitor_options.root);
	warnings = monitor_warnings(&m, s);
	print_sensors("temp", &s->temps);
	print_sensors("freq", &s->freqs);
	printf("busy %.6g\nidle_busy %.6g\nothers %.6g\nholder %s\n",
	    s->busy, s->idle_busy, s->others, s->holder);
	printf("watch_cores %.9g\nwatts %.9g\nidle_watts %.9g\n",
	    s->monitor_cores, s->watts, s->idle_watts);
	printf("joules %.9g\npower %s\nno_power %s\nwarnings", s->joules,
	    s->power, s->no_power);
	for (int i = 0; i < WARNINGS; i++)
		if (warnings >> i & 1)
			printf(" %s", warning_texts[i].code);
	printf("\n");
}

static void
begin(struct monitor *m, char *rest)
{
	pid_t pids[16];
	unsigned n = 0;
	char *p;

	while (n < 16 && (p = strtok_r(NULL, " ", &rest)) != NULL)
		pids[n++] = (pid_t)atol(p);
	monitor_begin(m, pids, n);
}

/* Renames the new file into place: a reader must not see half a file. */
static void
write_text(const char *path, const char *text)
{
	char new[1010];
	FILE *f;

	snprintf(new, sizeof(new), "%s.new", path);
	if ((f = fopen(new, "w")) == NULL)
		cmd_die("%s", new);
	for (; *text != '\0'; text++)
		putc(*text == '|' ? '\n' : *text, f);
	putc('\n', f);
	if (fclose(f) != 0 || rename(new, path) != 0)
		cmd_die("%s", path);
}

/* Writes, removes or renames a file below the root. */
static void
change(const char *verb, char *rest)
{
	const char *file = strtok_r(NULL, " ", &rest);
	char path[1000], to[1000];
	int rc = 0;

	snprintf(path, sizeof(path), "%s/%s", monitor_options.root, file);
	snprintf(to, sizeof(to), "%s/%s", monitor_options.root, rest);
	if (strcmp(verb, "write") == 0)
		write_text(path, rest);
	else if (strcmp(verb, "remove") == 0)
		rc = remove(path);
	else
		rc = rename(path, to);
	if (rc != 0)
		cmd_die("%s %s", verb, path);
}

static void
say_when(const char *what)
{
	printf("%s %.9f\n", what, (double)clock_ns() / 1e9);
	fflush(stdout);
}

/* Calls the monitor. */
static void
call(const char *verb, char *rest)
{
	struct monitor *m = open_monitor();
	struct bench_readings seen = { 0 };
	bool end = strcmp(verb, "end") == 0;

	say_when(verb);
	if (strcmp(verb, "idle") == 0)
		monitor_idle(m, (uint64_t)atol(rest) * 1000000);
	else if (strcmp(verb, "begin") == 0)
		begin(m, rest);
	else if (strcmp(verb, "tick") == 0)
		monitor_tick(m);
	else if (end)
		monitor_end(m, &seen);
	else
		cmd_die("%s: what?", verb);
	say_when("done");
	if (end)
		print_readings(&seen);
}

static void
obey(char *line)
{
	char *rest, *verb = strtok_r(line, " ", &rest);
	struct timespec t;

	if (strcmp(verb, "host") == 0) {
		print_host();
	} else if (strcmp(verb, "node") == 0) {
		monitor_options.node = strdup(rest);
	} else if (strcmp(verb, "power") == 0) {
		monitor_options.power = strdup(rest);
	} else if (strcmp(verb, "sleep") == 0) {
		t.tv_sec = atol(rest) / 1000;
		t.tv_nsec = atol(rest) % 1000 * 1000000;
		nanosleep(&t, NULL);
	} else if (strcmp(verb, "write") == 0 ||
	    strcmp(verb, "remove") == 0 || strcmp(verb, "move") == 0) {
		change(verb, rest);
	} else {
		call(verb, rest);
	}
}

int
main(int argc, char *argv[])
{
	char line[1000];

	cmd_start();
	while (cmd_option(argc, argv) != -1)
		;
	monitor_options.root = argv[optind] != NULL ? argv[optind] : "";
	while (fgets(line, sizeof(line), stdin) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		obey(line);
		fflush(stdout);
	}
	monitor_close(monitor);
	cmd_exit(EXIT_DONE);
}
