/* SPDX-License-Identifier: Apache-2.0 */
/* What is to run: a kernel of a container, and an instruction stream. */
#ifndef XDNA_RUN_JOB_H
#define XDNA_RUN_JOB_H

#include "base/buf.h"
#include "buffers.h"
#include "model/xclbin.h"

/* The files, and what options say about them. */
struct job_spec {
	const char *container, *stream;	/* paths; "-": stdin */
	const char *kernel;		/* NAME[:INSTANCE]; NULL: the only
					   one */
	struct buffers_option buffers;
	bool ninstr_words;
};

struct job {
	const char *container, *stream;	/* names in messages */
	const char *kernel;		/* its name */
	struct txn txn;
	struct xdna_job run;

	struct buf container_file, stream_file;
	struct xclbin x;
};

/* Reads both files, and checks all that can be checked without a device;
 * dies. */
void job_read(struct job *j, const struct job_spec *spec);

/* --dry-run: writes what would run to output; NULL: stdout. */
void job_describe(const struct job *j, const char *output);

#endif
