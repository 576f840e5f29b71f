// SPDX-License-Identifier: Apache-2.0
/* Reads and checks the service of npu-serve(1), and whether it may open the
 * NPU. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "diagnose/health/impl.h"
#include "host/host.h"
#include "host/platform.h"

/* The service's SupplementaryGroups (debian/npu-serve.service). */
#define GROUP "npu"

enum { GROUP_FILE = 1 << 20 };

/* ---- Facts --------------------------------------------------------------- */

/* Finds the group's number in /etc/group (group(5)); returns false if the group
 * is not listed. */
static bool
find_group(const struct health_reader *r, unsigned long *gid)
{
	struct npu_err err = { .msg = "" };
	char *text, *line, *rest;
	bool found = false;

	if (host_load_file(r->root, "/etc/group", GROUP_FILE, &text,
	    &err) < 0) {
		host_note(r->trouble, &err);
		return false;
	}
	for (line = strtok_r(text, "\n", &rest); line != NULL && !found;
	    line = strtok_r(NULL, "\n", &rest))
		found = sscanf(line, GROUP ":%*[^:]:%10lu", gid) == 1;
	free(text);
	return found;
}

/* Returns whether the group may read and write the node. */
static bool
may_open(const struct health_reader *r, unsigned long gid)
{
	struct stat st;
	char *full;
	int rc;

	if (asprintf(&full, "%s%s", r->root, r->node) < 0) {
		host_note_error(r->trouble, r->root, r->node, ENOMEM);
		return true;
	}
	rc = stat(full, &st);
	free(full);
	/* The check "node" reports what is wrong with the node. */
	if (rc < 0)
		return true;
	return (st.st_mode & 06) == 06 ||
	    (st.st_gid == gid && (st.st_mode & 060) == 060);
}

static bool
is_installed(const struct health_reader *r)
{
	return host_exists(r->root, "/usr/lib/systemd/system/npu-serve.service",
	    r->trouble) || host_exists(r->root,
	    "/lib/systemd/system/npu-serve.service", r->trouble);
}

/* systemctl enable makes this link (WantedBy in debian/npu-serve.socket). */
static bool
is_on(const struct health_reader *r)
{
	char name[SYS_NAME];

	return host_link_name(r->root, "/etc/systemd/system/"
	    "sockets.target.wants/npu-serve.socket", name, r->trouble);
}

void
health_read_server(const struct health_reader *r)
{
	unsigned long gid;

	if (!is_installed(r))
		return;
	health_set_text(r->h, HEALTH_SERVER, is_on(r) ? "on" : "off");
	health_set_text(r->h, HEALTH_SERVER_LACKS, !find_group(r, &gid) ?
	    "group" : may_open(r, gid) ? "nothing" : "permission");
}

/* ---- The check ---------------------------------------------------------- */

/* Suggests a command for a service that may not open the node. */
static void
judge_lack(const struct health *h, const char *lack, struct health_check *c)
{
	const char *node = health_known(h, HEALTH_NODE) ?
	    health_value(h, HEALTH_NODE) : NPU_DEFAULT_NODE;
	char next[HEALTH_TEXT];

	if (strcmp(lack, "group") == 0) {
		health_judge(c, HEALTH_FAIL, "sudo groupadd -r " GROUP,
		    "npu-serve.socket is on, but the service cannot start: "
		    "the group " GROUP " is missing");
		return;
	}
	snprintf(next, sizeof(next), "sudo chgrp " GROUP " %.50s && sudo chmod "
	    "g+rw %.50s  # for good: npu-kmd(8)", node, node);
	health_judge(c, HEALTH_FAIL, next, "npu-serve.socket is on, but the "
	    "service's group " GROUP " may not open %.50s", node);
}

static void
check_server(const struct health *h, struct health_check *c)
{
	const char *state = health_value(h, HEALTH_SERVER);
	const char *lack = health_value(h, HEALTH_SERVER_LACKS);
	const char *holder = strstr(health_value(h, HEALTH_HOLDERS),
	    "npu-serve (");

	if (holder != NULL)
		health_judge(c, HEALTH_OK, "", "%.*s has the NPU open",
		    (int)strcspn(holder, ","), holder);
	else if (!health_known(h, HEALTH_SERVER))
		health_judge(c, HEALTH_SKIP, "",
		    "npu-serve.service is not installed");
	else if (strcmp(state, "off") == 0)
		health_judge(c, HEALTH_SKIP, "", "npu-serve.socket is off; "
		    "systemctl enable --now npu-serve.socket switches it on");
	else if (strcmp(lack, "nothing") != 0)
		judge_lack(h, lack, c);
	else
		health_judge(c, HEALTH_OK, "", "npu-serve.socket is on: the "
		    "first request starts npu-serve");
}

const struct health_checker health_server[HEALTH_SERVER_CHECKS] = {
	{ "server", check_server },
};
