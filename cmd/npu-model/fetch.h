/* SPDX-License-Identifier: Apache-2.0 */
/* Brings one file: from its part, over its checks, to its name. */
#ifndef NPU_MODEL_FETCH_H
#define NPU_MODEL_FETCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "content.h"
#include "npu.h"
#include "record.h"
#include "sum.h"
#include "transfer.h"

enum fetch_state {
	FETCH_FAILED,
	FETCH_DONE,
	FETCH_HERE,		/* it was here before */
	FETCH_UNTRUSTED,	/* whole, but no sum is known: still a part */
};

struct fetch {
	/* What to bring. */
	char *url;		/* owned */
	char *shown;		/* owned: url without credentials */
	char *file;		/* owned: its path below the folder */
	char *path;		/* owned: FOLDER/FILE */
	bool has_size;
	uint64_t size;
	struct sum sum;		/* that it must have; "": unknown */
	const char *known_by;	/* where size and sum come from, for
				   messages */

	/* The result. */
	enum fetch_state state;
	struct npu_err err;	/* of FETCH_FAILED */
	struct sum got;		/* "" if it failed */
	uint64_t got_size;
	char etag[256];
	struct content content;
	_Atomic uint64_t here;	/* bytes in the part, for progress */
};

struct fetch_options {
	const char *folder;
	const struct record *record;	/* of the folder, before this run */
	bool trust;		/* --trust: no sum is needed */
	bool force;		/* --force: replace another file */
	struct transfer_options transfer;
};

/* Brings the file and sets the second half of *f.  Several threads may call
 * this at a time. */
void fetch_file(struct fetch *f, const struct fetch_options *o);
void fetch_free(struct fetch *f);

#endif
