// SPDX-License-Identifier: Apache-2.0
/* Tests file_read(), which reads the rest of a file up to a limit,
 * file_map_flags(), and file_target(), which follows symbolic links. */
#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
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

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st, (void)type, (void)at;
	return remove(path);
}

/* Returns true if path leads to want. */
static bool
leads(const char *path, const char *want)
{
	char *target = file_target(path);
	bool same = target != NULL && strcmp(target, want) == 0;

	if (!same)
		diag("%s: %s", path, target != NULL ? target : strerror(errno));
	free(target);
	return same;
}

/* Makes links.  Link N leads to link N - 1, and link 0 leads to a file that
 * does not exist. */
static void
chain(int links)
{
	char from[32], to[32] = "nowhere";

	for (int i = 0; i < links; i++) {
		snprintf(from, sizeof(from), "link-%d", i);
		if (symlink(to, from) < 0)
			exit(1);
		memcpy(to, from, sizeof(to));
	}
}

static void
links(void)
{
	const char *b = getenv("B");
	char folder[PATH_MAX], long_name[PATH_MAX];

	snprintf(folder, sizeof(folder), "%s/links-XXXXXX",
	    b != NULL ? b : ".");
	if (mkdtemp(folder) == NULL || chdir(folder) < 0 ||
	    mkdir("store", 0777) < 0 || symlink("store/new", "a") < 0 ||
	    symlink("../a", "store/up") < 0 || symlink("/etc/x", "b") < 0 ||
	    symlink("/proc/self/fd/1", "out") < 0 || symlink("me", "me") < 0)
		exit(1);
	ok(leads("plain", "plain") && leads("no/where", "no/where") &&
	    leads("", ""), "file_target() returns a name unchanged if it is "
	    "not a link");
	ok(leads("a", "store/new") && leads("./a", "./store/new"),
	    "a link to a missing file leads to that file");
	ok(leads("store/up", "store/../store/new"),
	    "the target of a link is relative to the link's folder");
	ok(leads("b", "/etc/x"), "an absolute link leads to its absolute "
	    "target");
	ok(leads("out", "/proc/self/fd/1"), "a link below /proc is not "
	    "followed");
	ok(file_target("me") == NULL && errno == ELOOP, "a link that leads to "
	    "itself fails with ELOOP");
	chain(41);
	ok(leads("link-39", "nowhere") && file_target("link-40") == NULL &&
	    errno == ELOOP,
	    "40 links are followed, as in the kernel, and 41 fail with ELOOP");
	memset(long_name, 'x', sizeof(long_name) - 1);
	long_name[sizeof(long_name) - 1] = '\0';
	ok(file_target(long_name) == NULL && errno == ENAMETOOLONG,
	    "a name that is too long fails with ENAMETOOLONG");
	ok(file_target("/dev/null/x") == NULL && errno == ENOTDIR,
	    "a name below a file fails with ENOTDIR");
	if (chdir(b != NULL ? b : "..") < 0 ||
	    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS) != 0)
		exit(1);
}

int
main(void)
{
	struct npu_err err = { 0 };
	struct buf b = { 0 };
	int fd = ten_bytes(), ends[2];

	buf_puts(&b, ">");
	ok(file_read(fd, 10, &b, &err) == 0 && b.n == 11 &&
	    memcmp(b.p, ">0123456789", 11) == 0, "file_read() adds the file to "
	    "the bytes that are in the buffer");
	ok(file_read(fd, 10, &b, &err) == 0 && b.n == 11,
	    "at the end of the file, file_read() succeeds and adds nothing");
	lseek(fd, 4, SEEK_SET);
	buf_clear(&b);
	ok(file_read(fd, 6, &b, &err) == 0 && b.n == 6,
	    "file_read() begins at the current position of the file");
	lseek(fd, 0, SEEK_SET);
	buf_clear(&b);
	ok(file_read(fd, 9, &b, &err) == NPU_EFORMAT &&
	    strcmp(err.msg, "10 bytes, more than 9, which is the limit here")
	    == 0, "a file one byte above the limit is refused with its size "
	    "and the limit");
	close(fd);
	buf_clear(&b);
	ok(file_read(fd, 9, &b, &err) == NPU_ESYSTEM &&
	    strcmp(err.msg, strerror(EBADF)) == 0,
	    "reading a closed descriptor fails with EBADF");
	ok(pipe(ends) == 0 && write(ends[1], "abc", 3) == 3 &&
	    close(ends[1]) == 0 && file_read(ends[0], 3, &b, &err) == 0 &&
	    b.n == 3, "a pipe is read up to its end");
	close(ends[0]);
	buf_clear(&b);
	ok(pipe(ends) == 0 && write(ends[1], "abc", 3) == 3 &&
	    close(ends[1]) == 0 && file_read(ends[0], 2, &b, &err) ==
	    NPU_EFORMAT && strstr(err.msg, "more than 2 bytes") != NULL,
	    "a pipe with one byte more than the limit is refused");
	close(ends[0]);
	ok(file_map_flags(1) == MAP_POPULATE && file_map_flags(UINT64_MAX) == 0,
	    "a small file is mapped with MAP_POPULATE, a file larger than the "
	    "memory is not");
	buf_free(&b);
	links();
	return done();
}
