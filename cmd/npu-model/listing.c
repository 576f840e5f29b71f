// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "cmd.h"
#include "listing.h"
#include "relative.h"
#include "serving/json_in.h"

/* A file has eight members or so, and one in Git LFS has four more. */
enum { VALUES_MOST = 20 * LISTING_MOST };

/* What the two hubs call the members of a file. */
static const struct member_names {
	const char *type, *file, *path, *size;
} names[] = {
	[HUB_MODELSCOPE] = { "Type", "blob", "Path", "Size" },
	[HUB_HUGGINGFACE] = { "type", "file", "path", "size" },
};

void
listing_free(struct listing *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->file[i].path);
	free(l->file);
	*l = (struct listing){ 0 };
}

const struct listed *
listing_find(const struct listing *l, const char *path)
{
	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->file[i].path, path) == 0)
			return &l->file[i];
	return NULL;
}

static bool
is_text(const struct json_in *v, const char *text)
{
	struct bytes s = json_in_string(v);

	return s.p != NULL && strcmp((const char *)s.p, text) == 0;
}

static int
take_path(char **path, const struct json_in *v, struct npu_err *err)
{
	struct bytes s = json_in_string(v);
	const char *fault;

	if (s.p == NULL)
		return npu_fail(err, NPU_EFORMAT, "the path is %s, not a "
		    "string", json_in_kind_name(v));
	if ((fault = relative_fault((const char *)s.p, s.n)) != NULL)
		return npu_fail(err, NPU_EFORMAT, "the path '%.80s' %s",
		    (const char *)s.p, fault);
	*path = cmd_copy((const char *)s.p);
	return 0;
}

static int
take_size(uint64_t *size, const struct json_in *v, struct npu_err *err)
{
	int64_t n;

	if (!json_in_integer(v, &n) || n < 0)
		return npu_fail(err, NPU_EFORMAT, "the size is not a whole "
		    "number from 0");
	*size = (uint64_t)n;
	return 0;
}

/* Takes a sum if the listing has one. */
static int
take_sum(struct sum *sum, const struct json_in *v, struct npu_err *err)
{
	struct bytes s = json_in_string(v);

	if (json_in_kind(v) <= IN_NULL || (s.p != NULL && s.n == 0))
		return 0;
	if (s.p == NULL || !sum_parse(sum, (const char *)s.p, s.n))
		return npu_fail(err, NPU_EFORMAT, "the sha256 is not a text "
		    "of 64 hexadecimal digits");
	return 0;
}

static int
take_file(struct listed *f, enum hub hub, const struct json_in *v,
    struct npu_err *err)
{
	const struct member_names *is = &names[hub];
	const struct json_in *lfs = json_in_member(v, "lfs");
	int rc;

	if ((rc = take_size(&f->size, json_in_member(v, is->size), err)) < 0)
		return rc;
	rc = hub == HUB_MODELSCOPE ?
	    take_sum(&f->sum, json_in_member(v, "Sha256"), err) :
	    take_sum(&f->sum, json_in_member(lfs, "oid"), err);
	if (rc < 0)
		return rc;
	return take_path(&f->path, json_in_member(v, is->path), err);
}

static int
take_files(struct listing *l, enum hub hub, const struct json_in *files,
    struct npu_err *err)
{
	const size_t n = json_in_length(files);
	const struct json_in *v;
	struct listed f;
	int rc;

	if (n > LISTING_MOST - l->n)
		return npu_fail(err, NPU_EFORMAT, "more than %d files; name "
		    "a folder of the hub", LISTING_MOST);
	l->file = cmd_realloc(l->file, (l->n + n + 1) * sizeof(*l->file));
	for (size_t i = 0; i < n; i++) {
		v = json_in_at(files, i);
		if (json_in_kind(v) != IN_OBJECT)
			return npu_fail(err, NPU_EFORMAT, "file %zu is %s, "
			    "not an object", i + 1, json_in_kind_name(v));
		if (!is_text(json_in_member(v, names[hub].type),
		    names[hub].file))
			continue;
		f = (struct listed){ 0 };
		if ((rc = take_file(&f, hub, v, err)) < 0)
			return npu_prefix(err, rc, "file %zu", i + 1);
		l->file[l->n++] = f;
	}
	return 0;
}

/* Returns the list of files in the document of a hub; NULL with the hub's own
 * words. */
static const struct json_in *
list_of_files(enum hub hub, const struct json_in *v, struct npu_err *err)
{
	const struct json_in *files = v;
	struct bytes why;

	if (hub == HUB_MODELSCOPE)
		files = json_in_member(json_in_member(v, "Data"), "Files");
	if (json_in_kind(files) == IN_LIST)
		return files;
	why = json_in_string(json_in_member(v, "Message"));
	if (why.p == NULL)
		why = json_in_string(json_in_member(v, "error"));
	if (why.p != NULL)
		npu_fail(err, NPU_EFORMAT, "the hub says: %.120s",
		    (const char *)why.p);
	else
		npu_fail(err, NPU_EFORMAT, "no list of files in the hub's "
		    "answer");
	return NULL;
}

int
listing_parse(struct listing *l, enum hub hub, struct bytes json,
    struct npu_err *err)
{
	const struct json_in *files;
	struct json_in *v = json_in_parse(json, VALUES_MOST, err);
	int rc = NPU_EFORMAT;

	if (v == NULL)
		return npu_prefix(err, NPU_EFORMAT, "not a listing");
	if ((files = list_of_files(hub, v, err)) != NULL)
		rc = take_files(l, hub, files, err);
	json_in_free(v);
	return rc;
}
