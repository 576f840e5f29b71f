// SPDX-License-Identifier: Apache-2.0
/* Reads durations, sizes and numbers as users type them, and prints NaN. */
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "tap.h"

static const struct {
	const char *text;
	int64_t ns;		/* -1: invalid */
	int32_t ms;		/* -2: invalid */
} durations[] = {
	{ "500ms", 500000000, 500 },
	{ "10s", 10000000000, 10000 },
	{ "2min", 120000000000, 120000 },
	{ "1.5", 1500000000, 1500 },
	/* Milliseconds are rounded up: a wait is never shorter than
	 * requested. */
	{ "250us", 250000, 1 },
	{ "0.1ms", 100000, 1 },
	{ "100.01ms", 100010000, 101 },
	{ "0", 0, -2 },
	{ "0ms", 0, -2 },
	{ "none", -1, -1 },
	{ "", -1, -2 },
	{ "ms", -1, -2 },
	{ "-1s", -1, -2 },
	{ "1h", 3600ll * 1000000000, 3600000 },
	{ "0.5h", 1800ll * 1000000000, 1800000 },
	{ "24d", 24 * 86400ll * 1000000000, 24 * 86400000 },
	{ "25d", -1, -2 },
	{ "1H", -1, -2 },
	{ "1hd", -1, -2 },
	{ "1 s", -1, -2 },
	{ "0x10s", -1, -2 },
	{ "nan", -1, -2 },
	{ "inf", -1, -2 },
	{ "35791min", 35791ll * 60 * 1000000000, 2147460000 },
	{ "35792min", -1, -2 },
	{ "1e300s", -1, -2 },
};

/* Numbers as users type them.  NAN: not a number from -100 to 100. */
static const struct {
	const char *text;
	double v;
} numbers[] = {
	{ "0", 0 }, { "-7", -7 }, { "+7", 7 }, { "100", 100 },
	{ "0x1f", 31 }, { "0X1F", 31 }, { "-0x10", -16 },
	{ "", NAN }, { "-", NAN }, { "+", NAN }, { "x", NAN }, { " 1", NAN },
	{ "1 ", NAN }, { "1.5", NAN }, { "0x", NAN }, { "0xg", NAN },
	{ "101", NAN }, { "-101", NAN }, { "99999999999999999999", NAN },
}, fractions[] = {
	{ "0", 0 }, { ".5", .5 }, { "-.5", -.5 }, { "+1e1", 10 },
	{ "0.25", .25 }, { "", NAN }, { ".", NAN }, { "-", NAN },
	{ "1e999", NAN }, { "0x1", NAN }, { "0X1", NAN }, { "-0x1", NAN },
	{ "nan", NAN }, { "inf", NAN }, { "1,5", NAN }, { "101", NAN },
	{ "-101", NAN }, { " 1", NAN },
};

/* Sizes.  -1: not a size from 1 to 10^12. */
static const struct {
	const char *text;
	int64_t v;
} sizes[] = {
	{ "1", 1 }, { "100000000", 100000000 }, { "1e8", 100000000 },
	{ "0x10", 16 }, { "100M", 100000000 }, { "1k", 1000 },
	{ "1.5k", 1500 }, { "16.1k", 16100 }, { "2.01k", 2010 },
	{ "2.03k", 2030 }, { "1G", 1000000000 }, { "1KiB", 1024 },
	{ "64MiB", 67108864 }, { "0.5GiB", 536870912 },
	{ "1000G", 1000000000000 }, { "1001G", -1 }, { "0", -1 },
	{ "0k", -1 }, { "-1k", -1 }, { "1.5", -1 }, { "0.5", -1 },
	{ "1.0005k", -1 },
	{ "1.1000000001k", -1 }, { "1K", -1 }, { "1m", -1 }, { "1 k", -1 },
	{ "1kB", -1 }, { "k", -1 }, { "", -1 }, { "0x1k", -1 },
	{ "1e300G", -1 }, { "nan", -1 }, { "infM", -1 },
	{ "9007199254740993k", -1 },
};

static void
plain_sizes(void)
{
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct npu_err err = { .msg = "" };
		int64_t v = -1;
		int rc = num_size(sizes[i].text, 1, 1000000000000, &v, &err);

		ok(v == sizes[i].v && rc == (v < 0 ? NPU_EUSAGE : 0) &&
		    (v < 0) == (strstr(err.msg, "100M") != NULL), "'%s' is "
		    "read or refused as a size", sizes[i].text);
	}
}

static void
plain_numbers(void)
{
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		int64_t v = -1000;
		int rc = num_int(numbers[i].text, -100, 100, &v, NULL);

		ok(isnan(numbers[i].v) ? rc == NPU_EUSAGE && v == -1000 :
		    rc == 0 && v == (int64_t)numbers[i].v,
		    "'%s' is read or refused as an integer",
		    numbers[i].text);
	}
	for (size_t i = 0; i < sizeof(fractions) / sizeof(*fractions); i++) {
		double v = -1000;
		int rc = num_double(fractions[i].text, -100, 100, &v, NULL);

		ok(isnan(fractions[i].v) ? rc == NPU_EUSAGE : rc == 0 &&
		    v == fractions[i].v,
		    "'%s' is read or refused as a fraction", fractions[i].text);
	}
}

/* Compares texts, because NaN is not equal to the number that is read back. */
static void
not_a_number(void)
{
	char text[40];

	num_format_double(NAN, text, sizeof(text));
	ok(strcmp(text, "nan") == 0, "a double NaN is printed as nan: %s",
	    text);
	num_format_double(copysign(NAN, -1), text, sizeof(text));
	ok(strcmp(text, "nan") == 0, "a negative double NaN is printed as nan: "
	    "%s", text);
	num_format_float(copysignf(NAN, -1), text, sizeof(text));
	ok(strcmp(text, "nan") == 0, "a negative float NaN is printed as nan: "
	    "%s", text);
}

int
main(void)
{
	plain_numbers();
	plain_sizes();
	not_a_number();
	for (size_t i = 0; i < sizeof(durations) / sizeof(*durations); i++) {
		const char *s = durations[i].text;
		struct npu_err err = { 0 };
		int64_t ns = -1;
		int32_t ms = -2;

		ok(num_duration_ns(s, &ns, &err) == (durations[i].ns < 0 ?
		    NPU_EUSAGE : 0) && ns == durations[i].ns,
		    "'%s' is read or refused as nanoseconds", s);
		ok(num_duration_ms(s, &ms, &err) == (durations[i].ms == -2 ?
		    NPU_EUSAGE : 0) && ms == durations[i].ms,
		    "'%s' is read or refused as milliseconds", s);
	}
	return done();
}
