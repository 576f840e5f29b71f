// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "archive_writer.h"
#include "base/err.h"
#include "base/num.h"
#include "base/utf8.h"
#include "tensor/npy.h"
#include "tensor/npz.h"
#include "tensor/safetensors.h"

/* Limit for an archive's elements, which are in memory.  With its headers it
 * stays below the 4 GiB of a zip archive without extensions. */
#define ARCHIVE_MOST ((uint64_t)1 << 30)

static const char *
format_name(const struct archive_writer *w)
{
	return w->npz ? "npz" : "safetensors";
}

static _Noreturn void
too_large(const struct stream *s)
{
	cmd_die("%s: more than 1 GiB; an archive is kept in memory until its "
	    "end", s->name);
}

/* ---- Names ------------------------------------------------------------ */

/* Checks for a name that both formats can store unchanged.  A name that fills
 * its buffer may have been cut. */
static bool
is_name(const struct archive_writer *w, const char *name)
{
	size_t n = strlen(name), len;
	uint32_t c;

	if (n == NPU_MAX_NAME - 1 || strpbrk(name, "\"\\") != NULL ||
	    (!w->npz && strcmp(name, "__metadata__") == 0))
		return false;
	for (; n > 0; n -= len, name += len)
		if ((len = utf8_decode(name, n, &c)) == 0 ||
		    utf8_is_control(c))
			return false;
	return true;
}

/* Returns the tensor's own name, or the next name of --tensor-names. */
static void
take_name(struct archive_writer *w, const struct stream *s,
    struct npu_tensor *t)
{
	const char *name = t->name;

	if (w->names != NULL) {
		name = strsep(&w->names, ",");
		w->given++;
	}
	if (*name == '\0')
		cmd_die("%s: frame %" PRIu64 ", tensor %u has no name; "
		    "--tensor-names gives it one", s->name, s->frame,
		    s->label.index);
	if (strlen(name) >= NPU_MAX_NAME || !is_name(w, name))
		cmd_die("%s: frame %" PRIu64 ", tensor %u: '%s' cannot be a "
		    "name in a %s file", s->name, s->frame, s->label.index,
		    name, format_name(w));
	if (name != t->name)
		snprintf(t->name, sizeof(t->name), "%s", name);
}

