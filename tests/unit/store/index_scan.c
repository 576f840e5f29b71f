// SPDX-License-Identifier: Apache-2.0
/* An index that is read while its records are found. */
#include <sys/file.h>

#include "index_file.h"
#include "tap.h"

/* a, b, a again. */
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
	    index_scan_counts(m, 0), "the first is not yet replaced");
	ok(index_scan_next(m, &row, NULL) == 1 && row_is(&row, 'b', 3) &&
	    index_scan_next(m, &row, NULL) == 1 && row_is(&row, 'a', 5) &&
	    !index_scan_counts(m, 0), "but when the last has come");
	ok(index_scan_counts(m, 1) && index_scan_counts(m, 2) &&
	    index_scan_next(m, &row, NULL) == 0, "the others count");
}

/* A writer may cut off the data after the last whole record, but not while one
 * is searched. */
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
	    flock(other, LOCK_UN) == 0, "until its end");
	index_unmap(m);
	ok(index_scan_fd(&m, fd, NULL) == 0, "another one");
	index_unmap(m);
	ok(flock(other, LOCK_EX | LOCK_NB) == 0, "ends when it is unmapped");
	close(other);
	close(fd);
	return done();
}
