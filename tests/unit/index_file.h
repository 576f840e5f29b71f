/* SPDX-License-Identifier: Apache-2.0 */
/* Index files for tests: small ones, in a folder that is removed at the end. */
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

	/* A killed writer may have left the file that it was to rename. */
	while (d != NULL && (e = readdir(d)) != NULL)
		unlinkat(dirfd(d), e->d_name, 0);
	if (d != NULL)
		closedir(d);
	rmdir(index_folder);
}

/* Where index_path is: under $B, as nothing of ours is in /tmp. */
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

/* Adds (x, y) under id, made from a content whose hash is all c. */
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

/* The whole file. */
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

/* There is always room for one more. */
static inline void
index_show(char text[INDEX_SHOWN], const struct index_row *row)
{
	size_t n = strlen(text);

	if (n < INDEX_SHOWN - 200)
		snprintf(text + n, INDEX_SHOWN - n, "%s%.*s=%g,%g",
		    n > 0 ? " " : "", (int)row->n, row->id,
		    (double)row->x[0], (double)row->x[1]);
}

/* The rows of a map, or the reason for a refusal. */
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

/* The result of a scan; if it fails, the state at its end. */
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

/* "bus.jpg=1,0 a=2,3" of the file, or the reason for a refusal: as a map and as
 * a scan give it, or both if they differ. */
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

/* The file opened by a writer; the test ends if it cannot be. */
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