static int
by_name(const void *a, const void *b)
{
	const struct npu_tensor *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

static void
check_names(const struct archive_writer *w, const struct npu_tensor *t,
    size_t n)
{
	const struct npu_tensor **sorted = cmd_alloc((n + 1) *
	    sizeof(*sorted));
	size_t left = 0;

	for (size_t i = 0; i < n; i++)
		sorted[i] = &t[i];
	qsort(sorted, n, sizeof(*sorted), by_name);
	for (size_t i = 1; i < n; i++)
		if (by_name(&sorted[i - 1], &sorted[i]) == 0)
			cmd_die("'%s' is there twice; --tensor-names "
			    "gives other names", sorted[i]->name);
	free(sorted);
	if (w->names == NULL)
		return;
	for (const char *p = w->names; p != NULL; p = strchr(p + 1, ','))
		left++;
	cmd_die("--tensor-names: %zu name%s for %zu tensor%s", w->given + left,
	    num_plural(w->given + left), n, num_plural(n));
}

/* ---- Tensors ---------------------------------------------------------- */

/* Prints a note about the first scale that the file cannot store. */
static void
note_scale(const struct archive_writer *w, const struct npu_tensor *t)
{
	static bool noted;

	if (noted || (t->scale == 1 && t->zero_point == 0) ||
	    npu_dtype_is_float(t->dtype))
		return;
	cmd_note("scale %.9g and zero point %d are not kept in .%s",
	    (double)t->scale, t->zero_point, format_name(w));
	noted = true;
}

void
archive_writer_add(struct archive_writer *w, struct stream *s,
    const struct npu_label *l, const void *elements)
{
	struct npu_label whole = *l;
	struct npu_tensor *t = &whole.tensor;
	uint8_t label[NPU_LABEL_SIZE];
	size_t before = w->data.n;
	struct npu_err err;

	take_name(w, s, t);
	if (!s->open_end && t->size > ARCHIVE_MOST - before)
		too_large(s);
	if (elements != NULL)
		buf_add(&w->data, elements, t->size);
	else if (stream_read_all(s, &w->data, &err) < 0)
		cmd_die_err(s->name, &err);
	cmd_check_buf(&w->data);
	if (w->data.n > ARCHIVE_MOST)
		too_large(s);
	t->size = w->data.n - before;
	if (npu_label_encode(&whole, label, &err) < 0)
		cmd_die_err(s->name, &err);
	note_scale(w, t);
	buf_add(&w->tensors, t, sizeof(*t));
	cmd_check_buf(&w->tensors);
}

/* ---- Files ------------------------------------------------------------ */

/* Adds a member: its header, the header of its array, its elements; and its
 * entry in the directory. */
static void
put_member(struct output *o, const struct npu_tensor *t, const char *elements,
    uint64_t *at, struct buf *directory)
{
	struct buf head = { 0 }, npy = { 0 };
	struct npz_member m = { .offset = *at };
	struct npu_err err;

	if (npy_encode(t, &npy, &err) < 0)
		cmd_die_err(NULL, &err);
	memcpy(m.name, t->name, sizeof(m.name));
	m.size = npy.n + t->size;
	m.crc = npz_crc(npz_crc(0, npy.p, npy.n), elements, t->size);
	npz_encode(NPZ_IS_MEMBER, &m, &head);
	npz_encode(NPZ_IS_ENTRY, &m, directory);
	*at += head.n + m.size;
	cmd_write_buf(o, &head);
	cmd_write_buf(o, &npy);
	cmd_write(o, elements, t->size);
}

static void
put_npz(struct output *o, const struct npu_tensor *t, size_t n,
    const char *elements)
{
	struct buf directory = { 0 };
	uint64_t at = 0;

	/* The largest number means that an extension has the real number. */
	if (n >= NPZ_MOST_MEMBERS)
		cmd_die("%zu tensors; a .npz has at most %d here", n,
		    NPZ_MOST_MEMBERS - 1);
	for (size_t i = 0; i < n; elements += t[i++].size)
		put_member(o, &t[i], elements, &at, &directory);
	npz_encode_end((uint16_t)n, (uint32_t)directory.n, (uint32_t)at,
	    &directory);
	cmd_write_buf(o, &directory);
}

static void
put_safetensors(struct output *o, const struct npu_tensor *t, size_t n,
    const struct buf *elements)
{
	struct buf head = { 0 };
	struct npu_err err;

	if (safetensors_encode(t, n, &head, &err) < 0)
		cmd_die_err(NULL, &err);
	cmd_write_buf(o, &head);
	cmd_write(o, elements->p, elements->n);
}

/* Refuses a type before anything is written. */
static void
check_types(const struct npu_tensor *t, size_t n)
{
	struct buf head = { 0 };
	struct npu_err err;

	for (size_t i = 0; i < n; i++) {
		if (npy_encode(&t[i], &head, &err) < 0)
			cmd_die_err(NULL, &err);
		buf_clear(&head);
	}
	buf_free(&head);
}

void
archive_writer_end(struct archive_writer *w, struct output *o)
{
	const struct npu_tensor *t = (const void *)w->tensors.p;
	size_t n = w->tensors.n / sizeof(*t);

	check_names(w, t, n);
	if (w->npz) {
		check_types(t, n);
		put_npz(o, t, n, w->data.p);
	} else {
		put_safetensors(o, t, n, &w->data);
	}
	cmd_end_record(o);
	buf_free(&w->tensors);
	buf_free(&w->data);
}
