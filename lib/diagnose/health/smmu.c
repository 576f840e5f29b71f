// SPDX-License-Identifier: Apache-2.0
/* Finds the SMMU's storm of events, which freezes boards (kernel-driver
 * 8.12). */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diagnose/health/impl.h"
#include "host/host.h"
#include "host/kernlog.h"
#include "host/smmu.h"

/* C_BAD_STREAMID (Arm IHI 0070, Event records). */
static const char *const words[] = { "event 0x07", NULL };

/* health_read_log() has reported a log that cannot be read. */
static void
read_line(const struct health_reader *r)
{
	struct host_kernlog *log = malloc(sizeof(*log));
	struct npu_err err;

	if (log == NULL) {
		host_note_error(r->trouble, r->root, "/dev/kmsg", ENOMEM);
		return;
	}
	if (host_read_kernlog(r->root, words, log, &err) == 0)
		for (size_t i = 0; i < log->n; i++)
			if (strstr(log->line[i].text, "smmu") != NULL) {
				strcpy(r->h->log.smmu, log->line[i].text);
				break;
			}
	free(log);
}

void
health_read_smmu(const struct health_reader *r)
{
	static const struct host_smmu start;
	struct host_smmu now;
	double rate;

	read_line(r);
	host_read_smmu(r->root, &now, r->trouble);
	rate = host_smmu_rate(&start, &now);
	if (isnan(rate))
		return;
	health_set_number(r->h, HEALTH_SMMU_EVENTS, now.events);
	health_set_number(r->h, HEALTH_SMMU_RATE, (uint64_t)rate);
}

void
health_check_smmu(const struct health *h, struct health_check *c)
{
	static const char next[] = "git clone " HOST_SMMU_FIX "  # and read "
	    "its README; or update the firmware";
	bool known = health_known(h, HEALTH_SMMU_RATE);
	uint64_t rate = h->fact[HEALTH_SMMU_RATE].number;

	if (known && rate > HOST_SMMU_STORM)
		health_judge(c, HEALTH_WARN, next, "the SMMU's event queue "
		    "interrupts %llu times a second: the firmware's table "
		    "IORT lacks streams, and boards with this freeze after "
		    "hours", (unsigned long long)rate);
	else if (h->log.smmu[0] != '\0')
		health_judge(c, HEALTH_WARN, next, "the firmware's table IORT "
		    "lacks a stream, and boards with this freeze after hours: "
		    "'%s'", h->log.smmu);
	else if (known)
		health_judge(c, HEALTH_OK, "", "%llu events since the start, "
		    "%llu a second", (unsigned long long)
		    h->fact[HEALTH_SMMU_EVENTS].number,
		    (unsigned long long)rate);
	else
		health_judge(c, HEALTH_SKIP, "", "no event queue of an SMMU "
		    "is in /proc/interrupts");
}
