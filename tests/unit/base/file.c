// SPDX-License-Identifier: Apache-2.0
/* file_read(): the rest of a file, up to the limit; and which files are mapped
 * at once. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "tap.h"

static int
ten_bytes(void)
{
	int fd = memfd_create("ten", MFD_CLOEXEC);

	if (write(fd, "0123456789", 10) != 10)
		return -1;
	lseek(fd, 0, SEEK_SET);
	return fd;
}

int
main(void)
{
	struct npu_err err = { 0 };
	struct buf b = { 0 };
	int fd = ten_bytes(), ends[2];

	buf_puts(&b, ">");
	ok(file_read(fd, 10, &b, &err) == 0 && b.n == 11 &&
	    memcmp(b.p, ">0123456789", 11) == 0, "added to what is there");
	ok(file_read(fd, 10, &b, &err) == 0 && b.n == 11, "nothing is left");
	lseek(fd, 4, SEEK_SET);
	buf_clear(&b);
	ok(file_read(fd, 6, &b, &err) == 0 && b.n == 6, "from where it stands");
	lseek(fd, 0, SEEK_SET);
	buf_clear(&b);
	ok(file_read(fd, 9, &b, &err) == NPU_EFORMAT &&
	    strstr(err.msg, "more than 9 bytes") != NULL, "one byte too many");
	close(fd);
	buf_clear(&b);
	ok(file_read(fd, 9, &b, &err) == NPU_ESYSTEM &&
	    strcmp(err.msg, strerror(EBADF)) == 0, "not open");
	ok(pipe(ends) == 0 && write(ends[1], "abc", 3) == 3 &&
	    close(ends[1]) == 0 && file_read(ends[0], 3, &b, &err) == 0 &&
	    b.n == 3, "a pipe");
	close(ends[0]);
	buf_clear(&b);
	ok(pipe(ends) == 0 && write(ends[1], "abc", 3) == 3 &&
	    close(ends[1]) == 0 && file_read(ends[0], 2, &b, &err) ==
	    NPU_EFORMAT && strstr(err.msg, "more than 2 bytes") != NULL,
	    "a byte too many from one");
	close(ends[0]);
	ok(file_map_flags(1) == MAP_POPULATE && file_map_flags(UINT64_MAX) == 0,
	    "a small file is mapped at once, one beyond the memory is not");
	buf_free(&b);
	return done();
}
