// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "account.h"

#define BIT(kind) (1u << (kind))
/* A frame that met one of these faults cannot have a result. */
#define SURE (BIT(EXCEPTION) | BIT(COREDUMP) | BIT(SCHEDULE) | BIT(GRID))

const char *const kind_names[KINDS] = {
	[GONE] = "nodevice", [LATE] = "late", [EXCEPTION] = "exception",
	[COREDUMP] = "coredump", [SCHEDULE] = "schedule",
	[ABNORMAL] = "abnormal", [NOMEM] = "nomem", [GRID] = "grid",
};

/* libnpu's messages for them; the first that matches counts. */
static const char *const kind_words[KINDS] = {
	[GONE] = "the device is gone", [LATE] = "no result after ",
	[EXCEPTION] = "(0x11)", [COREDUMP] = "core dump",
	[SCHEDULE] = "(0x37)", [ABNORMAL] = "(0x4)", [NOMEM] = "(0x16)",
	[GRID] = "(0x33)",
};

void
complain(struct account *a, const char *fmt, ...)
{
	va_list ap;

	if (++a->problems > 20)
		return;
	va_start(ap, fmt);
	fputs("soak: ", stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	va_end(ap);
}

void
account_open(struct account *a)
{
	a->right = calloc(a->frames + 1, sizeof(*a->right));
	a->reported = calloc(a->frames + 1, sizeof(*a->reported));
	a->met = calloc(a->frames + 1, sizeof(*a->met));
	if (a->right == NULL || a->reported == NULL || a->met == NULL) {
		fputs("soak: out of memory\n", stderr);
		exit(2);
	}
}

void
account_close(struct account *a)
{
	free(a->right);
	free(a->reported);
	free(a->met);
}

/* ---- Frames written ----------------------------------------------------- */

/* Writes the frame's number, then bytes that all depend on it. */
void
make_frame(uint64_t n, uint8_t *p)
{
	for (unsigned i = 0; i < 8; i++)
		p[i] = (uint8_t)(n >> 8 * i);
	for (unsigned i = 8; i < FRAME; i++)
		p[i] = (uint8_t)(n * (2 * i + 1) >> i % 3 * 8);
}

static uint64_t
number_in(const uint8_t *p)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < 8; i++)
		n |= (uint64_t)(p[i] ^ 0x55) << 8 * i;
	return n;
}

void
account_result(struct account *a, const uint8_t *p)
{
	uint64_t n = number_in(p);
	uint8_t want[FRAME];

	if (n == 0 || n > a->frames) {
		complain(a, "a result after frame %" PRIu64 " does not belong "
		    "to a frame", a->last_right);
		return;
	}
	make_frame(n, want);
	for (unsigned i = 0; i < FRAME; i++)
		want[i] ^= 0x55;
	if (memcmp(p, want, FRAME) != 0)
		complain(a, "frame %" PRIu64 ": a wrong result", n);
	if (n <= a->last_right)
		complain(a, "frame %" PRIu64 ": its result came after "
		    "frame %" PRIu64 "'s", n, a->last_right);
	a->right[n] = true;
	a->last_right = n;
	a->n_right++;
}

static int
kind_of(const char *line)
{
	for (int k = 0; k < KINDS; k++)
		if (strstr(line, kind_words[k]) != NULL)
			return k;
	return -1;
}

void
account_line(struct account *a, const char *line)
{
	const char *at = strstr(line, ": frame ");
	uint64_t n = at == NULL ? 0 : strtoull(at + 8, NULL, 10);
	int k = at == NULL ? -1 : kind_of(at);
	size_t own = strlen(a->program);

	if (strncmp(line, "npu-run: the library says: ", 27) == 0 ||
	    strstr(line, "the device is gone from here on") != NULL)
		return;
	if (strncmp(line, a->program, own) != 0 || line[own] != ':' || k < 0 ||
	    n == 0 || n > a->frames) {
		complain(a, "%s says: %s", a->program, line);
		return;
	}
	if (n <= a->last_reported)
		complain(a, "frame %" PRIu64 " was reported after frame "
		    "%" PRIu64, n, a->last_reported);
	a->reported[n] = (uint8_t)(k + 1);
	a->last_reported = n;
	a->n_reported[k]++;
	/* A missing device ends the run even with -k (npu-run(1)). */
	if (a->end == 0 && (a->stops || k == GONE))
		a->end = n;
}

