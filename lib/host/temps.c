// SPDX-License-Identifier: Apache-2.0
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/host.h"

enum {
	FOLDERS = 1024,		/* zones or chips that are looked at */
	WORD = 128,		/* bytes of a type, label or number */
	PATH = 128,
};

/* ---- Names of the form PREFIX NUMBER ---------------------------------- */

struct numbers {
	unsigned long v[FOLDERS];
	size_t n;
};

static int
by_value(const void *a, const void *b)
{
	unsigned long x = *(const unsigned long *)a;
	unsigned long y = *(const unsigned long *)b;

	return x < y ? -1 : x > y;
}

/* The numbers between prefix and suffix in the names of a folder, sorted. */
static void
list_numbers(const char *root, const char *path, const char *prefix,
    const char *suffix, struct numbers *found)
{
	const struct dirent *e;
	char *full, *end;
	DIR *d;

	found->n = 0;
	if (asprintf(&full, "%s%s", root, path) < 0)
		return;
	d = opendir(full);
	free(full);
	while (d != NULL && found->n < FOLDERS && (e = readdir(d)) != NULL) {
		const char *digits = e->d_name + strlen(prefix);

		if (strncmp(e->d_name, prefix, strlen(prefix)) != 0 ||
		    *digits < '0' || *digits > '9')
			continue;
		found->v[found->n] = strtoul(digits, &end, 10);
		found->n += strcmp(end, suffix) == 0;
	}
	if (d != NULL)
		closedir(d);
	qsort(found->v, found->n, sizeof(*found->v), by_value);
}

/* ---- One sensor ------------------------------------------------------- */

/* The first line of a file; false if there is none. */
static bool
read_word(const char *root, const char *path, char word[WORD])
{
	if (host_read_file(root, path, word, WORD, NULL) < 0)
		return false;
	word[strcspn(word, "\n")] = '\0';
	return word[0] != '\0';
}

/* Thousandths of a degree, as all of /sys has them. */
static bool
read_celsius(const char *root, const char *path, double *celsius)
{
	char word[WORD];
	int64_t v;
	int n = host_read_file(root, path, word, WORD, NULL);

	if (n < 0 || host_parse_number((struct bytes){ (uint8_t *)word,
	    (size_t)n }, &v, NULL) < 0)
		return false;
	*celsius = (double)v / 1000;
	return v >= -100000 && v <= 300000;
}

static void
add(struct host_items *temps, const char *name, double celsius)
{
	struct host_item *t;

	for (size_t i = 0; i < temps->n; i++) {
		t = &temps->item[i];
		if (strcmp(t->name, name) != 0)
			continue;
		if (celsius > t->value)
			t->value = celsius;
		return;
	}
	if (temps->n == HOST_ITEMS)
		return;
	t = &temps->item[temps->n++];
	snprintf(t->name, sizeof(t->name), "%s", name);
	t->value = celsius;
}

/* ---- Thermal zones ---------------------------------------------------- */

/* "soc-thermal" is called soc. */
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
host_read_zones(const char *root, struct host_items *temps)
{
	struct numbers zones;
	char path[PATH], name[WORD];
	double celsius;

	list_numbers(root, ZONES, "thermal_zone", "", &zones);
	for (size_t i = 0; i < zones.n; i++) {
		snprintf(path, sizeof(path), ZONES "/thermal_zone%lu/temp",
		    zones.v[i]);
		if (!read_celsius(root, path, &celsius))
			continue;
		snprintf(path, sizeof(path), ZONES "/thermal_zone%lu/type",
		    zones.v[i]);
		if (!read_word(root, path, name))
			continue;
		cut_suffix(name);
		add(temps, name, celsius);
	}
}

/* ---- Chips ------------------------------------------------------------ */

#define CHIPS "/sys/class/hwmon"

/* The sensors of one chip: temp1_input, and maybe temp1_label. */
static void
read_chip(const char *root, unsigned long chip, struct host_items *temps)
{
	char path[PATH], name[WORD], label[WORD], both[2 * WORD];
	struct numbers sensors;
	double celsius;

	snprintf(path, sizeof(path), CHIPS "/hwmon%lu/name", chip);
	if (!read_word(root, path, name))
		return;
	snprintf(path, sizeof(path), CHIPS "/hwmon%lu", chip);
	list_numbers(root, path, "temp", "_input", &sensors);
	for (size_t i = 0; i < sensors.n; i++) {
		snprintf(path, sizeof(path), CHIPS "/hwmon%lu/temp%lu_input",
		    chip, sensors.v[i]);
		if (!read_celsius(root, path, &celsius))
			continue;
		snprintf(path, sizeof(path), CHIPS "/hwmon%lu/temp%lu_label",
		    chip, sensors.v[i]);
		if (read_word(root, path, label))
			snprintf(both, sizeof(both), "%s/%s", name, label);
		else
			snprintf(both, sizeof(both), "%s", name);
		add(temps, both, celsius);
	}
}

void
host_read_hwmon(const char *root, struct host_items *temps)
{
	struct numbers chips;

	list_numbers(root, CHIPS, "hwmon", "", &chips);
	for (size_t i = 0; i < chips.n; i++)
		read_chip(root, chips.v[i], temps);
}
