/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the names of a detector's classes. */
#ifndef VISION_CLASSNAMES_H
#define VISION_CLASSNAMES_H

#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "npu.h"

enum {
	CLASSNAMES_COCO = 80,
	CLASSNAMES_LONGEST = 255,	/* bytes in a name */
	CLASSNAMES_MAX_FILE = 1 << 24,
};

/* UTF-8 without control characters; no name is empty. */
struct classnames {
	size_t n;
	const char **name;	/* owned; classnames_free() */
	char *text;		/* owned: the names' bytes */
};

/* Returns the number, 1 to 90 with gaps, that COCO's own annotations use for a
 * class, an index into the 80 classes; 0 for other classes. */
uint32_t classnames_coco_category(size_t class);
/* Returns whether these are the 80 classes of COCO with which detectors are
 * trained. */
bool classnames_are_coco(const struct classnames *names);

/* Creates names for n unnamed classes: COCO's for 80, otherwise "class0"... */
int classnames_default(struct classnames *names, size_t n, struct npu_err *err);

/*
 * Reads the text of a file: one name a line, or the "names:" of a YAML file as
 * Ultralytics writes it: a list, or numbers with their names.
 */
int classnames_read(struct classnames *names, struct bytes text,
    struct npu_err *err);

/* Reads Python's literal of a dict or a list, which Ultralytics stores in a
 * model's metadata: "{0: 'person', 1: 'bicycle'}". */
int classnames_literal(struct classnames *names, struct bytes text,
    struct npu_err *err);

void classnames_free(struct classnames *names);

#endif
