// SPDX-License-Identifier: Apache-2.0
/* Durations and numbers that users type; the text of NaN. */
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
	/* Milliseconds are rounded up: no wait is shorter than asked for. */
	{ "250us", 250000, 1 },
	{ "0.1ms", 100000, 1 },
	{ "100.01ms", 100010000, 101 },
	{ "0", 0, -2 },
	{ "0ms", 0, -2 },
	{ "none", -1, -1 },
	{ "", -1, -2 },
	{ "ms", -1, -2 },
	{ "-1s", -1, -2 },
	{ "1h", -1, -2 },
	{ "1 s", -1, -2 },
	{ "0x10s", -1, -2 },
	{ "nan", -1, -2 },
	{ "inf", -1, -2 },
	{ "35791min", 35791ll * 60 * 1000000000, 2147460000 },
	{ "35792min", -1, -2 },
	{ "1e300s", -1, -2 },
};

/* As users type them; NAN: not a number from -100 to 100. */
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

static void
plain_numbers(void)
{
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		int64_t v = -1000;
		int rc = num_int(numbers[i].text, -100, 100, &v, NULL);

		ok(isnan(numbers[i].v) ? rc == NPU_EUSAGE && v == -1000 :
		    rc == 0 && v == (int64_t)numbers[i].v, "'%s', whole",
		    numbers[i].text);
	}
	for (size_t i = 0; i < sizeof(fractions) / sizeof(*fractions); i++) {
		double v = -1000;
		int rc = num_double(fractions[i].text, -100, 100, &v, NULL);

		ok(isnan(fractions[i].v) ? rc == NPU_EUSAGE : rc == 0 &&
		    v == fractions[i].v, "'%s'", fractions[i].text);
	}
}

/* (NaN is not equal to the number read back) */
static void
not_a_number(void)
{
	char text[40];

	num_format_double(NAN, text, sizeof(text));
	ok(strcmp(text, "nan") == 0, "NaN: %s", text);
}

int
main(void)
{
	plain_numbers();
	not_a_number();
	for (size_t i = 0; i < sizeof(durations) / sizeof(*durations); i++) {
		const char *s = durations[i].text;
		struct npu_err err = { 0 };
		int64_t ns = -1;
		int32_t ms = -2;

		ok(num_duration_ns(s, &ns, &err) == (durations[i].ns < 0 ?
		    NPU_EUSAGE : 0) && ns == durations[i].ns, "'%s' in ns", s);
		ok(num_duration_ms(s, &ms, &err) == (durations[i].ms == -2 ?
		    NPU_EUSAGE : 0) && ms == durations[i].ms, "'%s' in ms", s);
	}
	return done();
}
