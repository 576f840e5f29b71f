/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the state of a machine as a line of text or JSON.  The text is
 * suitable as input of a text model. */
#ifndef HOST_STATUS_STATUS_LINE_H
#define HOST_STATUS_STATUS_LINE_H

#include <time.h>

#include "cmd.h"
#include "host/host.h"

struct status_line {
	char name[HOST_NAME];	/* "": unknown */
	double cpu, ram;	/* percent; NAN: unknown */
	double load;		/* NAN: unknown */
	unsigned cpus;		/* processors, which share the load */
	struct host_items temps, disks;
	bool has_disks;		/* the disks are known */
	double smmu;		/* events per second; NAN: unknown */
	time_t time;
};

struct status_line_options {
	bool jsonl;
	bool levels;		/* colours instead of numbers */
};

/* Writes the line as one record. */
void status_line_write(struct output *out, const struct status_line_options *o,
    const struct status_line *line);

#endif