int
account_status(const struct account *a)
{
	if (a->end != 0 && a->reported[a->end] == GONE + 1)
		return 3;
	return a->last_reported != 0 ? 1 : 0;
}

/* ---- Faults of the emulator --------------------------------------------- */

static void
note(struct account *a, uint64_t frame, enum kind kind)
{
	if (frame == 0 || frame > a->frames) {
		complain(a, "the log has a fault for frame %" PRIu64, frame);
		return;
	}
	a->met[frame] |= (uint16_t)BIT(kind);
	a->n_met[kind]++;
}

static bool
has_no_job(const struct account *a, uint64_t frame)
{
	return a->reported[frame] == NOMEM + 1 ||
	    a->reported[frame] == GRID + 1;
}

/*
 * How far the log was read: the number of calls of infer; the frame of the last
 * of these calls; and a later frame, which did not get a job or which the next
 * call will be for.
 */
struct place {
	uint64_t runs, ran, frame;
};

static void
advance(const struct account *a, struct place *p, uint64_t runs)
{
	for (; p->runs < runs && p->ran < a->frames; p->runs++)
		do
			p->ran++;
		while (p->ran < a->frames && has_no_job(a, p->ran));
	if (p->frame <= p->ran)
		p->frame = p->ran + 1;
}

/*
 * Returns the frame for which a call of create failed.  If there was not enough
 * memory, the frame may have waited, and create is called again for it; or the
 * frame failed, and is reported.  In both cases the next frame is later.
 */
static uint64_t
frame_of_create(const struct account *a, struct place *p, enum kind kind)
{
	while (p->frame < a->frames && has_no_job(a, p->frame) &&
	    (a->met[p->frame] & BIT(a->reported[p->frame] - 1)) != 0 &&
	    (a->reported[p->frame] != kind + 1 ||
	    a->reported[p->frame + 1] == kind + 1))
		p->frame++;
	return p->frame;
}

/* A frame makes one call of infer, or a call of create that failed and is
 * reported; no other call may make it fail. */
static void
note_fault(struct account *a, const char *call, uint64_t runs,
    const char *fault, struct place *place)
{
	bool create = strcmp(call, "create") == 0;
	double ms;

	advance(a, place, runs);
	if (strcmp(fault, kind_names[GONE]) == 0) {
		a->gone = create ? place->frame : place->ran;
		a->gone = a->gone > 0 ? a->gone : 1;
		a->n_met[GONE]++;
		return;
	}
	if (!create && strcmp(call, "infer") != 0)
		return;
	if (sscanf(fault, "delay=%lf", &ms) == 1) {
		if (!create && ms > a->timeout_ms)
			note(a, place->ran, LATE);
		return;
	}
	if (!create && strcmp(fault, "timeout") == 0) {
		note(a, place->ran, LATE);
		a->hung++;
	}
	for (enum kind k = LATE; k < KINDS; k++)
		if (strcmp(fault, kind_names[k]) == 0)
			note(a, create ? frame_of_create(a, place, k) :
			    place->ran, k);
}

static void
read_log(struct account *a, const char *log)
{
	FILE *f = fopen(log, "r");
	char line[200], word[40], last[40];
	struct place place = { 0 };
	uint64_t runs;
	struct made m, *to;

	while (f != NULL && fgets(line, sizeof(line), f) != NULL) {
		if (sscanf(line, "fault %39s %*u %" SCNu64 " %39s", word,
		    &runs, last) == 3 && a->gone == 0)
			note_fault(a, word, runs, last, &place);
		if (sscanf(line, "made %39s %" SCNu64 " %" SCNu64 " %" SCNu64
		    " %" SCNu64, word, &m.made, &m.ended, &m.left,
		    &m.most) != 5)
			continue;
		to = strcmp(word, "job") == 0 ? &a->job :
		    strcmp(word, "graph") == 0 ? &a->graph : &a->context;
		*to = m;
	}
	if (f == NULL)
		complain(a, "%s: no log", log);
	else
		fclose(f);
}

