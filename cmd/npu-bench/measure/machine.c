// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "cmd.h"
#include "host/machine.h"
#include "machine.h"

/* Copies a text: cut if it is too long, and printable, because makers choose
 * names freely. */
static void
copy_printable(char *to, size_t size, const char *from)
{
	size_t n = strnlen(from, size - 1);

	memcpy(to, from, n);
	to[n] = '\0';
	cmd_printable(to, n);
}

/* Reads a file of one line; "" if it cannot be read. */
static void
read_line(char *to, size_t size, const char *root, const char *path)
{
	char line[HOST_NAME];

	if (host_read_file(root, path, line, sizeof(line), NULL) < 0)
		line[0] = '\0';
	line[strcspn(line, "\n")] = '\0';
	copy_printable(to, size, line);
}

/*
 * Uses uname(2) if it describes this machine: qemu also answers for its guest.
 */
static void
read_kernel(struct bench_machine *m, const char *root)
{
	struct utsname u = { .machine = "" };

	if (*root == '\0') {
		uname(&u);
		copy_printable(m->machine, sizeof(m->machine), u.machine);
		copy_printable(m->kernel, sizeof(m->kernel), u.release);
		return;
	}
	read_line(m->machine, sizeof(m->machine), root,
	    "/proc/sys/kernel/arch");
	read_line(m->kernel, sizeof(m->kernel), root,
	    "/proc/sys/kernel/osrelease");
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Formats "performance", or "mixed: performance, schedutil". */
static void
read_governors(struct bench_machine *m, const char *root)
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
		copy_printable(m->governor, sizeof(m->governor),
		    kinds > 1 ? mixed : names[0]);
}

double
machine_hottest(const char *root)
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
machine_read(struct bench_machine *m, const char *root)
{
	char name[HOST_NAME];
	struct host_cpu cpu;

	*m = (struct bench_machine){ .temp_end = NAN };
	host_read_board(root, name, NULL);
	copy_printable(m->board, sizeof(m->board), name);
	host_read_firmware(root, name, NULL);
	copy_printable(m->firmware, sizeof(m->firmware), name);
	host_read_cpu_name(root, name, NULL);
	copy_printable(m->cpu, sizeof(m->cpu), name);
	read_kernel(m, root);
	read_governors(m, root);
	if (host_read_cpu(root, &cpu, NULL) == 0)
		m->cpus = cpu.count;
	m->temp_start = machine_hottest(root);
}
