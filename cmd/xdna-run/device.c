// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "device.h"
#include "node.h"
#include "origin.h"
#include "twin.h"

#define EMULATED "emulated device"
#define MODEL "NPU_XDNA_DEVICE"

const char *const device_kinds[] = { "auto", "npu", "emu", NULL };

/* The device that was opened, for device_reopen(). */
static struct {
	const struct xdna_calls *calls;
	const char *node;
} in_use;

/* ---- Options ----------------------------------------------------------- */

void
device_resolve(struct device_choice *c, bool kind_given)
{
	const char *env = getenv("NPU_DEVICE");

	if (!kind_given && env != NULL && *env != '\0')
		c->kind = (enum device_kind)cmd_choice("NPU_DEVICE", env,
		    device_kinds);
	if (c->kind == DEVICE_NPU && c->twin != NULL)
		cmd_usage("--twin is for the emulated device, which "
		    "--device=npu never uses");
	if (c->kind == DEVICE_EMU && c->node != NULL)
		cmd_usage("--node is for an NPU, which --device=emu never "
		    "uses");
	if (c->twin != NULL)
		twin_check(c->twin);
}

/* ---- The NPU ----------------------------------------------------------- */

static _Noreturn void
die_no_device(const char *subject, const char *reason)
{
	cmd_warn("%s: %s", subject, reason);
	cmd_exit(EXIT_NODEVICE);
}

/* Returns the generation of the device, from sysfs or, if sysfs does not have
 * it, from the number of columns. */
static unsigned
generation(const struct xdna *x)
{
	struct node_device d = node_device("", in_use.node);

	if (d.generation != 0)
		return d.generation;
	return xdna_describe(x)->columns <= TXN_NPU1_COLUMNS ? TXN_NPU1 :
	    TXN_NPU4;
}

/* Dies, and closes x, if the stream is for devices of another generation. */
static void
check_generation(const struct job *j, struct xdna *x)
{
	unsigned g = generation(x);

	cmd_detail("%s: %u columns, of which the kernel has %u", in_use.node,
	    xdna_describe(x)->columns, j->run.columns);
	if (g == j->txn.generation)
		return;
	xdna_close(x);
	cmd_die("%s: the stream is for %s, and this device is %s; build the "
	    "design for this device", j->stream, txn_device(&j->txn),
	    g == TXN_NPU1 ? "npu1" : "npu4 or newer");
}

/* Opens the device in_use and loads the job.  If the device refuses, ends the
 * program with this status. */
static struct xdna *
open_and_load(const struct job *j, int status)
{
	struct xdna *x = NULL;
	struct npu_err err;

	if (xdna_open(&x, in_use.calls, in_use.node, &cmd_stop, &err) == 0) {
		check_generation(j, x);
		if (xdna_load(x, &j->run, &err) == 0)
			return x;
		xdna_close(x);
	}
	if (cmd_stop == 0)
		cmd_warn("%s: %s", in_use.node, err.msg);
	/* NPU_EUSAGE: the container asks for more than any device has. */
	cmd_exit(err.code == NPU_EUSAGE ? EXIT_FAILED : status);
}

/* ---- The emulated device ----------------------------------------------- */

/* Chooses the emulated device.  The environment variable NPU_XDNA_DEVICE sets
 * its generation; by default it is the generation that the stream is for. */
static void
choose_emulated(const struct device_choice *c, const struct job *j)
{
	char *path = cmd_data_path("lib/npu-utils/libxdna-emu.so");
	struct npu_err err;

	twin_set(c->twin, j);
	if (setenv(MODEL, j->txn.generation == TXN_NPU1 ? "npu1" : "npu4", 0) <
	    0)
		cmd_die("out of memory");
	if (xdna_emulator(&in_use.calls, path, &err) < 0)
		cmd_die_err(NULL, &err);
	in_use.node = EMULATED;
	free(path);
}

struct xdna *
device_open(const struct device_choice *c, const struct job *j)
{
	const char *node = c->node;

	if (node == NULL && c->kind != DEVICE_EMU)
		node = node_find("");
	if (node == NULL && c->kind == DEVICE_NPU)
		die_no_device("/dev/accel", "no device node: sudo modprobe "
		    "amdxdna (Linux 6.14 or newer); 'xclbin-check' checks the "
		    "machine");
	if (node == NULL) {
		choose_emulated(c, j);
		if (c->kind == DEVICE_AUTO)
			origin_emulator("no node in /dev/accel: running on the "
			    EMULATED);
		origin_print();
		return open_and_load(j, EXIT_NODEVICE);
	}
	if (node_device("", node).user_queues)
		die_no_device(node, "this NPU (AIE4) needs user-mode queues, "
		    "which xdna-run does not have");
	in_use.calls = &xdna_kernel;
	in_use.node = node;
	return open_and_load(j, EXIT_NODEVICE);
}

struct xdna *
device_reopen(struct xdna *x, const struct job *j)
{
	xdna_close(x);
	return open_and_load(j, EXIT_FAILED);
}
