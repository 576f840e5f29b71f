// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/machine.h"
#include "host/scan.h"
#include "host/sys.h"

/* ---- Processors ------------------------------------------------------- */

enum {
	CPUINFO_SIZE = 1 << 20,
	KINDS = 8,		/* most kinds of processors in a machine */
	ARM = 0x41,		/* the implementer's number */
};

/* Part numbers of Arm Ltd. (MIDR_EL1, in each processor's manual). */
static const struct {
	unsigned part;
	const char *name;
} parts[] = {
	{ 0xd03, "Cortex-A53" }, { 0xd04, "Cortex-A35" },
	{ 0xd05, "Cortex-A55" }, { 0xd07, "Cortex-A57" },
	{ 0xd08, "Cortex-A72" }, { 0xd09, "Cortex-A73" },
	{ 0xd0a, "Cortex-A75" }, { 0xd0b, "Cortex-A76" },
	{ 0xd0c, "Neoverse-N1" }, { 0xd0d, "Cortex-A77" },
	{ 0xd40, "Neoverse-V1" }, { 0xd41, "Cortex-A78" },
	{ 0xd44, "Cortex-X1" }, { 0xd46, "Cortex-A510" },
	{ 0xd47, "Cortex-A710" }, { 0xd48, "Cortex-X2" },
	{ 0xd49, "Neoverse-N2" }, { 0xd4d, "Cortex-A715" },
	{ 0xd4e, "Cortex-X3" }, { 0xd4f, "Neoverse-V2" },
	{ 0xd80, "Cortex-A520" }, { 0xd81, "Cortex-A720" },
	{ 0xd82, "Cortex-X4" }, { 0xd84, "Neoverse-V3" },
	{ 0xd85, "Cortex-X925" }, { 0xd87, "Cortex-A725" },
	{ 0xd8e, "Neoverse-N3" },
};

struct kind {
	unsigned implementer, part, count;
};

struct kinds {
	struct kind kind[KINDS];
	size_t n;
	unsigned implementer;	/* implementer of the processor being read */
};

/* Returns whether line is "key : value"; *value begins after the colon. */
static bool
has_key(struct bytes line, const char *key, struct bytes *value)
{
	size_t n = strlen(key);

	if (!bytes_start(line, key))
		return false;
	bytes_sub(line, n, line.n - n, &line);
	scan_blanks(&line);
	if (line.n == 0 || *line.p != ':')
		return false;
	bytes_sub(line, 1, line.n - 1, &line);
	scan_blanks(&line);
	*value = line;
	return true;
}

/* Parses a number such as "0xd81", of at most 32 bits. */
static bool
parse_hex(struct bytes b, unsigned *v)
{
	char text[11];

	if (!bytes_start(b, "0x") || b.n < 3 || b.n >= sizeof(text))
		return false;
	memcpy(text, b.p, b.n);
	text[b.n] = '\0';
	if (strspn(text + 2, "0123456789abcdefABCDEF") != b.n - 2)
		return false;
	*v = (unsigned)strtoul(text, NULL, 16);
	return true;
}

static void
add_kind(struct kinds *k, unsigned part)
{
	size_t i = 0;

	while (i < k->n && (k->kind[i].implementer != k->implementer ||
	    k->kind[i].part != part))
		i++;
	if (i == KINDS)
		return;
	if (i == k->n)
		k->kind[k->n++] = (struct kind){ k->implementer, part, 0 };
	k->kind[i].count++;
}

/* Writes "8 Cortex-A720, 4 Cortex-A520"; without counts if there is only one
 * kind. */
static void
name_kinds(const struct kinds *k, char name[HOST_NAME])
{
	size_t at = 0;

	for (size_t i = 0; i < k->n && at < HOST_NAME; i++) {
		const struct kind *p = &k->kind[i];
		char word[32], count[16] = "";

		snprintf(word, sizeof(word), "0x%02x/0x%03x", p->implementer,
		    p->part);
		for (size_t j = 0; j < sizeof(parts) / sizeof(*parts); j++)
			if (p->implementer == ARM && parts[j].part == p->part)
				strcpy(word, parts[j].name);
		if (k->n > 1)
			snprintf(count, sizeof(count), "%u ", p->count);
		at += (size_t)snprintf(name + at, HOST_NAME - at, "%s%s%s",
		    i > 0 ? ", " : "", count, word);
	}
}

