/* SPDX-License-Identifier: Apache-2.0 */
/* What identifies a container in its header: time, version, uuid. */
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

/* Parse options' arguments; die of wrong usage. */
void stamp_parse_version(struct stamp *s, const char *arg);
void stamp_parse_uuid(struct stamp *s, const char *option, const char *digits);
/* Takes the time of SOURCE_DATE_EPOCH, if there is none yet. */
void stamp_environment(struct stamp *s);

/*
 * Sets the header's fields.  fresh: the header is not from a file, which keeps
 * what s does not have; the time is then the newest of the inputs, the version
 * that of the xclbinutil whose files ours are equal to.  The uuid is made from
 * the sections, unless s has or keeps one.
 */
void stamp_header(const struct stamp *s, bool fresh, const struct inputs *in,
    struct draft *c);

#endif
