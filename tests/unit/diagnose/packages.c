// SPDX-License-Identifier: Apache-2.0
/* Reads dpkg's status file: the vendor's packages, and damaged files. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "diagnose/vendor.h"
#include "host/packages.h"
#include "tap.h"

#define NOE "Package: cix-noe-umd\n"
#define OK "Status: install ok installed\n"
#define LONG "0123456789012345678901234567890123456789"
#define OTHER "Package: python3\n" OK

static const struct {
	const char *what, *text, *want;	/* NULL: refused */
} rows[] = {
	{ "an installed package is found", NOE OK "Version: 2.0.2\n",
	    "cix-noe-umd|2.0.2|install|ok|installed " },
	{ "a half-configured package is found",
	    NOE "Status: install ok half-configured\n"
	    "Version: 2.0.2\n\n",
	    "cix-noe-umd|2.0.2|install|ok|half-configured " },
	{ "a package to be reinstalled is found, without a version",
	    NOE "Status: install reinstreq half-installed\n",
	    "cix-noe-umd||install|reinstreq|half-installed " },
	{ "packages of others are skipped",
	    "Package: libinput10\n" OK "Version: 1\n\n" NOE OK
	    "Version: 3.1.2-1\n\nPackage: linux-image-7.0.12-cix\n" OK
	    "Version: 1:2~rc1+b3\n\nPackage: cixter\n" OK,
	    "cix-noe-umd|3.1.2-1|install|ok|installed "
	    "linux-image-7.0.12-cix|1:2~rc1+b3|install|ok|installed " },
	{ "continuation lines are not fields", NOE OK "Description: of it\n"
	    " Version: 9\n .\n\tPackage: x\nVersion: 1\n",
	    "cix-noe-umd|1|install|ok|installed " },
	{ "field names may be in any case",
	    "package:cix-a\nSTATUS:\tinstall  ok installed \n",
	    "cix-a||install|ok|installed " },
	{ "a removed package whose settings remain is found", NOE
	    "Status: deinstall ok config-files\n",
	    "cix-noe-umd||deinstall|ok|config-files " },
	{ "a package that is known but not installed is skipped", NOE
	    "Status: unknown ok not-installed\n", "" },
	{ "a package without a status is skipped", NOE "Version: 1\n", "" },
	{ "a last line without a line end is read",
	    NOE "Status: install ok unpacked",
	    "cix-noe-umd||install|ok|unpacked " },
	{ "several empty lines separate packages", "\n\n" NOE OK "\n \n\n",
	    "cix-noe-umd||install|ok|installed " },
	{ "an empty file has no packages", "", "" },
	{ "a line without a field is refused", NOE "garbage\n", NULL },
	{ "a name with a blank is refused", "Package: cix a\n" OK, NULL },
	{ "a name with a control character is refused",
	    "Package: cix-\033[2J\n" OK,
	    NULL },
	{ "an empty name is refused", "Package:\n" OK, NULL },
	{ "a status of two words is refused",
	    NOE "Status: install ok\n", NULL },
	{ "a status of four words is refused",
	    NOE "Status: install ok a b\n", NULL },
	{ "a version of two words is refused", NOE OK "Version: 1 2\n", NULL },
	{ "a version with an upper-case letter is read",
	    NOE OK "Version: 2.0A\n",
	    "cix-noe-umd|2.0A|install|ok|installed " },
	{ "a version with an invalid character is refused",
	    NOE OK "Version: 1_2\n", NULL },
	{ "an empty version is refused", NOE OK "Version:\n", NULL },
	{ "a version that is too long is refused",
	    NOE OK "Version: " LONG LONG "\n", NULL },
	{ "an invalid version before the name is refused",
	    "Version: 1_2\n" NOE OK, NULL },
	{ "an invalid version before another package is refused",
	    NOE OK "Version: 1_2\n\n" OTHER, NULL },
	{ "invalid fields of other packages are ignored",
	    OTHER "Version: " LONG LONG "\n\n" NOE OK
	    "Version: 1\n\n" OTHER "Version: 1 2\n\n" OTHER
	    "Status: install ok " LONG "\n\nVersion:\n",
	    "cix-noe-umd|1|install|ok|installed " },
	{ "invalid fields of a package with a long other name are ignored",
	    "Package: lib" LONG LONG "\n" OK
	    "Version: 1_2\n\n" NOE OK, "cix-noe-umd||install|ok|installed " },
	{ "a long name of two words is refused",
	    "Package: " LONG LONG " a\n" OK, NULL },
	{ "an empty status is refused", NOE "Status:\n", NULL },
	{ "a status of one word is refused", NOE "Status: install\n", NULL },
	{ "a desired state that is too long is refused", NOE
	    "Status: abcdefghijklmnopqrstuvwxyz ok installed\n", NULL },
	{ "a flag that is too long is refused", NOE
	    "Status: install abcdefghijklmnopqrstuvwxyz installed\n", NULL },
	{ "a state that is too long is refused", NOE
	    "Status: install ok abcdefghijklmnopqrstuvwxyz\n", NULL },
};