/* ---- Checking at the end ------------------------------------------------ */

/*
 * Returns whether a report is right: the frame met the fault that it names; or
 * the device was gone, which also makes the frames in flight fail; or the query
 * about the frame met another frame's fault.  In the last case there must not
 * be more such reports than faults that were met by this frame, earlier frames
 * and the frames in flight.
 */
static bool
justified(const struct account *a, uint64_t n, enum kind k, uint64_t odd,
    uint64_t odd_met)
{
	if ((a->met[n] & BIT(k)) != 0)
		return true;
	if (a->gone != 0 && n + a->jobs > a->gone)
		return true;
	return k == ABNORMAL && odd <= odd_met;
}

static void
settle_frames(struct account *a)
{
	/* With only one job there is not another job to wait for. */
	unsigned sure = a->jobs > 1 ? SURE : SURE | BIT(NOMEM);
	uint64_t end = a->end != 0 ? a->end : a->frames;
	uint64_t odd = 0, odd_met = 0, ahead = 1;

	for (uint64_t n = 1; n <= a->frames; n++) {
		int k = a->reported[n] - 1;

		for (; ahead <= a->frames && ahead < n + a->jobs; ahead++)
			odd_met += (a->met[ahead] & BIT(ABNORMAL)) != 0;
		odd += k == ABNORMAL;
		if (a->right[n] && k >= 0)
			complain(a, "frame %" PRIu64 ": a result, and reported "
			    "as failed (%s)", n, kind_names[k]);
		if (!a->right[n] && k < 0 && n <= end)
			complain(a, "frame %" PRIu64 ": lost", n);
		if ((a->right[n] || k >= 0) && n > end)
			complain(a, "frame %" PRIu64 ": after the end", n);
		if (k >= 0 && !justified(a, n, (enum kind)k, odd, odd_met))
			complain(a, "frame %" PRIu64 ": reported as failed "
			    "(%s), which it did not", n, kind_names[k]);
		if (a->right[n] && (a->met[n] & sure) != 0)
			complain(a, "frame %" PRIu64 ": a result, and it had "
			    "failed", n);
		if (a->right[n] && a->gone != 0 && n > a->gone)
			complain(a, "frame %" PRIu64 ": a result without a "
			    "device", n);
	}
}

/*
 * A job that hangs is not cleaned, because it may still write to its buffers.
 * If the device is gone, this is unknown, so jobs in flight and late jobs are
 * not cleaned.
 */
static void
settle_jobs(struct account *a)
{
	/* The library also makes a job for which there is not enough memory. */
	uint64_t waits = a->n_met[NOMEM] - a->n_reported[NOMEM];
	uint64_t may_be_left = a->hung + (a->gone != 0 ? 2 * a->jobs : 0);

	if (a->context.made != a->opened || a->context.ended != a->opened ||
	    a->graph.made != a->opened || a->graph.ended != a->opened)
		complain(a, "contexts: %" PRIu64 " of %" PRIu64 " closed; "
		    "graphs: %" PRIu64 " of %" PRIu64 " unloaded",
		    a->context.ended, a->context.made, a->graph.ended,
		    a->graph.made);
	if (a->job.made == 0 || a->job.left > may_be_left)
		complain(a, "jobs: %" PRIu64 " of %" PRIu64 " were never "
		    "cleaned", a->job.left, a->job.made);
	if (a->job.most > 2 * a->jobs)
		complain(a, "%" PRIu64 " jobs at a time", a->job.most);
	if (!a->reuse && !a->stops && a->gone == 0 &&
	    a->job.made != a->frames + waits)
		complain(a, "%" PRIu64 " jobs for %" PRIu64 " frames and "
		    "%" PRIu64 " waits for memory", a->job.made, a->frames,
		    waits);
}

void
account_settle(struct account *a, const char *log)
{
	read_log(a, log);
	settle_frames(a);
	settle_jobs(a);
}
