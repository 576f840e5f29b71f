// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/num.h"
#include "base/utf8.h"
#include "vision/coco_data.h"
#include "vision/classnames_list.h"
#include "vision/yolo.h"

uint32_t
classnames_coco_category(size_t class)
{
	return class < CLASSNAMES_COCO ? coco[class].category : 0;
}

bool
classnames_are_coco(const struct classnames *names)
{
	if (names->n != CLASSNAMES_COCO)
		return false;
	for (size_t i = 0; i < CLASSNAMES_COCO; i++)
		if (strcmp(names->name[i], coco[i].name) != 0)
			return false;
	return true;
}

/* ---- Collecting ------------------------------------------------------- */

/* Returns whether s is one line of text that is safe for a terminal. */
static bool
is_text(const char *s, size_t n)
{
	uint32_t c;
	size_t len;

	for (; n > 0; s += len, n -= len) {
		len = utf8_decode(s, n, &c);
		if (len == 0 || utf8_is_control(c))
			return false;
	}
	return true;
}

int
classnames_list_add(struct classnames_list *l, uint64_t class, const char *name,
    size_t n, struct npu_err *err)
{
	struct classnames_entry e = { class, l->text.n };

	if (n == 0)
		return npu_fail(err, NPU_EFORMAT, "a name is empty");
	if (n > CLASSNAMES_LONGEST)
		return npu_fail(err, NPU_EFORMAT, "a name of %zu bytes is "
		    "longer than %d", n, CLASSNAMES_LONGEST);
	if (!is_text(name, n))
		return npu_fail(err, NPU_EFORMAT, "a name is not UTF-8, or has "
		    "control characters");
	if (l->n == YOLO_MAX_CLASSES)
		return npu_fail(err, NPU_EFORMAT, "more than %d names",
		    YOLO_MAX_CLASSES);
	buf_add(&l->text, name, n);
	buf_add(&l->text, "", 1);
	buf_add(&l->entries, &e, sizeof(e));
	if (l->text.failed || l->entries.failed)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	l->n++;
	return 0;
}

/* Sorts the names by class; each class from 0 on must have a name. */
static int
order_names(const struct classnames_list *l, const char **name,
    struct npu_err *err)
{
	struct classnames_entry e;

	for (size_t i = 0; i < l->n; i++) {
		memcpy(&e, l->entries.p + i * sizeof(e), sizeof(e));
		if (e.class >= l->n)
			return npu_fail(err, NPU_EFORMAT, "%zu name%s "
			    "in all, but one names class %llu", l->n,
			    num_plural(l->n), (unsigned long long)e.class);
		if (name[e.class] != NULL)
			return npu_fail(err, NPU_EFORMAT, "class %llu has two "
			    "names", (unsigned long long)e.class);
		name[e.class] = l->text.p + e.at;
	}
	return 0;
}

int
classnames_list_finish(struct classnames_list *l, struct classnames *names,
    struct npu_err *err)
{
	const char **name = calloc(l->n + 1, sizeof(*name));
	int rc;

	if (name == NULL)
		rc = npu_fail(err, NPU_ESYSTEM, "out of memory");
	else if (l->n == 0)
		rc = npu_fail(err, NPU_EFORMAT, "it has no names");
	else
		rc = order_names(l, name, err);
	if (rc < 0) {
		free(name);
		classnames_list_free(l);
		return rc;
	}
	*names = (struct classnames){ l->n, name, l->text.p };
	l->text = (struct buf){ 0 };
	classnames_list_free(l);
	return 0;
}

void
classnames_list_free(struct classnames_list *l)
{
	buf_free(&l->text);
	buf_free(&l->entries);
	l->n = 0;
}

void
classnames_free(struct classnames *names)
{
	free(names->name);
	free(names->text);
	*names = (struct classnames){ 0 };
}

int
classnames_default(struct classnames *names, size_t n, struct npu_err *err)
{
	struct classnames_list l = { 0 };
	char name[32];
	int rc;

	for (size_t i = 0; i < n; i++) {
		if (n == CLASSNAMES_COCO)
			snprintf(name, sizeof(name), "%s", coco[i].name);
		else
			snprintf(name, sizeof(name), "class%zu", i);
		rc = classnames_list_add(&l, i, name, strlen(name), err);
		if (rc < 0) {
			classnames_list_free(&l);
			return rc;
		}
	}
	return classnames_list_finish(&l, names, err);
}