static struct bytes
of(const char *s)
{
	return (struct bytes){ (const uint8_t *)s, strlen(s) };
}

static void
texts(void)
{
	struct host_packages all;
	struct npu_err err;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *want = rows[i].want;
		char got[500] = "";
		size_t at = 0;
		int rc;

		rc = host_parse_packages(of(rows[i].text), vendor_packages,
		    &all, &err);
		for (size_t k = 0; k < all.n; k++) {
			const struct host_package *p = &all.package[k];

			at += (size_t)snprintf(got + at, sizeof(got) - at,
			    "%s|%s|%s|%s|%s ", p->name, p->version, p->want,
			    p->flag, p->state);
		}
		if (!ok(rc == (want != NULL ? 0 : NPU_EFORMAT) &&
		    strcmp(got, want != NULL ? want : "") == 0, "%s",
		    rows[i].what))
			diag("%d '%s' %s", rc, got, rc < 0 ? err.msg : "");
	}
	host_parse_packages(of(NOE "\nx\n"), vendor_packages, &all, &err);
	ok(strcmp(err.msg, "line 3: not \"Field: value\"") == 0, "the message "
	    "gives the number of a line without a field: %s",
	    err.msg);
	host_parse_packages(of(OTHER "\n" OK "Version: 1 2\n" NOE),
	    vendor_packages, &all, &err);
	ok(strcmp(err.msg, "line 5: a version or state is not valid, or "
	    "too long") == 0, "the message gives the line of a wrong version "
	    "that precedes the name: %s", err.msg);
}

/* Returns the number of packages that are found in Package: cix-000..., with n
 * digits; -1 if the text is refused. */
static long
with_digits(size_t n)
{
	static char text[500];
	static struct host_packages all;

	snprintf(text, sizeof(text), "Package: cix-%0*d\n" OK, (int)n, 0);
	if (host_parse_packages(of(text), vendor_packages, &all, NULL) < 0)
		return -1;
	return (long)all.n;
}

static void
bounds(void)
{
	static char text[100 * (HOST_PACKAGES + 3)];
	static struct host_packages all;
	size_t at = 0;

	ok(with_digits(HOST_PACKAGE - 5) == 1,
	    "a name of the maximum length is found");
	ok(with_digits(HOST_PACKAGE - 4) == 0, "a longer name is skipped");
	for (int i = 0; i < HOST_PACKAGES + 3; i++)
		at += (size_t)sprintf(text + at, "Package: cix-%d\n" OK "\n",
		    i);
	ok(host_parse_packages(of(text), vendor_packages, &all, NULL) == 0 &&
	    all.n == HOST_PACKAGES && all.left_out == 3 &&
	    strcmp(all.package[HOST_PACKAGES - 1].name, "cix-63") == 0,
	    "of too many packages, the rest is only counted");
	ok(host_read_packages("/none", vendor_packages, &all, NULL) ==
	    NPU_ESYSTEM && all.n == 0, "without a status file, reading fails");
}

/* Reads the status file from a folder. */
static void
files(void)
{
	static const char *const folders[] = { "", "/var", "/var/lib",
	    "/var/lib/dpkg", "/var/lib/dpkg/status" };
	static struct host_packages all;
	char root[] = "/tmp/packages.XXXXXX", path[100];
	struct npu_err err;
	FILE *f;

	if (mkdtemp(root) == NULL)
		exit(1);
	for (int i = 1; i < 4; i++) {
		snprintf(path, sizeof(path), "%s%s", root, folders[i]);
		mkdir(path, 0700);
	}
	snprintf(path, sizeof(path), "%s%s", root, folders[4]);
	if ((f = fopen(path, "w")) == NULL || fputs(NOE OK "x\n", f) < 0 ||
	    fclose(f) != 0)
		exit(1);
	ok(host_read_packages(root, vendor_packages, &all, &err) ==
	    NPU_EFORMAT && strstr(err.msg, "/status: line 3: not") != NULL,
	    "the message for a wrong file gives its name and the line: %s",
	    err.msg);
	if (truncate(path, (1 << 26) - 1) < 0)
		exit(1);
	ok(host_read_packages(root, vendor_packages, &all, &err) ==
	    NPU_EFORMAT && strstr(err.msg, "more than 67108862 bytes") != NULL
	    && all.n == 0, "a file that is too large is refused: %s", err.msg);
	for (int i = 4; i >= 0; i--) {
		snprintf(path, sizeof(path), "%s%s", root, folders[i]);
		remove(path);
	}
}

int
main(void)
{
	texts();
	bounds();
	files();
	return done();
}
