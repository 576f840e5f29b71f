// SPDX-License-Identifier: Apache-2.0
/* Reads the vendor's packages from dpkg's list. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "diagnose/health/impl.h"
#include "diagnose/vendor.h"
#include "host/host.h"
#include "host/packages.h"

/* Adds "NAME WORD" if it fits. */
static void
add(char text[HEALTH_TEXT], const char *name, const char *word)
{
	size_t at = strlen(text);

	if (at + strlen(name) + strlen(word) + 4 < HEALTH_TEXT)
		sprintf(text + at, "%s%s %s", at > 0 ? ", " : "", name, word);
}

void
health_read_packages(const struct health_reader *r)
{
	char all[HEALTH_TEXT] = "", broken[HEALTH_TEXT] = "";
	struct host_packages found;
	struct npu_err err;
	size_t n = 0;

	if (host_read_packages(r->root, vendor_packages, &found, &err) < 0) {
		host_note(r->trouble, &err);
		if (err.detail != ENOENT && err.detail != ENOTDIR)
			r->h->packages = err;
		return;
	}
	for (size_t i = 0; i < found.n; i++) {
		const struct host_package *k = &found.package[i];

		/* The package was removed. */
		if (strcmp(k->state, "config-files") == 0)
			continue;
		n++;
		add(all, k->name, k->version);
		if (strcmp(k->state, "installed") != 0)
			add(broken, k->name, k->state);
	}
	health_set_text(r->h, HEALTH_PACKAGES, all[0] != '\0' ? all : "none");
	health_set_text(r->h, HEALTH_PACKAGES_BROKEN, n == 0 ? "" :
	    broken[0] != '\0' ? broken : "none");
}
