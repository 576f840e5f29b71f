/* SPDX-License-Identifier: Apache-2.0 */
/* Sets the fields that identify a container in its header: time, version,
 * uuid. */
#ifndef XCLBIN_PACK_STAMP_H
#define XCLBIN_PACK_STAMP_H

#include "draft.h"
#include "inputs.h"

struct stamp {
	bool has_time, has_version, has_uuid;
	uint64_t time;		/* seconds since 1970 */
	uint8_t major, minor;
	uint16_t patch;
	uint8_t uuid[16];
	bool keep_uuid;		/* --skip-uuid-insertion */
};

/* Parse options' arguments; a wrong argument is a usage error. */
void stamp_parse_version(struct stamp *s, const char *arg);
void stamp_parse_uuid(struct stamp *s, const char *option, const char *digits);
/* Sets the time from SOURCE_DATE_EPOCH, unless an option has set it. */
void stamp_environment(struct stamp *s);

/*
 * Sets the header's fields to the values in *s.  If *s does not have a time or
 * a version: in a header that was read from a file, the field is kept; in a new
 * header (fresh), the time is the newest time of the inputs, and the version is
 * the version of xclbinutil whose files are the same as ours.  The uuid is
 * computed from the sections, unless *s has a uuid or keep_uuid is set.
 */
void stamp_header(const struct stamp *s, bool fresh, const struct inputs *in,
    struct draft *c);

#endif
