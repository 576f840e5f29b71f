// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>

#include "base/clock.h"
#include "device.h"
#include "reopening.h"

enum { MOST_PAUSE_S = 30, SECOND = 1000000000 };

void
reopening_failed(struct reopening *r, const char *name,
    const struct npu_err *err)
{
	unsigned pause = r->pause_s > 0 ? r->pause_s : 1;

	r->down = true;
	snprintf(r->reason, sizeof(r->reason), "%.60s: %.300s", name,
	    err->msg);
	r->at = clock_ns() + (uint64_t)pause * SECOND;
	r->pause_s = pause * 2 < MOST_PAUSE_S ? pause * 2 : MOST_PAUSE_S;
}

bool
reopening_is_due(const struct reopening *r)
{
	return r->down && clock_ns() >= r->at;
}

unsigned
reopening_seconds(const struct reopening *r)
{
	uint64_t now = clock_ns();

	return r->at > now ? (unsigned)((r->at - now) / SECOND) + 1 : 1;
}

bool
inference_is_overdue(uint64_t since)
{
	/* 0 stands for 10 s (npu.h). */
	const int32_t ms = cmd_device.timeout_ms != 0 ?
	    cmd_device.timeout_ms : 10000;

	return ms >= 0 && clock_ns() > since + (uint64_t)ms * 1000000;
}
