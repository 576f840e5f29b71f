/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of instruction streams for tests; txn_rows.h joins them. */
#ifndef TESTS_TOOLS_TXNGEN_ROW_H
#define TESTS_TOOLS_TXNGEN_ROW_H

#include "stream.h"

#define SOUND "0:in:1024 1:out:64"

struct row {
	const char *name;
	void (*fill)(struct stream *s);
	bool as_is;		/* if not, stream_end() follows fill() */
	const char *buffers;	/* NULL: the stream is refused */
	const char *says;	/* part of the message */
	/* Without fill: descriptor 1 transfers 1 + repeats runs of this shape
	 * from buffer 0, starting at byte plus; then stream_output(). */
	struct shape shape;
	uint32_t repeats;
	uint64_t plus;
};

/* Each array ends with a row without a name. */
extern const struct row transfer_rows[], register_rows[], operation_rows[],
    damage_rows[], file_rows[];

#endif
