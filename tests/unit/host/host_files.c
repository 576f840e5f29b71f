// SPDX-License-Identifier: Apache-2.0
/* Reads a machine from files that have more entries than are kept, and odd
 * names. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/machine.h"
#include "host/platform.h"
#include "host/process.h"
#include "host/redact.h"
#include "host/sys.h"
#include "tap.h"

static char root[] = "/tmp/hostfiles.XXXXXX";

/* Returns root + path and makes the folders of the path. */
static const char *
path_of(const char *fmt, va_list ap)
{
	static char full[1000];
	int n = snprintf(full, sizeof(full), "%s", root);

	vsnprintf(full + n, sizeof(full) - (size_t)n, fmt, ap);
	for (char *s = full + n + 1; (s = strchr(s, '/')) != NULL; s++) {
		*s = '\0';
		mkdir(full, 0755);
		*s = '/';
	}
	return full;
}

__attribute__((format(printf, 2, 3))) static void
put(const char *text, const char *fmt, ...)
{
	va_list ap;
	FILE *f;

	va_start(ap, fmt);
	f = fopen(path_of(fmt, ap), "w");
	va_end(ap);
	if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0)
		exit(1);
}

__attribute__((format(printf, 2, 3))) static void
point(const char *target, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (symlink(target, path_of(fmt, ap)) < 0)
		exit(1);
	va_end(ap);
}

static void
clear(void)
{
	char command[100];

	snprintf(command, sizeof(command), "rm -rf '%s'", root);
	if (system(command) != 0 || mkdir(root, 0755) < 0)
		exit(1);
}

/* ---- Sensors and clocks -------------------------------------------------- */

static void
zones(void)
{
	static struct host_items t;
	struct npu_err trouble = { .code = 0 };

	put("soc-thermal\n", "/sys/class/thermal/thermal_zone0/type");
	put("40000\n", "/sys/class/thermal/thermal_zone0/temp");
	put("soc\n", "/sys/class/thermal/thermal_zone1/type");
	put("50000\n", "/sys/class/thermal/thermal_zone1/temp");
	put("soc\n", "/sys/class/thermal/thermal_zone2/type");
	put("45000\n", "/sys/class/thermal/thermal_zone2/temp");
	put("1\n", "/sys/class/thermal/thermal_zonex/temp");
	put("1\n", "/sys/class/thermal/thermal_zone-1/temp");
	host_read_zones(root, &t, &trouble);
	ok(t.n == 1 && strcmp(t.item[0].name, "soc") == 0 &&
	    t.item[0].value == 50 && trouble.code == 0,
	    "of several thermal zones with one name, the hottest counts");
	for (int i = 0; i <= SYS_FOLDERS; i++) {
		char name[20];

		snprintf(name, sizeof(name), "z%d", i);
		put(name, "/sys/class/thermal/thermal_zone%d/type", i);
		put("1000", "/sys/class/thermal/thermal_zone%d/temp", i);
	}
	t.n = 0;
	host_read_zones(root, &t, &trouble);
	ok(t.n == HOST_ITEMS && trouble.code == 0,
	    "of too many thermal zones, only the first are kept");
	clear();
}

