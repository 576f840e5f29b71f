// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "host/host.h"
#include "host/sys.h"

/* A quantity that sensors measure. */
struct quantity {
	const char *prefix;	/* of hwmon's files: "temp" */
	double parts;		/* units of the files per degree or watt */
	double least, most;	/* values outside this range are not
				   measurements */
	bool each;		/* sensors of the same name are kept apart; else
				   only the greatest value is kept */
	bool supplies;		/* also in /sys/class/power_supply */
};

/* (machines do not survive other temperatures) */
static const struct quantity celsius = { "temp", 1000, -100, 300, false,
    false };
static const struct quantity watts = { "power", 1e6, 0, 1e5, true, true };

static bool
read_value(const char *root, const char *path, const struct quantity *q,
    double *value, struct npu_err *trouble)
{
	int64_t v;

	if (!sys_number(root, path, &v, trouble))
		return false;
	*value = (double)v / q->parts;
	return *value >= q->least && *value <= q->most;
}

static void
add(struct host_items *items, const struct quantity *q, const char *name,
    double value)
{
	struct host_item *t;

	for (size_t i = 0; !q->each && i < items->n; i++) {
		t = &items->item[i];
		if (strcmp(t->name, name) != 0)
			continue;
		if (value > t->value)
			t->value = value;
		return;
	}
	if (items->n == HOST_ITEMS)
		return;
	t = &items->item[items->n++];
	snprintf(t->name, sizeof(t->name), "%s", name);
	t->value = value;
}

/* ---- Thermal zones ---------------------------------------------------- */

/* Cuts "soc-thermal" to "soc". */
static void
cut_suffix(char *name)
{
	static const char *const suffixes[] = { "-thermal", "_thermal" };
	size_t n = strlen(name);

	for (int i = 0; i < 2; i++) {
		size_t s = strlen(suffixes[i]);

		if (n > s && strcmp(name + n - s, suffixes[i]) == 0)
			name[n - s] = '\0';
	}
}

#define ZONES "/sys/class/thermal"

void
host_read_zones(const char *root, struct host_items *temps,
    struct npu_err *trouble)
{
	struct sys_numbers zones;
	char path[SYS_PATH], name[SYS_WORD];
	double value;

	sys_list_numbers(root, ZONES, "thermal_zone", "", &zones, trouble);
	for (size_t i = 0; i < zones.n; i++) {
		snprintf(path, sizeof(path), ZONES "/thermal_zone%lu/temp",
		    zones.v[i]);
		if (!read_value(root, path, &celsius, &value, trouble))
			continue;
		snprintf(path, sizeof(path), ZONES "/thermal_zone%lu/type",
		    zones.v[i]);
		if (!sys_word(root, path, name, trouble))
			continue;
		cut_suffix(name);
		add(temps, &celsius, name, value);
	}
}

/* ---- Chips ------------------------------------------------------------ */

#define CHIPS "/sys/class/hwmon"

/* Reads power1_input, and power1_label if it exists. */
static void
read_sensor(const char *root, const char *chip, const char *chip_name,
    const struct quantity *q, unsigned long sensor, struct host_items *items,
    struct npu_err *trouble)
{
	char path[SYS_PATH], label[SYS_WORD], both[2 * SYS_WORD];
	double value;

	snprintf(path, sizeof(path), "%s/%s%lu_input", chip, q->prefix,
	    sensor);
	if (!read_value(root, path, q, &value, trouble))
		return;
	snprintf(path, sizeof(path), "%s/%s%lu_label", chip, q->prefix,
	    sensor);
	if (sys_word(root, path, label, trouble))
		snprintf(both, sizeof(both), "%s/%s", chip_name, label);
	else
		snprintf(both, sizeof(both), "%s", chip_name);
	add(items, q, both, value);
}

static void
read_chips(const char *root, const struct quantity *q,
    struct host_items *items, struct npu_err *trouble)
{
	struct sys_numbers chips, sensors;
	char chip[SYS_PATH / 2], path[SYS_PATH], name[SYS_WORD];

