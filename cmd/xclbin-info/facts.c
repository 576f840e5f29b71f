// SPDX-License-Identifier: Apache-2.0
/* facts.c - what both forms of output show in the same way. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "info.h"

void
info_created(const struct axlf *a, char text[32])
{
	/* The last second of the year 9999. */
	const uint64_t last = 253402300799u;
	time_t t = (time_t)a->time;
	struct tm tm;

	if (a->time == 0 || a->time > last || gmtime_r(&t, &tm) == NULL ||
	    strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &tm) == 0)
		*text = '\0';
}

bool
info_number(const char *text, uint64_t *number)
{
	return text != NULL && *text != '\0' && dpu_number(text, number, NULL);
}

void
info_instances(const struct info_file *f, const struct dpu_kernel *k,
    void (*fn)(void *arg, const char *instance), void *arg)
{
	for (uint32_t i = 0; k->name != NULL && i < f->x.ips.n; i++) {
		struct axlf_ip ip = axlf_ip(&f->x.ips, i);

		if (axlf_ip_is_of(&ip, k->name))
			fn(arg, strchr(ip.name, ':') + 1);
	}
}

bool
info_label(const struct axlf_section *s, struct bytes *label)
{
	struct axlf_partition p;

	return s->kind == AXLF_AIE_PARTITION && s->whole &&
	    axlf_partition_read(&p, s->data, NULL) == 0 &&
	    axlf_text(&p, p.name_at, label);
}
