// SPDX-License-Identifier: Apache-2.0
/* Reads a file through a window: all its bytes are seen, but only few pages are
 * mapped at a time. */
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mapped_file.h"
#include "tap.h"

enum { SIZE = (24 << 20) + 123, RECORD = 2200 };

/* Returns byte i of the file. */
static uint8_t
made(size_t i)
{
	return (uint8_t)(i * 7 + (i >> 12) * 31);
}

static const uint8_t *
make(void)
{
	int fd = memfd_create("window", MFD_CLOEXEC);
	static uint8_t piece[1 << 16];
	const uint8_t *p;

	for (size_t i = 0; i < SIZE; i += sizeof(piece)) {
		size_t n = SIZE - i < sizeof(piece) ? SIZE - i : sizeof(piece);

		for (size_t k = 0; k < n; k++)
			piece[k] = made(i + k);
		if (write(fd, piece, n) != (ssize_t)n)
			return MAP_FAILED;
	}
	p = mmap(NULL, SIZE, PROT_READ, MAP_SHARED, fd, 0);
	close(fd);
	return p;
}

/* Returns how many MiB of files and shared memory are in the page tables of
 * this process: proc(5), statm. */
static long
resident(void)
{
	FILE *f = fopen("/proc/self/statm", "r");
	long shared = -1;

	if (f == NULL || fscanf(f, "%*d %*d %ld", &shared) != 1)
		return -1;
	fclose(f);
	return shared * sysconf(_SC_PAGESIZE) >> 20;
}

/* Reads the whole file in records.  *most is the maximum of resident(). */
static bool
read_all(struct mapped_file *w, const uint8_t *p, long *most)
{
	long now;

	*most = 0;
	for (size_t at = 0; at < SIZE; at += RECORD) {
		mapped_file_reach(w, at, RECORD);
		for (size_t i = at; i < SIZE && i < at + RECORD; i++)
			if (p[i] != made(i))
				return false;
		if (at / RECORD % 100 == 0 && (now = resident()) > *most)
			*most = now;
	}
	return true;
}

int
main(void)
{
	const uint8_t *p = make();
	struct mapped_file w, none = { 0 };
	long before, most;

	if (p == MAP_FAILED)
		return 1;
	mapped_file_reach(&none, 0, SIZE);
	mapped_file_rewind(&none);
	before = resident();
	mapped_file_begin(&w, p, SIZE);
	ok(read_all(&w, p, &most),
	    "the first reading sees all bytes of the file");
	ok(before >= 0 && most - before <= 8, "the first reading has at most 8 "
	    "of 24 MiB in memory: %ld, and %ld before", most, before);
	mapped_file_rewind(&w);
	ok(read_all(&w, p, &most) && resident() - before >= 23,
	    "in the second reading the pages stay in memory: %ld, and %ld "
	    "before", resident(), before);
	mapped_file_reach(&w, 0, SIZE_MAX);
	mapped_file_reach(&w, SIZE_MAX, SIZE_MAX);
	mapped_file_begin(&w, p, SIZE);
	mapped_file_reach(&w, SIZE - 1, SIZE_MAX);
	ok(w.mapped == SIZE, "the window ends at the end of the file");
	return done();
}
