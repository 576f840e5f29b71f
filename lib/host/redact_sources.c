// SPDX-License-Identifier: Apache-2.0
/* What a machine knows of itself and of its users. */
#include <stdlib.h>
#include <string.h>

#include "host/host.h"
#include "host/redact.h"

enum { PASSWD_SIZE = 1 << 20, USERS = 1000 };	/* from which people are */

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

/* The first line; firmware fills its fields up with blanks. */
static void
trim(char *text)
{
	size_t n = strcspn(text, "\r\n");

	while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\t'))
		n--;
	text[n] = '\0';
}

/* "box.lab.example": all of it, "box", and "lab.example". */
static void
add_host(struct host_private *p, char *name)
{
	char *dot = strchr(name, '.');

	host_private_add(p, name, "(host)");
	if (dot == NULL)
		return;
	if (strchr(dot + 1, '.') != NULL)
		host_private_add(p, dot + 1, "(host)");
	*dot = '\0';
	host_private_add(p, name, "(host)");
}

/* All of it, and each part that is no initial. */
static void
add_name(struct host_private *p, char *name)
{
	char *part, *rest = name;

	host_private_add(p, name, "(user)");
	while ((part = strsep(&rest, " ")) != NULL)
		if (strlen(part) > 2)
			host_private_add(p, part, "(user)");
}

/* "name:x:1000:1000:Full Name,,,:/home/name:/bin/sh", its parts cut. */
static void
add_user(struct host_private *p, char *line)
{
	char *part[7] = { NULL }, *rest = line;

	for (int i = 0; i < 7 && rest != NULL; i++)
		part[i] = strsep(&rest, ":");
	if (part[5] == NULL)
		return;
	if (strtoul(part[2], NULL, 10) < USERS &&
	    strncmp(part[5], "/home/", 6) != 0)
		return;
	host_private_add(p, part[0], "(user)");
	part[4][strcspn(part[4], ",")] = '\0';
	add_name(p, part[4]);
	host_private_folder(p, part[5]);
}

static void
add_users(struct host_private *p, const char *root)
{
	char *text = malloc(PASSWD_SIZE), *rest = text, *line;
	struct npu_err err;

	if (text == NULL) {
		p->failed = true;
		return;
	}
	if (host_read_file(root, "/etc/passwd", text, PASSWD_SIZE, &err) < 0)
		host_note(&p->trouble, &err);
	else
		while ((line = strsep(&rest, "\n")) != NULL)
			add_user(p, line);
	free(text);
}

void
host_private_read(struct host_private *p, const char *root)
{
	static const char *const vars[] = { "USER", "LOGNAME", "SUDO_USER" };
	char text[HOST_NAME];
	struct npu_err err;

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		if (host_read_file(root, files[i].path, text, sizeof(text),
		    &err) < 0) {
			host_note(&p->trouble, &err);
			continue;
		}
		trim(text);
		if (strcmp(files[i].instead, "(host)") == 0)
			add_host(p, text);
		else
			host_private_add(p, text, files[i].instead);
	}
	add_users(p, root);
	for (size_t i = 0; i < sizeof(vars) / sizeof(*vars); i++)
		if (getenv(vars[i]) != NULL)
			host_private_add(p, getenv(vars[i]), "(user)");
	if (getenv("HOME") != NULL)
		host_private_folder(p, getenv("HOME"));
}
