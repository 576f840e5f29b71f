/* SPDX-License-Identifier: Apache-2.0 */
/* The names of a detector's classes. */
#ifndef VISION_CLASSNAMES_H
#define VISION_CLASSNAMES_H

#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "npu.h"

enum {
	CLASSNAMES_COCO = 80,
	CLASSNAMES_LONGEST = 255,	/* bytes of one */
	CLASSNAMES_MAX_FILE = 1 << 24,
};

/* UTF-8 without control characters, none empty. */
struct classnames {
	size_t n;
	const char **name;	/* owned; classnames_free() */
	char *text;		/* owned: what they point to */
};

/* The number of one of COCO's 80 classes in COCO's own annotations, 1 to 90
 * with gaps; 0: it is none of them. */
uint32_t classnames_coco_category(size_t class);
/* Whether these are the 80 classes of COCO that detectors are trained with. */
bool classnames_are_coco(const struct classnames *names);

/* Names for n classes without names: COCO's for 80, else "class0"... */
int classnames_default(struct classnames *names, size_t n, struct npu_err *err);

/*
 * Reads the text of a file: a name a line, or the "names:" of a YAML file as
 * Ultralytics writes it, a list or numbers with their names.
 */
int classnames_read(struct classnames *names, struct bytes text,
    struct npu_err *err);

/* Reads Python's literal of a dict or a list, as Ultralytics puts it into a
 * model's metadata: "{0: 'person', 1: 'bicycle'}". */
int classnames_literal(struct classnames *names, struct bytes text,
    struct npu_err *err);

void classnames_free(struct classnames *names);

#endif
