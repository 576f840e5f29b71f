// SPDX-License-Identifier: Apache-2.0
/* The times at which progress is shown.  The test has its own clock. */
#include <string.h>
#include <time.h>

#include "cmd.h"
#include "progress.h"
#include "stderr_text.h"
#include "tap.h"

#define MS UINT64_C(1000000)

const struct program program = { .name = "unasked" };

static uint64_t now = 12345 * MS;

/* Replaces the C library's function. */
int
clock_gettime(clockid_t clock, struct timespec *t)
{
	(void)clock;
	*t = (struct timespec){ .tv_sec = (time_t)(now / (1000 * MS)),
	    .tv_nsec = (long)(now % (1000 * MS)) };
	return 0;
}

int
isatty(int fd)
{
	(void)fd;
	return 1;
}

/* Updates every 10 ms for 'seconds' seconds; the printed text is in said. */
static void
run_for(unsigned seconds, uint64_t total)
{
	said_begin();
	progress_begin("texts", total);
	for (unsigned i = 0; i <= seconds * 100; i++) {
		progress_update(i);
		now += 10 * MS;
	}
	progress_end();
	said_end();
}

/* Does 3 steps of 20 s, of which 16 s were expected. */
static void
run_steps(void)
{
	said_begin();
	progress_begin("runs", 0);
	progress_total(3);
	progress_expect(48 * 1000 * MS);
	for (unsigned i = 0; i < 3; i++) {
		for (unsigned j = 0; j < 40; j++) {
			progress_tick();
			now += 500 * MS;
		}
		progress_update(i + 1);
	}
	progress_end();
	said_end();
}

static unsigned
count(const char *text)
{
	unsigned n = 0;

	for (const char *s = said; (s = strstr(s, text)) != NULL; s++)
		n++;
	return n;
}

static void
run_long(void)
{
	run_steps();
	ok(strstr(said, "0 of 3 runs, 0:47 left") != NULL &&
	    count("0 of 3 runs, 0:29 left") > 0 && count("0 of 3 runs,") == 38,
	    "within a step, the time left is counted down");
	ok(count("1 of 3 runs, 3.0/min, 0:40 left") == 2 &&
	    count("2 of 3 runs, 3.0/min, ") == 40 &&
	    count(", 0:01 left") > 0,
	    "after a step, the time left follows from how long it took");
	said_begin();
	progress_begin("runs", 1);
	progress_expect(3000 * MS);
	for (unsigned j = 0; j < 10; j++) {
		progress_tick();
		now += 500 * MS;
	}
	progress_end();
	said_end();
	ok(count("0 of 1 run, 0:01 left") > 0 &&
	    count("0 of 1 run, 0:04 so far") == 2,
	    "a step that takes longer than expected shows its time so far");
}

int
main(void)
{
	run_for(0, 0);
	ok(said[0] == '\0', "at the beginning, no progress is shown");
	run_for(10, 0);
	ok(count(" texts, ") == 37 && strstr(said, "100 texts, 100.0/s") ==
	    strpbrk(said, "0123456789"),
	    "on a terminal, progress is shown after a second, four times a "
	    "second: %u",
	    count(" texts, "));
	run_for(10, 4000);
	ok(strstr(said, "100 of 4000 texts, 100.0/s, 0:39 left") != NULL,
	    "with a known total, progress shows the time left");
	run_long();
	progress_option(PROGRESS_OPTION, "always");
	run_for(45, 0);
	ok(count("\n") == 4 && count("unasked: 1000 texts, 100.0/s\n") == 1 &&
	    count("unasked: 4000 texts, 100.0/s\n") == 1,
	    "--progress=always prints a line every ten seconds");
	progress_option(PROGRESS_OPTION, "never");
	run_for(45, 0);
	ok(said[0] == '\0', "--progress=never prints no progress");
	progress_option(PROGRESS_OPTION, "auto");
	cmd_quiet = true;
	run_for(45, 0);
	ok(said[0] == '\0', "--quiet prints no progress");
	return done();
}
