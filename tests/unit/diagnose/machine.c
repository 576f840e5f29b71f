// SPDX-License-Identifier: Apache-2.0
/*
 * A machine with an AMD NPU whose node is opened and asked: how the checks
 * judge each refusal and answer.  The numbers of the calls and the structures
 * come from the kernel's drm.h and amdxdna_accel.h.
 * tests/cmd/xclbin-check-machine.bats tests trees without a node that can be
 * opened.
 */
#include <fcntl.h>

#include "boardtree.h"
#include "diagnose/xclbin/machine.h"
#include "tap.h"

#define NPU "/sys/bus/pci/devices/0000:c5:00.1"
#define NODE "/dev/accel/accel0"

enum { FD = 4242 };

/* ---- A simulated driver -------------------------------------------------- */

static struct {
	int refuses;		/* errno of open(); 0: it opens */
	int open_interrupts, ioctl_interrupts;	/* EINTR before an answer */
	const char *name;
	int mode;		/* power mode; -1: unknown query */
	int columns;		/* -1: unknown query */
	int opened, closed;
	bool odd;		/* a call that must not be made */
	char path[PATH_MAX];
} driver;

static bool
interrupted(int *n)
{
	errno = EINTR;
	return *n > 0 && (*n)-- > 0;
}

static int
fake_open(const char *path, int flags)
{
	driver.odd |= (flags & O_ACCMODE) != O_RDWR;
	if (interrupted(&driver.open_interrupts))
		return -1;
	snprintf(driver.path, sizeof(driver.path), "%s", path);
	errno = driver.refuses;
	if (driver.refuses != 0)
		return -1;
	driver.opened++;
	return FD;
}

static int
answer_version(void *arg)
{
	int32_t v[4];
	uint64_t name[2];
	char *to;

	memcpy(name, (char *)arg + 16, sizeof(name));
	to = (char *)(uintptr_t)name[1];
	memcpy(v, (int32_t[4]){ 0, 6, 1, 0 }, sizeof(v));
	memcpy(arg, v, 12);
	strncpy(to, driver.name, name[0]);
	return 0;
}

/* Answers query 1, of 64 bytes with the number of columns at 4, and query 9, of
 * 8 bytes with the mode at 0. */
static int
answer_info(void *arg)
{
	uint32_t question[2];
	uint64_t to;
	int answer;

	memcpy(question, arg, sizeof(question));
	memcpy(&to, (char *)arg + 8, sizeof(to));
	driver.odd |= question[0] != 1 && question[0] != 9;
	driver.odd |= question[1] != (question[0] == 1 ? 64 : 8);
	answer = question[0] == 1 ? driver.columns : driver.mode;
	errno = EOPNOTSUPP;
	if (answer < 0)
		return -1;
	if (question[0] == 1)
		memcpy((char *)(uintptr_t)to + 4, &answer, 2);
	else
		*(uint8_t *)(uintptr_t)to = (uint8_t)answer;
	return 0;
}

static int
fake_ioctl(int fd, unsigned long request, void *arg)
{
	driver.odd |= fd != FD;
	if (interrupted(&driver.ioctl_interrupts))
		return -1;
	switch (request) {
	case 0xc0406400: return answer_version(arg);
	case 0xc0106447: return answer_info(arg);
	}
	driver.odd = true;
	errno = ENOTTY;
	return -1;
}

static int
fake_close(int fd)
{
	driver.closed += fd == FD;
	return 0;
}

static const struct xdna_calls calls = { .open = fake_open,
    .ioctl = fake_ioctl, .close = fake_close };

/* ---- A laptop ------------------------------------------------------------ */

static void
make(void)
{
	board_put(NPU "/vendor", "0x1022\n");
	board_put(NPU "/device", "0x17f0\n");
	board_put(NPU "/revision", "0x10\n");
	board_put(NPU "/accel/accel0/x", "");
	board_put(NPU "/power/runtime_status", "active\n");
	board_link(NPU "/driver", "../../drivers/amdxdna");
	board_put(NODE, "");
}

