// SPDX-License-Identifier: Apache-2.0
/* Adds the names, numbers and users of a machine to the private words. */
#include <stdlib.h>
#include <string.h>

#include "host/host.h"
#include "host/redact.h"

enum { PASSWD_SIZE = 1 << 20, USERS = 1000 };	/* the first uid of a person */

static const struct {
	const char *path, *instead;
} files[] = {
	{ "/proc/sys/kernel/hostname", "(host)" },
	{ "/proc/sys/kernel/domainname", "(host)" },
	{ "/etc/hostname", "(host)" },
	{ "/etc/machine-id", "(id)" },
	{ "/var/lib/dbus/machine-id", "(id)" },
	{ "/proc/sys/kernel/random/boot_id", "(id)" },
	{ "/proc/device-tree/serial-number", "(serial)" },
	{ "/sys/firmware/devicetree/base/serial-number", "(serial)" },
	{ "/sys/devices/soc0/serial_number", "(serial)" },
	{ "/sys/class/dmi/id/product_serial", "(serial)" },
	{ "/sys/class/dmi/id/board_serial", "(serial)" },
	{ "/sys/class/dmi/id/chassis_serial", "(serial)" },
	{ "/sys/class/dmi/id/product_uuid", "(id)" },
	{ "/sys/class/dmi/id/board_asset_tag", "(serial)" },
	{ "/sys/class/dmi/id/chassis_asset_tag", "(serial)" },
};

/* Cuts text to its first line, and removes the blanks with which firmware pads
 * its fields. */
static void
trim(char *text)
{
	size_t n = strcspn(text, "\r\n");

	while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\t'))
		n--;
	text[n] = '\0';
}

/* Adds "box.lab.example", "box", and "lab.example". */
static void
add_host(struct redact *r, char *name)
{
	char *dot = strchr(name, '.');

	redact_add(r, name, "(host)");
	if (dot == NULL)
		return;
	if (strchr(dot + 1, '.') != NULL)
		redact_add(r, dot + 1, "(host)");
	*dot = '\0';
	redact_add(r, name, "(host)");
}

/* Adds the full name, and each part that is not an initial. */
static void
add_name(struct redact *r, char *name)
{
	char *part, *rest = name;

	redact_add(r, name, "(user)");
	while ((part = strsep(&rest, " ")) != NULL)
		if (strlen(part) > 2)
			redact_add(r, part, "(user)");
}

/* Adds the parts of "name:x:1000:1000:Full Name,,,:/home/name:/bin/sh", and
 * cuts the line into these parts. */
static void
add_user(struct redact *r, char *line)
{
	char *part[7] = { NULL }, *rest = line;

	for (int i = 0; i < 7 && rest != NULL; i++)
		part[i] = strsep(&rest, ":");
	if (part[5] == NULL)
		return;
	if (strtoul(part[2], NULL, 10) < USERS &&
	    strncmp(part[5], "/home/", 6) != 0)
		return;
	redact_add(r, part[0], "(user)");
	part[4][strcspn(part[4], ",")] = '\0';
	add_name(r, part[4]);
	redact_add_folder(r, part[5]);
}

static void
add_users(struct redact *r, const char *root)
{
	char *text, *rest, *line;
	struct npu_err err;

	if (host_load_file(root, "/etc/passwd", PASSWD_SIZE, &text, &err) < 0)
		host_note(&r->trouble, &err);
	rest = text;
	while ((line = strsep(&rest, "\n")) != NULL)
		add_user(r, line);
	free(text);
}

void
redact_read_machine(struct redact *r, const char *root)
{
	static const char *const vars[] = { "USER", "LOGNAME", "SUDO_USER" };
	char text[HOST_NAME];
	struct npu_err err;

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		if (host_read_file(root, files[i].path, text, sizeof(text),
		    &err) < 0) {
			host_note(&r->trouble, &err);
			continue;
		}
		trim(text);
		if (strcmp(files[i].instead, "(host)") == 0)
			add_host(r, text);
		else
			redact_add(r, text, files[i].instead);
	}
	add_users(r, root);
	for (size_t i = 0; i < sizeof(vars) / sizeof(*vars); i++)
		if (getenv(vars[i]) != NULL)
			redact_add(r, getenv(vars[i]), "(user)");
	if (getenv("HOME") != NULL)
		redact_add_folder(r, getenv("HOME"));
}
