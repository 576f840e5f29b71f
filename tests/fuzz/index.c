// SPDX-License-Identifier: Apache-2.0
/*
 * An index file of any bytes: what a reader returns lies within the file, and
 * if a writer accepts the file, a reader finds the record that the writer adds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "store/layout.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

/* Corrects the checksums, which a fuzzer would not guess. */
static void
mend(uint8_t *p, size_t n)
{
	struct layout_header h;
	struct layout_head r;
	uint64_t at, size;

	if (n < sizeof(h))
		return;
	memcpy(&h, p, sizeof(h));
	h.checksum = 0;
	memcpy(p, &h, sizeof(h));
	if (h.size % LAYOUT_ALIGN != 0 || h.size < sizeof(h) || h.size > n)
		return;
	h.checksum = layout_checksum(p, h.size);
	memcpy(p, &h, sizeof(h));
	for (at = h.size; n - at >= sizeof(r); at += size) {
		memcpy(&r, p + at, sizeof(r));
		size = layout_size(h.dim, &r);
		if (size <= n - at)
			r.body_checksum = layout_checksum(p + at + sizeof(r),
			    size - sizeof(r));
		r.head_checksum = layout_head_checksum(&r, at);
		memcpy(p + at, &r, sizeof(r));
		if (size > n - at)
			break;
	}
}

/* Reads all rows; returns how many can be read. */
static uint64_t
look(const struct index_map *m, const uint8_t *p, size_t n)
{
	const uint32_t dim = index_map_header(m)->dim;
	struct index_row row;
	uint64_t good = 0;
	float sum = 0;

	for (uint64_t i = 0; i < index_rows(m); i++) {
		if (index_row(m, i, &row, NULL) < 0)
			continue;
		good++;
		if (p != NULL && ((const uint8_t *)row.x < p ||
		    (const uint8_t *)row.id + row.n + row.path_n > p + n))
			abort();
		for (uint32_t k = 0; k < dim; k++)
			sum += row.x[k];
		for (size_t k = 0; k < row.n + row.path_n; k++)
			sum += (float)row.id[k];
	}
	__asm__ volatile("" : : "m"(sum));
	return good;
}

/*
 * Adds a record with a writer, to a copy of the file in memory; h is the file's
 * own header.
 */
static void
add(const uint8_t *p, size_t n, const struct index_header *h)
{
	int fd = memfd_create("index", MFD_CLOEXEC);
	float *x = calloc(h->dim, sizeof(*x));
	uint8_t sha256[INDEX_SHA256] = { 7 };
	const struct index_row row = { .id = "new", .n = 3, .path = "/new",
	    .path_n = 4, .sha256 = sha256, .x = x };
	struct index_map *m;
	struct index *ix;
	char path[40];

	if (fd < 0 || x == NULL || write(fd, p, n) != (ssize_t)n)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (index_open(&ix, path, h, NULL) == 0) {
		if (index_add(ix, &row, NULL) == 0 &&
		    (!index_has(ix, &row) ||
		    !index_content(ix, sha256, x)))
			abort();
		index_close(ix, NULL);
		/*
		 * It may have replaced a record that a reader knows is removed.
		 */
		if (index_map_fd(&m, fd, NULL) == 0) {
			look(m, NULL, 0);
			index_unmap(m);
		}
	}
	free(x);
	close(fd);
}

/*
 * A scan returns the rows of the map, and rows that were replaced; m is NULL if
 * the bytes are refused.
 */
static void
scan(const struct index_map *m, const uint8_t *p, size_t n)
{
	struct index_row row, same;
	uint64_t given = 0, counts = 0;
	struct index_map *s;
	int rc;

	if (index_scan_bytes(&s, p, n, NULL) < 0) {
		if (m != NULL)
			abort();
		return;
	}
	while ((rc = index_scan_next(s, &row, NULL)) > 0)
		given++;
	for (uint64_t i = 0; i < given && rc == 0; i++) {
		if (!index_scan_counts(s, i))
			continue;
		if (m == NULL || index_row(m, counts++, &same, NULL) < 0)
			abort();
	}
	if ((index_scan_end(s, NULL) == 0) != (m != NULL) ||
	    (m != NULL && index_rows(s) != index_rows(m)) ||
	    (m != NULL && rc == 0 && counts != index_rows(m)))
		abort();
	index_unmap(s);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct index_map *m = NULL;
	uint8_t *copy;

	if (n < 1 || (copy = malloc(n)) == NULL)
		return 0;
	memcpy(copy, p + 1, n - 1);
	if (p[0] % 2 == 0)
		mend(copy, n - 1);
	if (index_map_bytes(&m, copy, n - 1, NULL) < 0)
		m = NULL;
	scan(m, copy, n - 1);
	if (m != NULL) {
		look(m, copy, n - 1);
		add(copy, n - 1, index_map_header(m));
		index_unmap(m);
	}
	free(copy);
	return 0;
}
