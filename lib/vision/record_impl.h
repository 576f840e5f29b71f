/* SPDX-License-Identifier: Apache-2.0 */
/* Parses and checks the JSON of one record. */
#ifndef VISION_RECORD_IMPL_H
#define VISION_RECORD_IMPL_H

#include "vision/record.h"

struct parsed {
	void *root;			/* json_t; owned */
	struct annotation *found;	/* owned */
};

/* Parses text to *record, except its number.  *p must be zero before the first
 * call; *record is valid as long as *p. */
int parsed_read(struct parsed *p, struct bytes text,
    struct detection_record *record, struct npu_err *err);
void parsed_free(struct parsed *p);

#endif