void
host_parse_cpuinfo(struct bytes b, char name[HOST_NAME])
{
	struct kinds k = { .n = 0 };
	struct bytes line, value;
	unsigned part;

	name[0] = '\0';
	while (scan_line(&b, &line)) {
		if (has_key(line, "CPU implementer", &value)) {
			if (!parse_hex(value, &k.implementer))
				k.implementer = 0;
		} else if (has_key(line, "CPU part", &value)) {
			if (parse_hex(value, &part))
				add_kind(&k, part);
		} else if (name[0] == '\0' &&
		    has_key(line, "model name", &value)) {
			snprintf(name, HOST_NAME, "%.*s",
			    (int)(value.n < HOST_NAME ? value.n : HOST_NAME),
			    (const char *)value.p);
		}
	}
	/* Some kernels name every Arm processor "ARMv8 Processor". */
	if (k.n > 0)
		name_kinds(&k, name);
}

void
host_read_cpu_name(const char *root, char name[HOST_NAME],
    struct npu_err *trouble)
{
	char *text;
	struct npu_err err;
	int n = host_load_file(root, "/proc/cpuinfo", CPUINFO_SIZE, &text,
	    &err);

	name[0] = '\0';
	if (n < 0)
		host_note(trouble, &err);
	else
		host_parse_cpuinfo((struct bytes){ (uint8_t *)text,
		    (size_t)n }, name);
	free(text);
}

/* ---- Board ------------------------------------------------------------ */

#define TREE "/proc/device-tree/"
#define DMI "/sys/class/dmi/id/"

/* Texts that makers leave in DMI fields without a value. */
static const char *const fillers[] = { "Default string", "Not Specified",
    "System Product Name", "System manufacturer", "To Be Filled By O.E.M.",
    "To be filled by O.E.M.", "Unknown", NULL };

static bool
read_dmi(const char *root, const char *path, char word[SYS_WORD],
    struct npu_err *trouble)
{
	if (!sys_word(root, path, word, trouble))
		return false;
	for (int i = 0; fillers[i] != NULL; i++)
		if (strcmp(word, fillers[i]) == 0)
			return false;
	return true;
}

/* Adds a word after a blank.  With brackets set, adds brackets to any but the
 * first word. */
static void
add_word(char name[HOST_NAME], const char *word, bool brackets)
{
	size_t at = strlen(name);

	if (at == 0)
		brackets = false;
	snprintf(name + at, HOST_NAME - at, "%s%s%s%s", at > 0 ? " " : "",
	    brackets ? "(" : "", word, brackets ? ")" : "");
}

void
host_read_board(const char *root, char name[HOST_NAME], struct npu_err *trouble)
{
	char word[SYS_WORD], product[SYS_WORD] = "";

	name[0] = '\0';
	if (sys_word(root, TREE "model", word, trouble))
		add_word(name, word, false);
	/* (a list of strings, each with a final NUL: only the first is read) */
	if (sys_word(root, TREE "compatible", word, trouble))
		add_word(name, word, true);
	if (name[0] != '\0')
		return;
	if (read_dmi(root, DMI "sys_vendor", word, trouble))
		add_word(name, word, false);
	if (read_dmi(root, DMI "product_name", product, trouble))
		add_word(name, product, false);
	if (read_dmi(root, DMI "board_name", word, trouble) &&
	    strcmp(word, product) != 0)
		add_word(name, word, true);
}

void
host_read_firmware(const char *root, char name[HOST_NAME],
    struct npu_err *trouble)
{
	char word[SYS_WORD];

