/* SPDX-License-Identifier: Apache-2.0 */
/* Collects names in any order, for classnames.c. */
#ifndef VISION_CLASSNAMES_LIST_H
#define VISION_CLASSNAMES_LIST_H

#include "base/buf.h"
#include "vision/classnames.h"

struct classnames_list {
	struct buf text;	/* the names, each with a NUL */
	struct buf entries;	/* struct classnames_entry */
	size_t n;
};

struct classnames_entry {
	uint64_t class;
	size_t at;		/* offset in text */
};

/* Adds the name of a class.  Refuses text that cannot be a name, and more than
 * 65536 names. */
int classnames_list_add(struct classnames_list *l, uint64_t class,
    const char *name, size_t n, struct npu_err *err);
/* Moves the names to *names if each class has a name.  Frees *l in any case. */
int classnames_list_finish(struct classnames_list *l, struct classnames *names,
    struct npu_err *err);
void classnames_list_free(struct classnames_list *l);

#endif