static struct health_check checks[XCLBIN_MACHINE_CHECKS];
static struct xclbin_demands demands;

static const struct health_check *
check(const char *name)
{
	for (int i = 0; i < XCLBIN_MACHINE_CHECKS; i++)
		if (strcmp(checks[i].name, name) == 0)
			return &checks[i];
	return NULL;
}

/* Runs the checks.  The named check must have this verdict, finding and next
 * step. */
static void
expect(const char *what, const char *name, enum health_verdict verdict,
    const char *finding, const char *next)
{
	const struct health_check *c;
	struct npu_err err;

	driver.opened = driver.closed = 0;
	driver.odd = false;
	if (!ok(xclbin_check_machine(board, &calls, &demands, checks, &err) ==
	    0, "%s", what))
		return;
	c = check(name);
	if (!ok(c->verdict == verdict && strstr(c->finding, finding) != NULL &&
	    strstr(c->next, next) != NULL, "%s: %s", what, finding))
		diag("%s %s; next: %s", health_verdict_name(c->verdict),
		    c->finding, c->next);
	ok(driver.opened == driver.closed && !driver.odd,
	    "%s: the node is closed, and nothing else was asked", what);
}

static void
answers(void)
{
	static const char *const modes[] = { "default", "low", "medium",
	    "high", "turbo", "unknown" };
	char finding[40];

	driver.name = "amdxdna_accel_driver";
	expect("a driver that answers", "node", HEALTH_OK,
	    NODE " may be opened", "");
	expect("a driver that answers", "interface", HEALTH_OK,
	    "amdxdna_accel_driver 0.6.1", "");
	for (driver.mode = 0; driver.mode < 6; driver.mode++) {
		snprintf(finding, sizeof(finding), "mode %s, active",
		    modes[driver.mode]);
		expect("a driver with a power mode",
		    "power", HEALTH_OK, finding, "");
	}
	driver.mode = -1;
	expect("a driver without a mode", "power", HEALTH_OK, "active", "");
	driver.open_interrupts = driver.ioctl_interrupts = 3;
	expect("interrupted calls", "interface", HEALTH_OK,
	    "amdxdna_accel_driver 0.6.1", "");
	driver.ioctl_interrupts = 1000;
	expect("queries that are always interrupted", "interface", HEALTH_SKIP,
	    "the driver did not say its version", "");
	driver.ioctl_interrupts = 0;
	driver.open_interrupts = 1000;
	expect("calls that are always interrupted", "node", HEALTH_FAIL,
	    "Interrupted system call", "dmesg");
	driver.open_interrupts = 0;
	/* As long as its buffer. */
	driver.name = "another_driver_of_thirty_one_by";
	driver.mode = 4;
	expect("another driver's node", "interface", HEALTH_WARN,
	    "another_driver_of_thirty_one_by 0.6.1", "");
	expect("another driver's node", "power", HEALTH_OK, "active", "");
	ok(strstr(check("power")->finding, "turbo") == NULL, "another driver "
	    "is not asked for its mode");
	driver.name = "amdxdna_accel_driver";
}

/* If the driver gives a number of columns, this number counts. */
static void
columns(void)
{
	driver.mode = 0;
	driver.columns = -1;
	expect("a driver that does not give columns", "device", HEALTH_OK,
	    "npu4 (Strix), 8 columns", "");
	driver.columns = 6;
	expect("a driver that gives another number of columns",
	    "device", HEALTH_OK,
	    "npu4 (Strix), 6 columns", "");
	board_put(NPU "/revision", "0x30\n");
	expect("an unknown revision with a driver", "device", HEALTH_WARN,
	    "revision 0x30 of the NPU 1022:17f0 is not in the table, 6 "
	    "columns", "--version");
	driver.columns = 0;
	expect("an unknown revision without columns", "device", HEALTH_WARN,
	    "is not in the table, at 0000:c5:00.1", "");
	board_put(NPU "/revision", "0x10\n");
	driver.columns = 8;
}

