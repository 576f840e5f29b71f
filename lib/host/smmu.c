// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>

#include "host/host.h"
#include "host/smmu.h"

enum { INTERRUPTS_SIZE = 1 << 20 };

static bool
read_events(const char *root, uint64_t *events, struct npu_err *trouble)
{
	struct npu_err err;
	char *text;
	int n = host_load_file(root, "/proc/interrupts", INTERRUPTS_SIZE,
	    &text, &err);
	bool found = n >= 0 && host_parse_interrupts((struct bytes){
	    (uint8_t *)text, (size_t)n }, "arm-smmu-v3-evtq", events,
	    NULL) == 0;

	if (n < 0)
		host_note(trouble, &err);
	free(text);
	return found;
}

static bool
read_uptime(const char *root, double *seconds, struct npu_err *trouble)
{
	struct npu_err err;
	char text[128];
	int n = host_read_file(root, "/proc/uptime", text, sizeof(text),
	    &err);

	if (n < 0)
		host_note(trouble, &err);
	return n >= 0 && host_parse_uptime((struct bytes){ (uint8_t *)text,
	    (size_t)n }, seconds, NULL) == 0;
}

void
host_read_smmu(const char *root, struct host_smmu *s, struct npu_err *trouble)
{
	struct host_smmu now = { .known = true };

	s->known = false;
	if (read_events(root, &now.events, trouble) &&
	    read_uptime(root, &now.seconds, trouble))
		*s = now;
}

double
host_smmu_rate(const struct host_smmu *a, const struct host_smmu *b)
{
	static const struct host_smmu start;

	if (!b->known)
		return NAN;
	if (!a->known || b->events < a->events || b->seconds <= a->seconds)
		a = &start;
	if (b->seconds <= 0)
		return NAN;
	return (double)(b->events - a->events) / (b->seconds - a->seconds);
}
