// SPDX-License-Identifier: Apache-2.0
/* Decides whether a machine is a board, a board without a driver, a container
 * on a board without the node, or no board. */
#include <string.h>

#include "device/noe.h"
#include "diagnose/health/impl.h"
#include "diagnose/vendor.h"
#include "host/platform.h"

static const char *const names[] = { "board", "no-driver", "no-board",
    "container" };

/* Facts that only a board has, and facts about software that is installed for a
 * board. */
static const enum health_id traces[] = { HEALTH_NODE, HEALTH_MODULE,
    HEALTH_PLATFORM_DEVICE, HEALTH_MODULE_FILE, HEALTH_MODULE_OTHERS,
    HEALTH_LIBRARY };

static bool
is_known_board(const struct health *h)
{
	const char *board = health_value(h, HEALTH_BOARD);

	for (size_t i = 0; vendor_boards[i] != NULL; i++)
		if (strstr(board, vendor_boards[i]) != NULL)
			return true;
	return false;
}

static bool
has_traces(const struct health *h)
{
	for (size_t i = 0; i < sizeof(traces) / sizeof(*traces); i++)
		if (health_known(h, traces[i]))
			return true;
	return (health_known(h, HEALTH_PACKAGES) &&
	    strcmp(health_value(h, HEALTH_PACKAGES), "none") != 0) ||
	    is_known_board(h);
}

/* Docker, podman and systemd-nspawn each make one of these files. */
bool
health_is_container(const struct health_reader *r)
{
	static const char *const files[] = { "/.dockerenv",
	    "/run/.containerenv", "/run/systemd/container" };

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		if (host_exists(r->root, files[i], r->trouble))
			return true;
	return false;
}

/* /sys is the board's in a container, but /dev is not. */
static bool
lacks_only_node(const struct health *h)
{
	return h->container && !health_known(h, HEALTH_NODE) &&
	    health_known(h, HEALTH_BOUND_DRIVER);
}

/* A user who names a node or a vendor's library claims that there is a
 * board. */
enum health_machine
health_judge_machine(const struct health *h, const struct npu_options *opt)
{
	if (h->driver.code == 0)
		return HEALTH_BOARD_READY;
	if (lacks_only_node(h))
		return HEALTH_CONTAINER;
	if (opt->node != NULL || has_traces(h) ||
	    (noe_named_library(opt) != NULL && h->emulator[0] == '\0'))
		return HEALTH_NO_DRIVER;
	return HEALTH_NO_BOARD;
}

const char *
health_machine_name(enum health_machine m)
{
	return names[m];
}

void
health_describe_machine(const struct health *h, struct health_check *c)
{
	bool named = health_known(h, HEALTH_BOARD);
	const char *board = named ? health_value(h, HEALTH_BOARD) : "";

	*c = (struct health_check){ .name = "machine" };
	if (h->machine == HEALTH_BOARD_READY)
		health_judge(c, HEALTH_OK, "", "a board with an NPU: %s%s"
		    "driver %s, %s cores", board, named ? ", " : "",
		    health_value(h, HEALTH_DRIVER_VERSION),
		    health_value(h, HEALTH_CORES));
	else if (h->machine == HEALTH_CONTAINER)
		health_judge(c, HEALTH_FAIL, "", "a container without the "
		    "device, on a board with an NPU%s%s", named ? ": " : "",
		    board);
	else if (h->machine == HEALTH_NO_DRIVER)
		health_judge(c, HEALTH_FAIL, "", "a board, but %s%s%s",
		    h->fact[HEALTH_CAPABILITY_BYTES].state == HEALTH_HIDDEN ?
		    "you may not open its NPU" : "no driver answers for its "
		    "NPU", named ? ": " : "", board);
	else
		health_judge(c, HEALTH_SKIP, HEALTH_NEXT_EMULATOR, "no board: "
		    "no NPU is described here, and nothing of its vendor's is "
		    "installed; -d emu uses the emulator");
}

/* A failure found in the log stays: a kernel that refused the module may be the
 * reason why no NPU was found. */
void
health_excuse_missing_board(struct health_check *c, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (c[i].verdict == HEALTH_OK || (c[i].verdict == HEALTH_FAIL &&
		    strcmp(c[i].name, "log") == 0))
			continue;
		if (strcmp(c[i].name, "device") == 0)
			health_judge(&c[i], HEALTH_FAIL, HEALTH_NEXT_EMULATOR,
			    "no NPU is described in ACPI or the device tree");
		else
			health_judge(&c[i], HEALTH_SKIP, "",
			    "this is not a board");
	}
}

void
health_excuse_container(struct health_check *c, size_t n)
{
	static const char *const theirs[] = { "kernel", "module", "log" };

	for (size_t i = 0; i < n; i++) {
		if (strcmp(c[i].name, "node") == 0)
			health_judge(&c[i], HEALTH_FAIL, "docker run "
			    "--device=/dev/aipu IMAGE  # podman has the same "
			    "option", "the container was started without "
			    "/dev/aipu");
		for (size_t k = 0; k < sizeof(theirs) / sizeof(*theirs); k++)
			if (c[i].verdict != HEALTH_OK &&
			    strcmp(c[i].name, theirs[k]) == 0)
				health_judge(&c[i], HEALTH_SKIP, "", "this is "
				    "a container: ask on the board itself");
	}
}