/* Files that need more than the NPU has. */
static void
files(void)
{
	struct txn t = { .generation = 4 };

	demands = (struct xclbin_demands){ .file = "a.xclbin", .columns = 8 };
	expect("as many columns as the NPU has", "device", HEALTH_OK, "", "");
	driver.columns = 5;
	expect("more columns than the driver has", "device", HEALTH_FAIL,
	    "5 columns, at 0000:c5:00.1; a.xclbin needs 8 columns",
	    "# build the design for npu4");
	board_put(NPU "/revision", "0x30\n");
	expect("more columns on an unknown revision", "device", HEALTH_FAIL,
	    "5 columns, at 0000:c5:00.1; a.xclbin needs 8 columns", "");
	driver.columns = 0;
	demands.stream = &t;
	demands.stream_name = "insts.bin";
	expect("an unknown NPU", "device", HEALTH_WARN,
	    "is not in the table, at 0000:c5:00.1", "");
	driver.columns = 8;
	board_put(NPU "/revision", "0x10\n");
	expect("a stream of this generation", "device", HEALTH_OK, "", "");
	t.generation = 3;
	expect("a stream of another generation", "device", HEALTH_FAIL,
	    "; the stream insts.bin is for npu1 (generation 3), and this NPU "
	    "has generation 4", "# build the design for npu4");
	demands = (struct xclbin_demands){ .columns = 0 };
}

static void
refusals(void)
{
	static const struct {
		int error;
		const char *finding, *next;
	} rows[] = {
		{ EPERM, "you may not open " NODE, "" },
		{ ENODEV, "No such device", "dmesg | xclbin-check" },
		{ EBUSY, "Device or resource busy", "dmesg | xclbin-check" },
	};
	char path[2 * PATH_MAX];

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		driver.refuses = rows[i].error;
		expect(strerror(rows[i].error), "node", HEALTH_FAIL,
		    rows[i].finding, rows[i].next);
	}
	expect("a node that cannot be opened", "interface", HEALTH_SKIP,
	    "it needs the node", "");
	driver.refuses = EACCES;
	snprintf(path, sizeof(path), "%s" NODE, board);
	chmod(path, 0600);
	expect("a node for its user only", "node", HEALTH_FAIL, "only user ",
	    "GROUP=\"render\", MODE=\"0660\"");
	if (geteuid() == 0 && chown(path, 0, 4242) == 0) {
		chmod(path, 0660);
		expect("a node for a group", "node", HEALTH_FAIL,
		    "only group 4242 may", "sudo usermod -aG 4242 \"$USER\"");
	}
	driver.refuses = EPERM;
	board_put("/.dockerenv", "");
	expect("a container without permission", "node", HEALTH_FAIL,
	    "this container may not open", "docker run --device " NODE);
	board_put("/.dockerenv", NULL);
	driver.refuses = 0;
}

/* The node is opened only where this is necessary. */
static void
unopened(void)
{
	struct npu_err err;

	driver.opened = 0;
	ok(xclbin_check_machine(board, NULL, &demands, checks, &err) == 0 &&
	    check("node")->verdict == HEALTH_OK && driver.opened == 0,
	    "the node of a copied machine is not opened");
	board_put(NODE, NULL);
	expect("a node that is not there", "node", HEALTH_FAIL,
	    NODE " is not there", "udevadm");
	ok(driver.path[0] == '\0' || driver.opened == 0,
	    "a missing node is not opened");
	board_put(NODE, "");
	board_put(NPU "/device", "0x17f1\n");
	expect("an NPU of another generation", "device", HEALTH_FAIL,
	    "user-mode queues", "");
	ok(driver.opened == 0, "an NPU of another generation is not opened");
	board_put(NPU "/device", "0x17f0\n");
}

int
main(void)
{
	if (!ok(board_open(), "a folder for the board is made"))
		return done();
	make();
	driver.columns = 8;
	answers();
	columns();
	files();
	refusals();
	unopened();
	board_remove();
	return done();
}