static void
power(void)
{
	static struct host_items p;
	char name[SYS_NAME + 10];

	put("1000000\n", "/sys/class/hwmon/hwmon0/power1_input");
	put("ina\n", "/sys/class/hwmon/hwmon1/name");
	put("2000000\n", "/sys/class/hwmon/hwmon1/power1_input");
	put("no number\n", "/sys/class/hwmon/hwmon1/power2_input");
	host_read_power(root, &p, NULL);
	ok(p.n == 1 && p.item[0].value == 2,
	    "a chip without a name and a sensor without a number are skipped");
	p.n = 0;
	put("200000000000\n", "/sys/class/power_supply/a/power_now");
	put("1500000\n", "/sys/class/power_supply/b/power_now");
	memset(name, 'c', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	put("1500000\n", "/sys/class/power_supply/%s/power_now", name);
	host_read_supplies(root, &p, NULL);
	ok(p.n == 1 && p.item[0].value == 1.5,
	    "an impossible power and a name that is too long are skipped");
	for (int i = 0; i < SYS_NAMES; i++)
		put("1\n", "/sys/class/power_supply/x%02d/online", i);
	p.n = 0;
	host_read_supplies(root, &p, NULL);
	ok(p.n <= 1, "not all of too many power supplies are read");
	clear();
}

static void
clocks(void)
{
	static struct host_freqs f;
	char name[HOST_NAME] = "?";

	host_read_cpu_name(root, name, NULL);
	ok(strcmp(name, "") == 0, "without /proc/cpuinfo, the processor has no "
	    "name");
	for (int i = 0; i < HOST_ITEMS + 3; i++)
		put("ondemand\n", "/sys/devices/system/cpu/cpufreq/policy%d/"
		    "scaling_governor", i);
	host_read_freqs(root, &f, NULL);
	ok(f.n == HOST_ITEMS && strcmp(f.freq[63].name, "policy63") == 0 &&
	    isnan(f.freq[0].mhz),
	    "of too many clocks, only the first are kept");
	clear();
}

/* ---- Devices ------------------------------------------------------------- */

#define DEVICES "/sys/bus/platform/devices"

static void
devices(void)
{
	static const char *const words[] = { "acpi:CIXH4000:", NULL };
	static const char *const names[] = { "b", "a", "d", "c", "e" };
	char name[SYS_NAME + 10], alias[SYS_WORD];
	struct npu_err trouble = { .code = 0 };

	for (int i = 0; i < 5; i++)
		put("acpi:CIXH4000:\n", DEVICES "/%s/modalias", names[i]);
	put("acpi:OTHER:\n", DEVICES "/0/modalias");
	memset(name, 'A', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	put("acpi:CIXH4000:\n", DEVICES "/%s/modalias", name);
	ok(host_find_platform(root, words, name, alias, &trouble) &&
	    strcmp(name, "a") == 0 && trouble.code == 0,
	    "of several devices, the first by name is found");
	ok(host_count_names(root, "/none", "x", &trouble) == 0 &&
	    trouble.code == 0, "a missing folder contains 0 names");
	clear();
}

static void
links(void)
{
	char name[SYS_NAME], longest[2 * SYS_NAME];

	memset(longest, 'x', sizeof(longest));
	longest[sizeof(longest) - 1] = '\0';
	point("group", "/bare");
	point("a/b/", "/ends");
	point(longest, "/long");
	ok(host_link_name(root, "/bare", name, NULL) &&
	    strcmp(name, "group") == 0, "the target of a link may have no "
	    "folder");
	ok(!host_link_name(root, "/ends", name, NULL) &&
	    !host_link_name(root, "/long", name, NULL),
	    "the target of a link is refused if it ends with '/' or is too "
	    "long");
	clear();
}

/* A user id and a group id without names. */
static void
nobody(void)
{
	char full[100], who[80];

	if (geteuid() != 0)
		return;
	put("", "/file");
	snprintf(full, sizeof(full), "%s/file", root);
	if (chown(full, 54321, 54322) < 0 || chmod(full, 0640) < 0)
		exit(1);
	host_read_readers(root, "/file", who, sizeof(who));
	ok(strcmp(who, "group 54322") == 0, "a group without a name is given "
	    "as a number: %s", who);
	chmod(full, 0600);
	host_read_readers(root, "/file", who, sizeof(who));
	ok(strcmp(who, "user 54321") == 0, "a user without a name is given as "
	    "a number: %s", who);
	if (chown(full, 0, 0) < 0 || chmod(full, 0640) < 0)
		exit(1);
	host_read_readers(root, "/file", who, sizeof(who));
	ok(strcmp(who, "user root") == 0, "if only root's group may read a "
	    "file, root is named: %s", who);
	clear();
}

/* ---- Processes, disks, users --------------------------------------------- */

static void
processes(void)
{
	static struct host_holders h;
	struct npu_err err = { .code = 0 };
	uint64_t v;

	put("no brackets\n", "/proc/7/stat");
	ok(host_read_ticks(root, 7, &v, &err) == NPU_EFORMAT &&
	    strstr(err.msg, "/proc/7/stat: has no name in brackets") != NULL,
	    "a stat file without a name is refused: %s", err.msg);
	for (int i = 1; i <= HOST_ITEMS + 2; i++)
		point("/dev/aipu", "/proc/%d/fd/3", 100 + i);
	point("/dev/aipu", "/proc/4294967296/fd/3");
	host_list_holders(root, "/dev/aipu", &h, NULL);
	ok(h.n == HOST_ITEMS && h.more == 2 &&
	    strcmp(h.holder[0].name, "?") == 0,
	    "of too many holders, the rest is only counted; a missing name is "
	    "?");
	host_list_holders("/none", "/dev/aipu", &h, NULL);
	ok(h.n == 0 && h.more == 0, "without /proc, no holders are found");
	clear();
}

static void
disks(void)
{
	static struct host_items d;
	struct npu_err trouble = { .code = 0 }, err = { .code = 0 };
	char table[HOST_ITEMS * 40 + 200] = "", full[100];
	size_t at = 0;

	for (int i = 0; i < HOST_ITEMS + 2; i++) {
		put("", "/m/%03d/file", i);
		at += (size_t)sprintf(table + at,
		    "/dev/%d /m/%03d ext4 rw 0 0\n", i, i);
	}
	put(table, "/proc/mounts");
	ok(host_read_disks(root, &d, &trouble, &err) == 0 &&
	    d.n == HOST_ITEMS && trouble.code == 0,
	    "of too many disks, only the first are kept");
	put("/dev/a /m/000/file ext4 rw 0 0\n/dev/b /none ext4 rw 0 0\n",
	    "/proc/1/mounts");
	ok(host_read_disks(root, &d, &trouble, &err) == 0 && d.n == 0 &&
	    trouble.code == 0, "a file and a missing folder are not disks");
	snprintf(full, sizeof(full), "%s/proc/1/mounts", root);
	if (truncate(full, (1 << 26) - 1) < 0)
		exit(1);
	ok(host_read_disks(root, &d, &trouble, &err) == NPU_EFORMAT &&
	    strstr(err.msg, "has more than 67108862 bytes") != NULL, "a table "
	    "of mounts that is too large is refused: %s",
	    err.msg);
	clear();
}

static void
users(void)
{
	static const char text[] = "ada at box.lab, bob zed Zed Bee SN77 carl";
	struct redact p = { 0 };
	struct buf out = { 0 };
	char *home = getenv("HOME");

	put("ada:x:500:1::/home/ada:/bin/sh\nbob:x:501:1::/var/bob:/bin/sh\n"
	    "short:x:1000\nzed:x:1000:1:Zed Bee,,,:/home/zed:/bin/sh\n",
	    "/etc/passwd");
	put("box.lab \t\n", "/etc/hostname");
	put("\n", "/etc/machine-id");
	put("SN77  \n", "/sys/class/dmi/id/board_serial");
	if (home != NULL)
		home = strdup(home);
	unsetenv("HOME");
	redact_read_machine(&p, root);
	if (home != NULL)
		setenv("HOME", home, 1);
	free(home);
	redact_text(&p, text, sizeof(text) - 1, &out);
	buf_add(&out, "", 1);
	if (!ok(!p.failed && p.trouble.code == 0 && strcmp(out.p,
	    "(user) at (host), bob (user) (user) (serial) carl") == 0,
	    "users, the host's name and a serial number are replaced"))
		diag("%s", out.p);
	buf_free(&out);
	redact_free(&p);
	clear();
}

/* ---- Unreadable files ---------------------------------------------------- */

static void
answers(void)
{
	static const int some[] = { ENOENT, ENOTDIR, ENXIO, ENODEV, EACCES,
	    EPERM, ENODATA, ESRCH, EBUSY, ETIMEDOUT, ENETDOWN, EREMOTEIO };
	static const int others[] = { ENOMEM, EMFILE, ENFILE, EIO };
	struct npu_err t = { .code = 0 }, format = { NPU_EFORMAT, EIO, "x" };

	for (size_t i = 0; i < sizeof(some) / sizeof(*some); i++)
		host_note_error(&t, "/r", "/p", some[i]);
	host_note(&t, &format);
	host_note_error(&t, "", "/sys/p", EIO);
	ok(t.code == 0, "answers such as ENOENT, and wrong contents, are not "
	    "noted as trouble");
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		t.code = 0;
		host_note_error(&t, "/r", "/p", others[i]);
		ok(t.code == NPU_ESYSTEM && t.detail == others[i] &&
		    strncmp(t.msg, "/r/p: ", 6) == 0, "an error such as ENOMEM "
		    "is noted as trouble: %s", t.msg);
	}
	host_note_error(&t, "/r", "/later", ENOMEM);
	ok(t.detail == EIO, "the first trouble is kept");
	t.code = 0;
	host_note_error(&t, "/r", "/sys/p", EIO);
	ok(t.code == NPU_ESYSTEM,
	    "EIO of a file below root is an error of its disk");
}

int
main(void)
{
	if (mkdtemp(root) == NULL)
		exit(1);
	zones();
	power();
	clocks();
	devices();
	links();
	nobody();
	processes();
	disks();
	users();
	answers();
	rmdir(root);
	return done();
}
