// SPDX-License-Identifier: Apache-2.0
/*
 * Tests device nodes below a folder with a dev and a sys. /dev/null (1:3) and
 * /dev/zero (1:5) stand for nodes of accelerators.  PCI numbers are from Linux,
 * drivers/accel/amdxdna.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd.h"
#include "tap.h"
#include "xdna-run/node.h"

const struct program program = { .name = "node" };

static char root[] = "/tmp/node.XXXXXX";

static void
make_folders(const char *path)
{
	char *full = cmd_text("%s%s", root, path);

	for (char *s = full + strlen(root) + 1; *s != '\0'; s++)
		if (*s == '/') {
			*s = '\0';
			mkdir(full, 0700);
			*s = '/';
		}
	free(full);
}

static void
put(const char *number, const char *file, const char *value)
{
	char *path = cmd_text("/sys/dev/char/%s/device/%s", number, file);
	char *full = cmd_text("%s%s", root, path);
	FILE *f;

	make_folders(path);
	if ((f = fopen(full, "w")) == NULL || fprintf(f, "%s\n", value) < 0 ||
	    fclose(f) != 0)
		abort();
	free(full);
	free(path);
}

/* Describes the device behind /dev/null. */
static struct node_device
device(const char *vendor, const char *pci, const char *revision)
{
	put("1:3", "vendor", vendor);
	put("1:3", "device", pci);
	put("1:3", "revision", revision);
	return node_device(root, "/dev/null");
}

static void
kinds(void)
{
	static const char *const newer[] = { "0x17f1", "0x17f2", "0x17f3",
	    "0x1b0a", "0x1b0b", "0x1b0c" };
	static const char *const npu4[] = { "0x00", "0x10", "0x11", "0x20" };
	struct node_device d;

	ok(!node_device(root, "/dev/null").known,
	    "a node without an entry in sysfs is not known");
	d = device("0x1022", "0x1502", "0x00");
	ok(d.known && d.generation == 3 && !d.user_queues,
	    "1022:1502 revision 0x00 is npu1, of generation 3");
	for (size_t i = 0; i < sizeof(npu4) / sizeof(*npu4); i++) {
		d = device("0x1022", "0x17f0", npu4[i]);
		ok(d.known && d.generation == 4 && !d.user_queues, "1022:17f0 "
		    "revision %s is of generation 4 (npu2, npu4 to npu6)",
		    npu4[i]);
	}
	d = device("0x1022", "0x17f0", "0x30");
	ok(d.known && d.generation == 0 && !d.user_queues,
	    "an unknown revision of 1022:17f0 is an NPU of unknown generation");
	d = device("0x1022", "0x1502", "0x01");
	ok(d.known && d.generation == 0,
	    "an unknown revision of 1022:1502 is an NPU of unknown generation");
	for (size_t i = 0; i < sizeof(newer) / sizeof(*newer); i++)
		ok(device("0x1022", newer[i], "0x10").user_queues,
		    "the device %s has user-mode queues", newer[i]);
	ok(!device("0x8086", "0x1502", "0x00").known,
	    "a device of another vendor is not known");
	ok(!device("0x1022", "0x1234", "0x00").known,
	    "an unknown device of AMD is not known");
	ok(!node_device(root, "/nowhere").known, "a missing node is not known");
	ok(!node_device(root, root).known, "a folder is not a known node");
}

/* Returns true if the node found is accelN, or if no node is found and n is
 * negative. */
static bool
finds(int n)
{
	char *path = node_find(root), *want;
	bool same = path == NULL;

	if (n >= 0) {
		want = cmd_text("%s/dev/accel/accel%d", root, n);
		same = path != NULL && strcmp(path, want) == 0;
		free(want);
	}
	free(path);
	return same;
}

static void
link_node(int n, const char *to)
{
	char *path = cmd_text("/dev/accel/accel%d", n);
	char *full = cmd_text("%s%s", root, path);

	make_folders(path);
	if (symlink(to, full) < 0)
		abort();
	free(full);
	free(path);
}

static void
search(void)
{
	ok(finds(-1), "without the folder dev/accel, no node is found");
	link_node(2, "/dev/zero");
	ok(finds(2), "the only node is found, even if its device is not known");
	link_node(5, "/dev/null");
	device("0x1022", "0x17f0", "0x10");
	ok(finds(5),
	    "a node of an AMD NPU is preferred to a node of another device");
	link_node(3, "/dev/null");
	ok(finds(3), "of two nodes of AMD NPUs, the first is found");
}

int
main(void)
{
	char *command;
	int rc;

	if (mkdtemp(root) == NULL)
		return 1;
	kinds();
	search();
	command = cmd_text("rm -r %s", root);
	rc = system(command);
	free(command);
	return rc != 0 ? 1 : done();
}
