/* SPDX-License-Identifier: Apache-2.0 */
/* What a detector's classes are called. */
#ifndef VISION_NAMES_H
#define VISION_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "npu.h"

enum {
	NAMES_COCO = 80,
	NAMES_LONGEST = 255,	/* bytes of one */
	NAMES_MAX_FILE = 1 << 24,
};

/* UTF-8 without control characters, none empty. */
struct names {
	size_t n;
	const char **name;	/* owned, and what it points to; names_free() */
	char *text;		/* owned */
};

/* The 80 classes of COCO that detectors are trained with. */
const char *names_coco(size_t class);
/* Their numbers in COCO's own annotations, 1 to 90 with gaps. */
uint32_t names_coco_category(size_t class);
/* Whether these are COCO's 80. */
bool names_are_coco(const struct names *names);

/* Names for n classes that nobody has named: COCO's for 80, else "class0"... */
int names_default(struct names *names, size_t n, struct npu_err *err);

/*
 * The text of a file: a name a line, or the "names:" of a YAML file as
 * Ultralytics writes it, a list or numbers with their names.
 */
int names_read(struct names *names, struct bytes text, struct npu_err *err);

/* Python's literal of a dict or a list, as Ultralytics puts it into a model's
 * metadata: "{0: 'person', 1: 'bicycle'}". */
int names_literal(struct names *names, struct bytes text,
    struct npu_err *err);

void names_free(struct names *names);

#endif
