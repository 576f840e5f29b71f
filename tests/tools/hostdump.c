// SPDX-License-Identifier: Apache-2.0
/*
 * hostdump ROOT [NODE [PID...]] - prints lib/host's facts about the machine
 * whose proc and sys are below ROOT, "NAME VALUE" on each line; also the
 * processes other than PIDs that have NODE open.
 */
#include <stdio.h>
#include <stdlib.h>

#include "host/machine.h"
#include "host/process.h"

static void
dump_items(const char *what, const struct host_items *items)
{
	for (size_t i = 0; i < items->n; i++)
		printf("%s %s %.9g\n", what, items->item[i].name,
		    items->item[i].value);
}

static void
dump_machine(const char *root)
{
	static struct host_items power, supplies;
	static struct host_freqs freqs;
	char name[HOST_NAME];

	host_read_board(root, name, NULL);
	printf("board %s\n", name);
	host_read_firmware(root, name, NULL);
	printf("firmware %s\n", name);
	host_read_cpu_name(root, name, NULL);
	printf("cpu %s\n", name);
	host_read_freqs(root, &freqs, NULL);
	for (size_t i = 0; i < freqs.n; i++)
		printf("%s %s %.9g %s\n", freqs.freq[i].cpu ? "clock" :
		    "device", freqs.freq[i].name, freqs.freq[i].mhz,
		    freqs.freq[i].governor);
	host_read_power(root, &power, NULL);
	dump_items("power", &power);
	host_read_supplies(root, &supplies, NULL);
	dump_items("supply", &supplies);
}

int
main(int argc, char *argv[])
{
	pid_t pids[16];
	char who[64];
	size_t n = 0;

	if (argc < 2 || argc > 19)
		return 2;
	dump_machine(argv[1]);
	if (argc > 2) {
		for (int i = 3; i < argc; i++)
			pids[n++] = (pid_t)atol(argv[i]);
		host_find_holder(argv[1], argv[2], pids, n, who, sizeof(who));
		printf("holder %s\n", who);
	}
	return 0;
}
