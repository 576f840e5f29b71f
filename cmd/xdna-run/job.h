/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a job: a kernel of a container, and an instruction stream. */
#ifndef XDNA_RUN_JOB_H
#define XDNA_RUN_JOB_H

#include "base/buf.h"
#include "buffers.h"
#include "model/xclbin.h"

/* The files, and the options that belong to them. */
struct job_spec {
	const char *container, *stream;	/* paths; "-": stdin */
	const char *kernel;		/* NAME[:INSTANCE]; NULL: the only
					   one */
	struct buffers_option buffers;
	bool ninstr_words;
};

struct job {
	const char *container, *stream;	/* names in messages */
	const char *kernel;		/* the kernel's name */
	struct txn txn;
	struct xdna_job run;

	struct buf container_file, stream_file;
	struct xclbin x;
};

/* Reads both files, and makes all checks that do not need a device; dies if one
 * fails. */
void job_read(struct job *j, const struct job_spec *spec);

/* For --dry-run: describes the job in the file output, or on stdout if it is
 * NULL. */
void job_describe(const struct job *j, const char *output);

#endif