	name[0] = '\0';
	if (read_dmi(root, DMI "bios_vendor", word, trouble))
		add_word(name, word, false);
	if (read_dmi(root, DMI "bios_version", word, trouble))
		add_word(name, word, false);
	if (name[0] == '\0' &&
	    sys_word(root, TREE "chosen/u-boot,version", word, trouble))
		snprintf(name, HOST_NAME, "U-Boot %s", word);
}

/* ---- Frequencies ------------------------------------------------------ */

#define CPUS "/sys/devices/system/cpu"
#define DEVFREQ "/sys/class/devfreq"

/* The files of a clock, and their unit in counts per MHz. */
struct clock {
	const char *freq, *governor;
	double per_mhz;
	bool cpu;
};

static const struct clock cpu_clock = { "scaling_cur_freq",
    "scaling_governor", 1e3, true };
static const struct clock device_clock = { "cur_freq", "governor", 1e6,
    false };

/* Adds the clock whose files are in folder, if a file has a value. */
static void
add_clock(const char *root, const char *folder, const char *name,
    const struct clock *c, struct host_freqs *f, struct npu_err *trouble)
{
	struct host_freq *q = &f->freq[f->n];
	char path[2 * SYS_PATH], word[SYS_WORD];
	int64_t v;

	if (f->n == HOST_ITEMS)
		return;
	*q = (struct host_freq){ .mhz = NAN, .cpu = c->cpu };
	snprintf(q->name, sizeof(q->name), "%s", name);
	snprintf(path, sizeof(path), "%s/%s", folder, c->freq);
	if (sys_number(root, path, &v, trouble) && v >= 0)
		q->mhz = (double)v / c->per_mhz;
	snprintf(path, sizeof(path), "%s/%s", folder, c->governor);
	if (sys_word(root, path, word, trouble))
		snprintf(q->governor, sizeof(q->governor), "%.63s", word);
	f->n += !isnan(q->mhz) || q->governor[0] != '\0';
}

/* The Sky1's NPU is named by its address in a device tree, and by its id in
 * ACPI. */
static const char *
device_name(const char *name)
{
	const char *dot = strrchr(name, '.');

	if (strncmp(name, "CIXH4000:", 9) == 0 ||
	    (dot != NULL && strcmp(dot, ".aipu") == 0))
		return "npu";
	return name;
}

void
host_read_freqs(const char *root, struct host_freqs *f, struct npu_err *trouble)
{
	struct sys_numbers cpus;
	struct sys_names devices;
	char folder[SYS_PATH], name[SYS_NAME];
	bool policies;

	f->n = 0;
	sys_list_numbers(root, CPUS "/cpufreq", "policy", "", &cpus, trouble);
	policies = cpus.n > 0;
	if (!policies)		/* kernels before 4.3 */
		sys_list_numbers(root, CPUS, "cpu", "", &cpus, trouble);
	for (size_t i = 0; i < cpus.n; i++) {
		snprintf(name, sizeof(name), policies ? "policy%lu" : "cpu%lu",
		    cpus.v[i]);
		snprintf(folder, sizeof(folder), policies ?
		    CPUS "/cpufreq/%s" : CPUS "/%s/cpufreq", name);
		add_clock(root, folder, name, &cpu_clock, f, trouble);
	}
	sys_list_names(root, DEVFREQ, &devices, trouble);
	for (size_t i = 0; i < devices.n; i++) {
		snprintf(folder, sizeof(folder), DEVFREQ "/%s", devices.v[i]);
		add_clock(root, folder, device_name(devices.v[i]),
		    &device_clock, f, trouble);
	}
}

bool
host_follows_load(const char *governor)
{
	/*
	 * With intel_pstate and amd-pstate, powersave follows the load.  With
	 * other drivers, powersave keeps the lowest frequency, which cannot
	 * drop.
	 */
	static const char *const follow[] = { "conservative", "interactive",
	    "ondemand", "powersave", "schedutil", "simple_ondemand", NULL };

	for (int i = 0; follow[i] != NULL; i++)
		if (strcmp(governor, follow[i]) == 0)
			return true;
	return false;
}