	sys_list_numbers(root, CHIPS, "hwmon", "", &chips, trouble);
	for (size_t i = 0; i < chips.n; i++) {
		snprintf(chip, sizeof(chip), CHIPS "/hwmon%lu", chips.v[i]);
		/* Linux also lists supplies as chips. */
		snprintf(path, sizeof(path), "%s/device/type", chip);
		if (q->supplies && sys_word(root, path, name, trouble))
			continue;
		snprintf(path, sizeof(path), "%s/name", chip);
		if (!sys_word(root, path, name, trouble))
			continue;
		sys_list_numbers(root, chip, q->prefix, "_input", &sensors,
		    trouble);
		for (size_t k = 0; k < sensors.n; k++)
			read_sensor(root, chip, name, q, sensors.v[k], items,
			    trouble);
	}
}

void
host_read_hwmon(const char *root, struct host_items *temps,
    struct npu_err *trouble)
{
	read_chips(root, &celsius, temps, trouble);
}

void
host_read_power(const char *root, struct host_items *power,
    struct npu_err *trouble)
{
	read_chips(root, &watts, power, trouble);
}

/* ---- Supplies --------------------------------------------------------- */

#define SUPPLIES "/sys/class/power_supply"

/*
 * Supplies whose current_now is the limit of a USB-C contract, not a
 * measurement (drivers/usb/typec of Linux: tcpm_psy_get_current_now(),
 * ucsi_psy_get_current_now()).
 */
static const char *const contracts[] = { "tcpm-source-psy-",
    "ucsi-source-psy-", NULL };

static bool
is_contract(const char *name)
{
	for (int i = 0; contracts[i] != NULL; i++)
		if (strncmp(name, contracts[i], strlen(contracts[i])) == 0)
			return true;
	return false;
}

/* Returns whether a file of the supply has this value. */
static bool
value_is(const char *root, const char *supply, const char *file,
    const char *what, struct npu_err *trouble)
{
	char path[SYS_PATH], word[SYS_WORD];

	snprintf(path, sizeof(path), SUPPLIES "/%s/%s", supply, file);
	return sys_word(root, path, word, trouble) && strcmp(word, what) == 0;
}

/*
 * Returns whether the machine draws power from the supply: from a battery while
 * it discharges, from any other supply unless it is off, but never from a
 * mouse's battery.
 */
static bool
feeds(const char *root, const char *supply, struct npu_err *trouble)
{
	if (is_contract(supply) || value_is(root, supply, "scope", "Device",
	    trouble))
		return false;
	if (value_is(root, supply, "type", "Battery", trouble))
		return value_is(root, supply, "status", "Discharging", trouble);
	return !value_is(root, supply, "online", "0", trouble);
}

/* Reads millionths of a volt, ampere or watt.  Some drivers report the
 * discharge of a battery as a negative number. */
static bool
read_micro(const char *root, const char *supply, const char *file, double *v,
    struct npu_err *trouble)
{
	char path[SYS_PATH];
	int64_t n;

	snprintf(path, sizeof(path), SUPPLIES "/%s/%s", supply, file);
	if (!sys_number(root, path, &n, trouble))
		return false;
	*v = fabs((double)n) / 1e6;
	return true;
}

void
host_read_supplies(const char *root, struct host_items *power,
    struct npu_err *trouble)
{
	struct sys_names supplies;
	double volts, amperes, value;

	sys_list_names(root, SUPPLIES, &supplies, trouble);
	for (size_t i = 0; i < supplies.n; i++) {
		const char *s = supplies.v[i];

		if (!feeds(root, s, trouble))
			continue;
		if (!read_micro(root, s, "power_now", &value, trouble)) {
			if (!read_micro(root, s, "voltage_now", &volts,
			    trouble) ||
			    !read_micro(root, s, "current_now", &amperes,
			    trouble))
				continue;
			value = volts * amperes;
		}
		if (value <= watts.most)
			add(power, &watts, s, value);
	}
}
