/* SPDX-License-Identifier: Apache-2.0 */
/* Makes small index files for tests, in a folder that is removed at the end. */
#ifndef TESTS_UNIT_INDEX_FILE_H
#define TESTS_UNIT_INDEX_FILE_H

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "store/index.h"
#include "tap.h"

static char index_folder[4000], index_path[4010];

static void
index_tidy(void)
{
	DIR *d = opendir(index_folder);
	struct dirent *e;

	/* A killed writer may have left its temporary file. */
	while (d != NULL && (e = readdir(d)) != NULL)
		unlinkat(dirfd(d), e->d_name, 0);
	if (d != NULL)
		closedir(d);
	rmdir(index_folder);
}

/* Makes the folder of index_path, under $B, because we put no files into
 * /tmp. */
static inline void
index_place(void)
{
	const char *b = getenv("B");

	snprintf(index_folder, sizeof(index_folder), "%s/index.XXXXXX",
	    b != NULL ? b : "build");
	if (mkdtemp(index_folder) == NULL)
		exit(1);
	snprintf(index_path, sizeof(index_path), "%s/x", index_folder);
	atexit(index_tidy);
}

static inline int
index_map_path(struct index_map **map, const char *path, struct npu_err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), rc;

	if (fd < 0)
		return npu_fail(err, NPU_ESYSTEM, "%s", path);
	rc = index_map_fd(map, fd, err);
	close(fd);
	return rc;
}

static inline struct index_header
index_example(void)
{
	struct index_header h = { .dim = 2, .norm = INDEX_NORM_L2,
	    .kind = INDEX_IMAGE, .model = "m.cix", .preprocessing = "crop" };

	for (int i = 0; i < INDEX_SHA256; i++)
		h.model_sha256[i] = (uint8_t)i;
	return h;
}

/* Adds the vector (x, y) under id.  The hash of its content has the byte c
 * everywhere. */
static inline int
index_put(struct index *ix, const char *id, int c, float x, float y)
{
	uint8_t sha256[INDEX_SHA256];
	float v[] = { x, y };

	memset(sha256, c, sizeof(sha256));
	return index_add(ix, &(struct index_row){ .id = id, .n = strlen(id),
	    .sha256 = sha256, .x = v }, NULL);
}

static inline bool
index_put_has(struct index *ix, const char *id, int c)
{
	uint8_t sha256[INDEX_SHA256];

	memset(sha256, c, sizeof(sha256));
	return index_has(ix, &(struct index_row){ .id = id, .n = strlen(id),
	    .sha256 = sha256 });
}

/* Returns the whole file. */
static inline struct buf
index_bytes(void)
{
	struct buf b = { 0 };

	file_load(index_path, 1 << 28, &b, NULL);
	return b;
}

static inline void
index_write(const void *p, size_t n)
{
	FILE *f = fopen(index_path, "w");

	if (f == NULL || fwrite(p, 1, n, f) != n || fclose(f) != 0)
		exit(1);
}

enum { INDEX_SHOWN = 1200 };

/* Adds the row to text, if the space suffices for one more row. */
static inline void
index_show(char text[INDEX_SHOWN], const struct index_row *row)
{
	size_t n = strlen(text);

	if (n < INDEX_SHOWN - 200)
		snprintf(text + n, INDEX_SHOWN - n, "%s%.*s=%g,%g",
		    n > 0 ? " " : "", (int)row->n, row->id,
		    (double)row->x[0], (double)row->x[1]);
}

/* Writes the rows of a map to text, or the error message if a row is
 * refused. */
static inline void
index_show_rows(char text[INDEX_SHOWN], const struct index_map *m)
{
	struct npu_err err = { 0 };
	struct index_row row;

	text[0] = '\0';
	for (uint64_t i = 0; i < index_rows(m); i++) {
		if (index_row(m, i, &row, &err) < 0) {
			snprintf(text, INDEX_SHOWN, "%s", err.msg);
			return;
		}
		index_show(text, &row);
	}
}

/* Scans the file.  Returns its rows, or the error message.  If the scan must be
 * repeated as a map, returns the map's rows. */
static inline const char *
index_scanned(void)
{
	static char text[INDEX_SHOWN];
	struct npu_err err = { 0 };
	struct index_row row[64];
	struct index_map *m;
	int fd = open(index_path, O_RDONLY | O_CLOEXEC), n = 0, rc;

	text[0] = '\0';
	if ((rc = index_scan_fd(&m, fd, &err)) == 0) {
		while (n < 64 && (rc = index_scan_next(m, &row[n], &err)) > 0)
			n++;
		for (int i = 0; i < n && rc == 0; i++)
			if (index_scan_counts(m, (uint64_t)i))
				index_show(text, &row[i]);
		if (rc != 0 && (rc = index_scan_end(m, &err)) == 0)
			index_show_rows(text, m);
		index_unmap(m);
	}
	if (rc < 0)
		snprintf(text, sizeof(text), "%s", err.msg);
	close(fd);
	return text;
}

/*
 * Returns the rows of the file, such as bus.jpg=1,0 a=2,3, or the error
 * message.  Reads the file as a map and by a scan; returns both results if they
 * differ.
 */
static inline const char *
index_shown(void)
{
	static char text[INDEX_SHOWN], both[2 * INDEX_SHOWN + 40];
	struct npu_err err = { 0 };
	struct index_map *m;

	if (index_map_path(&m, index_path, &err) < 0) {
		snprintf(text, sizeof(text), "%s", err.msg);
	} else {
		index_show_rows(text, m);
		index_unmap(m);
	}
	if (strcmp(text, index_scanned()) == 0)
		return text;
	snprintf(both, sizeof(both), "map: %s; scan: %s", text,
	    index_scanned());
	return both;
}

/* Opens the file for writing.  The test ends if that fails. */
static inline struct index *
index_open_example(void)
{
	const struct index_header h = index_example();
	struct npu_err err = { 0 };
	struct index *ix;

	if (index_open(&ix, index_path, &h, &err) == 0)
		return ix;
	diag("%s", err.msg);
	exit(1);
}

#endif
