// SPDX-License-Identifier: Apache-2.0
/* What detections_put() needs of files beside its output: the ids of COCO's
 * pictures, and a file for each picture. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "detections.h"

#define MAX_IDS ((size_t)1 << 28)	/* bytes of --image-ids */

/* ---- Ids -------------------------------------------------------------- */

struct image_id {
	const char *name;
	uint64_t id;
};

struct image_ids {
	char *text;		/* owned: the file, cut into lines */
	struct image_id *entry;	/* owned, by name */
	size_t n;
};

static int
by_name(const void *a, const void *b)
{
	return strcmp(((const struct image_id *)a)->name,
	    ((const struct image_id *)b)->name);
}

/* "139 000000000139.jpg" */
static void
take_line(struct image_ids *ids, char *line, const char *file, size_t number)
{
	struct image_id *e = &ids->entry[ids->n];
	char *name;

	line[strcspn(line, "\r")] = '\0';
	if (*line == '\0')
		return;
	errno = 0;
	e->id = strtoull(line, &name, 10);
	if (!isdigit((unsigned char)*line) || errno != 0 ||
	    e->id > INT64_MAX || (*name != ' ' && *name != '\t') ||
	    name[strspn(name, " \t")] == '\0')
		cmd_die("%s: line %zu is not a number and a file name", file,
		    number);
	e->name = name + strspn(name, " \t");
	ids->n++;
}

static void
check_twice(const struct image_ids *ids, const char *file)
{
	for (size_t i = 1; i < ids->n; i++)
		if (strcmp(ids->entry[i - 1].name, ids->entry[i].name) == 0)
			cmd_die("%s: '%s' is there twice", file,
			    ids->entry[i].name);
}

struct image_ids *
image_ids_open(const char *file)
{
	struct image_ids *ids = cmd_alloc(sizeof(*ids));
	size_t n, lines = 1, number = 0;
	char *rest, *line;

	if (file == NULL)
		return ids;
	ids->text = cmd_read_file(file, MAX_IDS, &n);
	ids->text = cmd_realloc(ids->text, n + 1);
	ids->text[n] = '\0';
	for (size_t i = 0; i < n; i++) {
		if (ids->text[i] == '\0')
			cmd_die("%s: has a NUL byte at %zu; it is no list of "
			    "ids and file names", file, i);
		lines += ids->text[i] == '\n';
	}
	ids->entry = cmd_alloc(lines * sizeof(*ids->entry));
	for (rest = ids->text; (line = strsep(&rest, "\n")) != NULL;)
		take_line(ids, line, file, ++number);
	qsort(ids->entry, ids->n, sizeof(*ids->entry), by_name);
	check_twice(ids, file);
	return ids;
}

void
image_ids_close(struct image_ids *ids)
{
	if (ids == NULL)
		return;
	free(ids->entry);
	free(ids->text);
	free(ids);
}

/* The name without its folders. */
static const char *
base(const char *file)
{
	const char *slash = strrchr(file, '/');

	return slash != NULL ? slash + 1 : file;
}

/* Bytes of it before its last dot. */
static size_t
stem(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot != NULL && dot != name ? (size_t)(dot - name) :
	    strlen(name);
}

/* The last number of a name: 391895 of COCO_val2014_000000391895.jpg. */
static bool
number_in(const char *name, uint64_t *id)
{
	size_t end = stem(name), from;

	while (end > 0 && !isdigit((unsigned char)name[end - 1]))
		end--;
	for (from = end; from > 0 && isdigit((unsigned char)name[from - 1]);
	    from--)
		;
	if (from == end)
		return false;
	errno = 0;
	*id = strtoull(name + from, NULL, 10);
	return errno == 0 && *id <= INT64_MAX;
}

static bool
look_up(const struct image_ids *ids, const char *name, uint64_t *id)
{
	const struct image_id key = { .name = name }, *e;

	if (ids->n == 0)
		return false;
	e = bsearch(&key, ids->entry, ids->n, sizeof(*e), by_name);
	if (e != NULL)
		*id = e->id;
	return e != NULL;
}

bool
image_ids_find(const struct image_ids *ids, const struct pictured *p,
    uint64_t *id)
{
	if (p->frame != 0) {
		*id = p->frame;
		return true;
	}
	if (p->file == NULL) {
		cmd_warn("a picture without a name has no id for coco");
		return false;
	}
	if (ids->text != NULL) {
		if (look_up(ids, p->file, id) ||
		    look_up(ids, base(p->file), id))
			return true;
		cmd_warn("%s: is not in the file of --image-ids", p->file);
		return false;
	}
	if (number_in(base(p->file), id))
		return true;
	cmd_warn("%s: has no number in its name to be its id for coco; say it "
	    "with --image-ids", p->file);
	return false;
}

/* ---- A file a picture ------------------------------------------------- */

/* A line: class, centre and sides as parts of the picture's, confidence. */
static void
yolo_line(struct buf *b, const struct pictured *p, const struct detection *d,
    bool confidence)
{
	const double w = p->width, h = p->height;
	const double x1 = (double)d->box[0], y1 = (double)d->box[1];
	const double x2 = (double)d->box[2], y2 = (double)d->box[3];

	buf_printf(b, "%u %.6g %.6g %.6g %.6g", d->class, (x1 + x2) / 2 / w,
	    (y1 + y2) / 2 / h, (x2 - x1) / w, (y2 - y1) / h);
	if (confidence) {
		buf_puts(b, " ");
		detections_number(b,
		    detections_confidence((double)d->confidence));
	}
	buf_puts(b, "\n");
}

bool
detections_put_file(struct detections *w, const struct pictured *p)
{
	struct buf b = { 0 };
	struct npu_err err;
	const char *path = folder_place(&w->folder, p->file, p->frame, "txt",
	    &err);

	if (path == NULL) {
		cmd_warn("%s: %s", p->file != NULL ? p->file : "stdin",
		    err.msg);
		return false;
	}
	for (size_t i = 0; i < p->n; i++)
		yolo_line(&b, p, &p->found[i], w->style.conf_column);
	cmd_write_document(path, &b);
	return true;
}
