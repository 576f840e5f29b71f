/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a machine as a line: text for a text model, or JSON. */
#ifndef HOST_STATUS_STATUS_LINE_H
#define HOST_STATUS_STATUS_LINE_H

#include <time.h>

#include "cmd.h"
#include "host/host.h"

struct host_line {
	char name[HOST_NAME];	/* "": not known */
	double cpu, ram;	/* percent; NAN: not known */
	double load;		/* NAN: not known */
	unsigned cpus;		/* the load is for all of them */
	struct host_items temps, disks;
	bool has_disks;		/* they are known */
	time_t time;
};

struct line_choice {
	bool jsonl;
	bool levels;		/* colours instead of numbers */
};

/* Written, and flushed if the output is. */
void line_write(struct output *o, const struct line_choice *c,
    const struct host_line *line);

#endif
