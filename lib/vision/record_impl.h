/* SPDX-License-Identifier: Apache-2.0 */
/* One record: its JSON, checked. */
#ifndef VISION_RECORD_IMPL_H
#define VISION_RECORD_IMPL_H

#include "vision/record.h"

struct parsed {
	void *root;			/* json_t; owned */
	struct annotation *found;	/* owned */
};

/* Parses text to *record, except its number; it lives as long as *p, which is
 * zeroed before. */
int parsed_read(struct parsed *p, struct bytes text,
    struct detection_record *record, struct npu_err *err);
void parsed_free(struct parsed *p);

#endif
