// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "cmd.h"
#include "host/machine.h"
#include "machine.h"

/* Cut where it is too long; names are what makers wrote. */
static void
say(char *to, size_t size, const char *from)
{
	size_t n = strnlen(from, size - 1);

	memcpy(to, from, n);
	to[n] = '\0';
	cmd_printable(to, n);
}

/* A file of one line; "" if there is none. */
static void
say_file(char *to, size_t size, const char *root, const char *path)
{
	char line[HOST_NAME];

	if (host_read_file(root, path, line, sizeof(line), NULL) < 0)
		line[0] = '\0';
	line[strcspn(line, "\n")] = '\0';
	say(to, size, line);
}

/* uname(2) is of this machine, and of what an emulator shows. */
static void
say_kernel(struct bench_host *h, const char *root)
{
	struct utsname u = { .machine = "" };

	if (*root == '\0') {
		uname(&u);
		say(h->machine, sizeof(h->machine), u.machine);
		say(h->kernel, sizeof(h->kernel), u.release);
		return;
	}
	say_file(h->machine, sizeof(h->machine), root,
	    "/proc/sys/kernel/arch");
	say_file(h->kernel, sizeof(h->kernel), root,
	    "/proc/sys/kernel/osrelease");
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* "performance", or "mixed: performance, schedutil". */
static void
say_governor(struct bench_host *h, const char *root)
{
	const char *names[HOST_ITEMS] = { NULL };
	struct host_freqs f;
	char mixed[HOST_ITEMS * 70] = "mixed: ";
	size_t n = 0, kinds = 0;

	host_read_freqs(root, &f, NULL);
	for (size_t i = 0; i < f.n; i++)
		if (f.freq[i].cpu && f.freq[i].governor[0] != '\0')
			names[n++] = f.freq[i].governor;
	qsort(names, n, sizeof(*names), by_name);
	for (size_t i = 0; i < n; i++) {
		if (i > 0 && strcmp(names[i - 1], names[i]) == 0)
			continue;
		strcat(mixed, kinds++ > 0 ? ", " : "");
		strcat(mixed, names[i]);
	}
	if (kinds > 0)
		say(h->governor, sizeof(h->governor),
		    kinds > 1 ? mixed : names[0]);
}

double
bench_hottest(const char *root)
{
	struct host_items temps = { .n = 0 };
	double most = NAN;

	host_read_zones(root, &temps, NULL);
	if (temps.n == 0)
		host_read_hwmon(root, &temps, NULL);
	for (size_t i = 0; i < temps.n; i++)
		most = fmax(most, temps.item[i].value);
	return most;
}

void
bench_host_read(struct bench_host *h, const char *root)
{
	char name[HOST_NAME];
	struct host_cpu cpu;

	*h = (struct bench_host){ .temp_end = NAN };
	host_read_board(root, name, NULL);
	say(h->board, sizeof(h->board), name);
	host_read_firmware(root, name, NULL);
	say(h->firmware, sizeof(h->firmware), name);
	host_read_cpu_name(root, name, NULL);
	say(h->cpu, sizeof(h->cpu), name);
	say_kernel(h, root);
	say_governor(h, root);
	if (host_read_cpu(root, &cpu, NULL) == 0)
		h->cpus = cpu.count;
	h->temp_start = bench_hottest(root);
}
