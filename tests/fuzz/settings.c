// SPDX-License-Identifier: Apache-2.0
/*
 * NPU_EMU_... variables, as lines of NAME=VALUE.  Each mistake is reported;
 * accepted values are within bounds, and a fault affects the calls that its
 * rule names.
 */
#include <stdio.h>

#include "../../lib/emu/settings.c"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

bool emu_noise_on;
static unsigned reported;

void
emu_message(const char *fmt, ...)
{
	(void)fmt;
	reported++;
}

/* Replaces the emulator's log, which is tested elsewhere. */
bool
log_open(const char *path)
{
	errno = EACCES;
	return *path == 'y';
}

void
log_delay(const char *call, uint64_t n, uint64_t runs, int64_t delay)
{
	if (call == NULL || n == 0 || runs > n + 64 || delay < 0)
		abort();
}

void
log_fault(const char *call, uint64_t n, uint64_t runs, const char *fault)
{
	if (call == NULL || n == 0 || runs > n + 64 || fault == NULL)
		abort();
}

static void
check_settings(const struct emu_settings *s)
{
	if (s->partitions > 4 || s->clusters < 1 || s->clusters > 8 ||
	    s->cores < 1 || s->cores > 16 || n_rules > MAX_RULES)
		abort();
	for (size_t i = 0; i < EMU_CALLS; i++)
		if (s->ns[i] < 0 || s->ns[i] > (int64_t)(MAX_MS * 1e6))
			abort();
}

static void
check_rules(void)
{
	for (size_t i = 0; i < n_rules; i++) {
		struct rule *r = &rules[i];

		if (r->call >= EMU_CALLS || r->fault >= EMU_FAULTS ||
		    r->delay < 0 || (r->one_in == 0 && (r->from < 1 ||
		    r->to < r->from)) || (r->fault != EMU_NO_FAULT &&
		    (call_names[r->call].faults & BIT(r->fault)) == 0))
			abort();
		r->delay = 0;		/* do not wait here */
	}
}

/*
 * Makes calls 1 to 8 of each kind.  If there is only one rule, it selects
 * exactly the calls that it names.
 */
static void
call_all(void)
{
	memset(emu_settings.ns, 0, sizeof(emu_settings.ns));
	for (int c = 0; c < EMU_CALLS; c++)
		atomic_store(&calls[c], 0);
	for (int c = 0; c < EMU_CALLS; c++) {
		for (uint64_t n = 1; n <= 8; n++) {
			const struct rule *r = &rules[0];
			enum emu_fault f;

			f = emu_call_fault((enum emu_call)c, NULL);
			if (n_rules == 1 && r->one_in == 0 &&
			    r->fault != EMU_NO_FAULT && (f == r->fault) !=
			    ((int)r->call == c && n >= r->from && n <= r->to))
				abort();
		}
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	char *text = malloc(n + 1), *rest = text, *one, *value, name[64];

	memcpy(text, p, n);
	text[n] = '\0';
	emu_settings = (struct emu_settings){ .partitions = 1, .clusters = 1,
	    .cores = 3 };
	n_rules = reported = 0;
	memset(rules, 0, sizeof(rules));
	invalid = false;
	while ((one = strsep(&rest, "\n")) != NULL) {
		if ((value = strchr(one, '=')) != NULL)
			*value++ = '\0';
		snprintf(name, sizeof(name), "NPU_EMU_%.50s", one);
		read_setting(name, value != NULL ? value : "");
	}
	if (invalid != (reported > 0))
		abort();
	check_settings(&emu_settings);
	check_rules();
	call_all();
	free(text);
	return 0;
}
