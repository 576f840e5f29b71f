// SPDX-License-Identifier: Apache-2.0
/* Tests an index that is scanned while its records are read. */
#include <sys/file.h>

#include "index_file.h"
#include "tap.h"

/* Makes an index with a, b, and again a. */
static void
make(void)
{
	const struct index_header h = index_example();
	struct index *ix;

	index_place();
	if (index_open(&ix, index_path, &h, NULL) < 0)
		exit(1);
	index_put(ix, "a", 1, 1, 2);
	index_put(ix, "b", 2, 3, 4);
	index_put(ix, "a", 3, 5, 6);
	index_close(ix, NULL);
}

static bool
row_is(const struct index_row *row, char name, float x)
{
	return row->n == 1 && row->id[0] == name && row->x[0] == x;
}

static void
one_by_one(struct index_map *m)
{
	struct index_row row;

	ok(index_scan_next(m, &row, NULL) == 1 && row_is(&row, 'a', 1) &&
	    index_scan_counts(m, 0),
	    "the first a counts until the second a is read");
	ok(index_scan_next(m, &row, NULL) == 1 && row_is(&row, 'b', 3) &&
	    index_scan_next(m, &row, NULL) == 1 && row_is(&row, 'a', 5) &&
	    !index_scan_counts(m, 0),
	    "the first a does not count after the second a is read");
	ok(index_scan_counts(m, 1) && index_scan_counts(m, 2) &&
	    index_scan_next(m, &row, NULL) == 0,
	    "b and the second a count, and no record follows");
}

/* A writer may cut off the data after the last whole record, but not while a
 * reader scans the index. */
int
main(void)
{
	struct index_row row;
	struct index_map *m;
	int fd, other;

	make();
	fd = open(index_path, O_RDONLY | O_CLOEXEC);
	other = open(index_path, O_RDONLY | O_CLOEXEC);
	if (index_scan_fd(&m, fd, NULL) < 0)
		return 1;
	one_by_one(m);
	ok(flock(other, LOCK_EX | LOCK_NB) < 0, "a scan holds the lock");
	ok(index_scan_end(m, NULL) == 0 && index_rows(m) == 2 &&
	    index_row(m, 0, &row, NULL) == 0 && row_is(&row, 'b', 3) &&
	    flock(other, LOCK_EX | LOCK_NB) == 0 &&
	    flock(other, LOCK_UN) == 0, "the end of a scan releases the lock");
	index_unmap(m);
	ok(index_scan_fd(&m, fd, NULL) == 0, "a second scan begins");
	index_unmap(m);
	ok(flock(other, LOCK_EX | LOCK_NB) == 0,
	    "unmapping the index during a scan releases the lock");
	close(other);
	close(fd);
	return done();
}
