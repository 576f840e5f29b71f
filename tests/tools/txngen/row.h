/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of instruction streams for tests; txn_rows.h joins them. */
#ifndef TESTS_TOOLS_TXNGEN_ROW_H
#define TESTS_TOOLS_TXNGEN_ROW_H

#include "stream.h"

#define SOUND "0:in:1024 1:out:64"

struct row {
	const char *name;
	void (*fill)(struct stream *s);
	bool as_is;		/* else stream_end() follows fill() */
	const char *buffers;	/* NULL: it is refused */
	const char *says;	/* a part of the message */
	/* Without fill: a transfer in 1 + repeats runs from byte plus of buffer
	 * 0, by descriptor 1, then stream_output(). */
	struct shape shape;
	uint32_t repeats;
	uint64_t plus;
};

/* Each ends with a row without a name. */
extern const struct row transfer_rows[], register_rows[], operation_rows[],
    damage_rows[], file_rows[];

#endif
